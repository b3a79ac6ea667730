"""What the files of the complete Theorem 3 share."""

STEP = "yashima2021/theorem_3_full:step_"


def rests_on(edition):
    """Keys of the claims that the theorem follows from."""
    return (
        *(STEP + step for step in ("split", "sign", "expectation", "probability", "excess", "xi")),
        f"yashima2021/theorem_1_full:{edition}",
        "yashima2021/proposition_4:printed",
        f"yashima2021/proposition_5:{edition}",
        f"yashima2021/proposition_6:{edition}",
    )
