"""Vocabularies of fields: symbols with their worlds, domains, units and facts, written once.

| field | words |
|---|---|
| `scalar_laws` | one variable with finitely many values, samples of it, relative entropies |
| `subgaussian` | vectors of any finite law and the least variance proxy that it allows |
| `continuous` | normal, uniform and exponential variables, means and probabilities in closed form |
| `counting` | how often independent events happen: binomial and Poisson tails of any size |
| `concentration` | sums of independent variables, fair signs |
| `adapted` | trees of laws: martingales, supermartingales, conditional variances, matrices |
| `classes` | finite classes: risks, Rademacher complexity, VC dimension, empirical processes |
| `cube` | tables of functions on the cube: influences, Fourier coefficients |
| `matrices` | symmetric, semi-definite, Hermitian, 0-1 matrices, projectors, lists of them |
| `random_matrices` | independent Hermitian or positive matrices, each with a law of its own |
| `rkhs` | kernel matrices, feature vectors, complexity, ridge regression |
| `online` | descent on an interval or ball, experts, regret |
| `polytopes` | descent and Newton steps on convex sets of any dimension, quadratic losses |
| `smooth_convex` | first-order methods on smooth convex functions of any dimension |
| `margin_losses` | losses for labels +-1, link functions, minimal risks |
| `averaged_sgd` | classification with random features: populations, minimisers, bounds |
| `sgd_runs` | runs of averaged SGD with any kernel: averages, their expectation, deviations |
| `covariance` | operators on L2(rho) of the kernels of `averaged_sgd`, norms and order |
| `four_squares` | the planar law of four squares: norms and minimisers of its Gaussian kernel |
| `complex_features` | features with an imaginary part, their kernels and functions |
| `fourier` | waves and their spectra on the line, kernels on grids, interpolation of sup norms |
| `random_features` | kernels and drawn features, ridge regression with either |
| `sign_features` | random sign features on spheres |
| `circle_features` | cosine features at three places of a circle, ridge regression with either |
| `sampled_features` | functions on features, scalar products estimated from samples |
| `shrinking_gradient` | runs of an online algorithm that sees samples of scalar products only |
| `seeing_adversaries` | the same with points and labels that depend on the run |
| `noisy_descent` | noisy gradient descent on the line whose steps may be overruled |

A statement file imports the symbols it uses and adds what it alone defines. May import what
lies below, `expressions`, `worlds` and `quantities`; knows no claim and no paper.
"""
