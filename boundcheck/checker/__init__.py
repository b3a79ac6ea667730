"""What a witness is held against: the text of its claim, and a route to the truth of its own.

`text` says what a claim is, `judge` decides a world again, the other modules what becomes of the
sides as a world grows without end. May import what lies below, `expressions`, `quantities` and
`worlds`; no search, no check and no prover, on whose word nothing here may rest.
"""
