"""Ways to prove a statement: identities, nonlinear real arithmetic, boxes of balls."""
