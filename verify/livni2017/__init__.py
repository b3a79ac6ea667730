"""Livni, Carmon, Globerson 2017: online learning of infinite layer networks without kernel values.

The settings are `sampled_features` (scalar products estimated from samples), `shrinking_gradient`
(Algorithm 1 on sequences fixed before the run, an oblivious adversary, as the text's "every
sequence" says), `seeing_adversaries` (claims against adversaries that see the run are called
adaptive), `noisy_descent` (Lemma 1) and `online_to_batch` (Corollary 1).
"""

from boundcheck import Source

NOTES = Source(
    "Livni, Carmon, Globerson", 2017, "Learning infinite layer networks without the kernel trick",
    "ICML",
)  # fmt: skip
