"""What the files of the complete Theorem 3 share."""

STEP = "yashima2021/theorem_3_full:step_"
MENDED = ("expectation", "excess")


def rests_on(edition, mended=False):
    """Keys of the claims that the theorem follows from, or from the mended steps where one is."""
    named = {name: STEP.replace("step_", "repaired_") + name for name in MENDED if mended}
    proposition = "repaired" if mended else edition
    steps = ("split", "sign", "expectation", "probability", "excess", "xi")
    return (
        *(named.get(step, STEP + step) for step in steps),
        f"yashima2021/theorem_1_full:{edition}",
        "yashima2021/proposition_4:printed",
        f"yashima2021/proposition_5:{proposition}",
        f"yashima2021/proposition_6:{proposition}",
    )
