"""Certificates of proofs, their checker, and the provers that make them.

`checker` re-checks a certificate with rationals and balls alone; `search` and the modules it names
make them; `document` is the file. May import what lies below, `checks` and `witness`, of whose seal
it makes use; the checker imports no prover.
"""
