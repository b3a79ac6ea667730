"""What the files of the complete Theorem 3 share."""

STEP = "yashima2021/theorem_3_full:step_"
