"""Engines behind experiments: real data and long simulations, batched. No paper is named here."""
