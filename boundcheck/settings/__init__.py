"""Vocabularies of fields: symbols with their worlds, domains, units and facts, written once.

`scalar_laws` one variable with finitely many values; `concentration` sums of independent ones;
`matrices` symmetric, positive semi-definite and square ones; `rkhs` kernel matrices, feature
vectors, complexity, ridge regression; `online` descent on an interval and its regret;
`margin_losses` losses for labels +-1, link functions, minimal risks; `averaged_sgd` classification
with random features: populations, minimisers, bounds; `random_features` kernels and drawn
features, ridge regression with either; `sign_features` random sign features on spheres;
`sampled_features` functions on features and scalar products estimated from samples.

A statement file imports the symbols it uses and adds what it alone defines. May import
`expressions`, `worlds` and `quantities`; knows no claim and no paper.
"""
