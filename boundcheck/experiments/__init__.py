"""Engines behind experiments: real data and long simulations, batched. No paper is named here.

May import what lies below, `search` and `library`; no verdict rests on them.
"""
