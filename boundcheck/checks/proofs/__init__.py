"""Ways to prove a statement: identities, nonlinear real arithmetic, boxes of balls.

`attempt` goes through the ways in their order; `system`, `definitions` and `values` say what is
known, `certified` hands it to the provers that leave a certificate. May import what lies below,
`checks`, `search` and `certificates`; no verdict and no report.
"""
