"""Certificates of proofs, their checker, and the provers that make them."""
