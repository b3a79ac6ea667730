"""Ridge experiments against dense formulas and scikit-learn; what is reused changes nothing."""

import math

import numpy
import pytest
from scipy.spatial.distance import cdist
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Ridge

from boundcheck.errors import DataError, InvalidArgument
from boundcheck.experiments import feature_ridge as fr, kernel_ridge as kr, ridge_difference as rd

SINGLE = 2.0**-24  # unit roundoff of float32
N, M, D = 60, 25, 3
LAMBDAS = (0.02, 0.1, 0.7)
SIZES = (3, 10, 40, 90)  # fewer and more features than points


@pytest.fixture(scope="module")
def data():
    rng = numpy.random.default_rng(3)
    x, x_test = rng.uniform(-1, 1, (N, D)), rng.uniform(-1, 1, (M, D))
    y = numpy.sin(3 * x[:, 0]) + rng.normal(size=N)
    return x, y, x_test


def lower(matrix):
    """The matrix with nothing above its diagonal that could be read."""
    return matrix + numpy.triu(numpy.full_like(matrix, numpy.nan), 1)


def symmetric(x, kernel, sigma):
    triangle = numpy.tril(kr.kernel_triangle(x, kernel, sigma))
    return triangle + numpy.tril(triangle, -1).T


@pytest.mark.parametrize("block", [7, 1024])
@pytest.mark.parametrize("kernel", kr.KERNELS)
def test_kernel_triangle_is_the_formula(monkeypatch, data, kernel, block):
    monkeypatch.setattr(kr, "BLOCK", block)
    monkeypatch.setattr(kr, "TILE", block - 2)
    x, sigma = data[0], 0.8
    exponent = (
        -cdist(x, x, "sqeuclidean") / (2 * sigma**2)
        if kernel == "rbf" else -cdist(x, x, "cityblock") / sigma
    )  # fmt: skip
    matrix = kr.kernel_triangle(x, kernel, sigma)
    # exp moves by the error of its exponent, a few roundings of numbers below |x|^2 / sigma^2 < 5.
    gap = numpy.tril(matrix - numpy.exp(exponent))
    assert abs(gap).max() <= 20 * 5 * numpy.finfo(float).eps
    assert numpy.diagonal(matrix).max() <= 1


@pytest.mark.parametrize("kernel", kr.KERNELS)
def test_bandwidths_are_those_of_the_pairs(data, kernel):
    x = data[0]
    pairs = {
        "rbf": math.sqrt(cdist(x, x, "sqeuclidean").mean()),
        "laplace": cdist(x, x, "cityblock").mean(),
    }
    assert kr.bandwidth(x, kernel, None) == pytest.approx(pairs[kernel], rel=1e-12)


def solutions(matrix, y, lambdas):
    return [numpy.linalg.solve(matrix + len(y) * v * numpy.eye(len(y)), y) for v in lambdas]


@pytest.mark.parametrize("kernel", kr.KERNELS)
def test_krylov_and_cholesky_solve_the_shifted_systems(monkeypatch, data, kernel):
    monkeypatch.setattr(kr, "BLOCK", 16)
    x, y, _ = data
    kept = symmetric(x, kernel, 1.0)
    matrix = lower(kept)
    shifts = N * numpy.array(LAMBDAS)
    krylov = kr.krylov_solutions(matrix, y, shifts)
    cholesky = kr.cholesky_solutions(matrix, y, shifts)
    assert (matrix == kept).all()  # the factors were made in place, the matrix is whole again
    for shift, ours, theirs, dense in zip(
        shifts, krylov, cholesky, solutions(kept, y, LAMBDAS), strict=True
    ):
        assert theirs == pytest.approx(dense, rel=1e-9)
        # A residual r moves alpha by at most ||r|| / shift; the accepted ||r|| is the limit below.
        limit = kr.ACCURACY * numpy.linalg.norm(y) / math.sqrt(N) * 2 * math.sqrt(shift)
        assert numpy.linalg.norm(ours - dense) <= 1.01 * limit / shift
        assert numpy.linalg.norm(kept @ ours + shift * ours - y) <= limit


def test_krylov_gives_up_and_cholesky_takes_over(monkeypatch, data):
    x, y, _ = data
    kept = symmetric(x, "laplace", 1.0)
    matrix = lower(kept)
    assert kr.krylov_solutions(matrix, y, [1e-3], steps=5) is None
    monkeypatch.setattr(kr, "krylov_solutions", lambda *arguments: None)
    found = kr.solve_ridge(matrix, y, LAMBDAS)
    for solution, dense in zip(found, solutions(kept, y, LAMBDAS), strict=True):
        assert solution.alpha == pytest.approx(dense, rel=1e-9)
        assert solution.norm2 == pytest.approx(dense @ kept @ dense, rel=1e-9)


def test_krylov_stops_early_where_the_space_is_exhausted():
    matrix = numpy.outer([1.0, 2.0, 2.0], [1.0, 2.0, 2.0])
    y = numpy.array([1.0, 2.0, 2.0])
    found = kr.krylov_solutions(matrix, y, [1.0])
    assert found[0] == pytest.approx(y / 10, rel=1e-14)
    assert (kr.krylov_solutions(matrix, 0 * y, [1.0]) == 0).all()


def test_an_indefinite_matrix_is_refused():
    with pytest.raises(DataError, match=r"not positive semi-definite at lambda = 0\.25"):
        kr.cholesky_solutions(numpy.array([[0.0, 2.0], [2.0, 0.0]]), numpy.ones(2), [0.5])


@pytest.mark.parametrize("kernel", kr.KERNELS)
def test_exact_side_is_kernel_ridge_of_scikit_learn(data, kernel):
    x, y, x_test = data
    rng = numpy.random.default_rng(0)
    exact = kr.fit_exact(x, y, x_test, kernel=kernel, lambdas=LAMBDAS, rng=rng)
    gamma = 1 / (2 * exact.sigma**2) if kernel == "rbf" else 1 / exact.sigma
    name = {"rbf": "rbf", "laplace": "laplacian"}[kernel]
    for predictions, lambda_ in zip(exact.predictions, LAMBDAS, strict=True):
        peer = KernelRidge(alpha=N * lambda_, kernel=name, gamma=gamma).fit(x, y)
        # Predictions are within ACCURACY times the root mean square of y, see krylov_solutions.
        tol = 2 * kr.ACCURACY * math.sqrt((y**2).mean())
        assert abs(predictions - peer.predict(x_test)).max() <= tol


@pytest.mark.parametrize("scale", [2.0**0.5, 1.0])
def test_nested_features_are_ridge_on_each_prefix(monkeypatch, data, scale):
    monkeypatch.setattr(fr, "BLOCK", 16)
    monkeypatch.setattr(fr, "FLUSH", 3)
    x, y, x_test = data
    a, b = fr.frequencies(numpy.random.default_rng(1), "rbf", D, max(SIZES), 1.0)
    found = fr.feature_predictions(
        x, y, x_test, a.astype(float), b.astype(float), sizes=SIZES, lambdas=LAMBDAS, scale=scale
    )
    for i, s in enumerate(SIZES):
        psi, psi_test = (
            scale / math.sqrt(s) * numpy.cos(points @ a[:, :s].astype(float) + b[:s].astype(float))
            for points in (x, x_test)
        )
        for j, lambda_ in enumerate(LAMBDAS):
            peer = Ridge(alpha=N * lambda_, fit_intercept=False).fit(psi, y)
            dual = (
                psi_test @ psi.T @ numpy.linalg.solve(psi @ psi.T + N * lambda_ * numpy.eye(N), y)
            )
            assert found[i, j] == pytest.approx(peer.predict(psi_test), rel=1e-8, abs=1e-11)
            assert found[i, j] == pytest.approx(dual, rel=1e-8, abs=1e-11)


@pytest.mark.parametrize("large", [1, 1 << 40], ids=["compiled", "numpy"])
@pytest.mark.parametrize("kernel", kr.KERNELS)
def test_single_precision_moves_predictions_by_its_roundoff_only(monkeypatch, data, kernel, large):
    monkeypatch.setattr(fr, "LARGE", large)
    x, y, x_test = (array.astype(numpy.float32) for array in data)
    y = y.astype(float)
    a, b = fr.frequencies(numpy.random.default_rng(2), kernel, D, 90, 1.5)
    options = {"sizes": SIZES, "lambdas": LAMBDAS, "scale": 2.0**0.5}
    single = fr.feature_predictions(x, y, x_test, a, b, **options)
    double = fr.feature_predictions(
        x.astype(float), y, x_test.astype(float), a.astype(float), b.astype(float), **options
    )
    # A cosine errs by e <= (D + 6) u max(|phase|, 2 pi). With ||Psi||^2 <= 2 n and a ridge of
    # n lambda the predictions psi' (Psi^T Psi + n lambda)^-1 Psi^T y, whose size is at most
    # ||y|| / (2 lambda^(1/2) n^(1/2)) * 2^(1/2), move by at most a factor (6 / lambda) e of it.
    phase = max(abs(points @ a + b).max() for points in (x, x_test))
    error = (D + 6) * SINGLE * max(phase, 2 * math.pi)
    for j, lambda_ in enumerate(LAMBDAS):
        size = numpy.linalg.norm(y) / math.sqrt(2 * lambda_ * N)
        assert abs(single - double)[:, j].max() <= 6 / lambda_ * error * size


@pytest.mark.parametrize("kernel", kr.KERNELS)
def test_features_estimate_their_kernel_without_bias(kernel):
    draws, sigma = 200_000, 1.3
    rng = numpy.random.default_rng(4)
    points = numpy.array([[0.3, -0.2], [-0.4, 0.5]])
    a, b = fr.frequencies(rng, kernel, 2, draws, sigma)
    left, right = fr.cosines(points.astype(numpy.float32), a, b)
    expected = kr.kernel_block(points[:1], points[1:], kernel, sigma)[0, 0]
    # Products 2 cos cos lie in [-2, 2]: Hoeffding at 1e-9. Without sqrt(2) the mean is half.
    tol = 4 * math.sqrt(math.log(2 / 1e-9) / (2 * draws))
    assert abs(2 * (left.astype(float) * right).mean() - expected) < tol < expected / 4


@pytest.mark.parametrize("large", [1, 1 << 40], ids=["compiled", "numpy"])
def test_cosines_are_within_their_stated_error_and_bounded(monkeypatch, large):
    monkeypatch.setattr(fr, "LARGE", large)
    rng = numpy.random.default_rng(5)
    x = rng.uniform(0, 1, (40, D)).astype(numpy.float32)
    a = rng.uniform(0, 30, (D, 50)).astype(numpy.float32)
    b = rng.uniform(0, 2 * math.pi, 50).astype(numpy.float32)
    buffer = numpy.full((60, 50), numpy.nan, numpy.float32)
    found = fr.cosines(x, a, b, buffer)
    assert found.base is buffer and numpy.isnan(buffer[40:]).all()
    phase = x.astype(float) @ a.astype(float) + b
    error = (D + 6) * SINGLE * max(phase.max(), 2 * math.pi)
    assert abs(found - numpy.cos(phase)).max() <= error
    far = fr.cosines(x, a * numpy.float32(1e9), b)  # Cauchy frequencies can be as large
    assert abs(far).max() <= 1 + 4 * SINGLE


def test_refined_solutions_are_those_in_double_and_give_up_where_single_is_too_coarse():
    rng = numpy.random.default_rng(6)
    values = rng.standard_normal((200, 30))
    gram = numpy.tril(values.T @ values)
    whole = gram + numpy.tril(gram, -1).T
    moment = rng.standard_normal(30)
    found = fr.refined(lower(whole), lower(whole).astype(numpy.float32), moment, 0.5)
    # A residual r moves the solution by at most ||r|| over the least eigenvalue, above 0.5.
    dense = numpy.linalg.solve(whole + 0.5 * numpy.eye(30), moment)
    limit = fr.RESIDUAL * numpy.linalg.norm(moment) / 0.5
    assert numpy.linalg.norm(found - dense) <= 1.01 * limit
    thin = numpy.outer(values[0], values[0]) * 1e9  # a condition of 1e11 at this shift
    assert fr.refined(thin, thin.astype(numpy.float32), moment, 0.5) is None
    weights = fr.feature_weights(lower(thin), moment, 1, [30], [0.5 * 2 / 30], 2**0.5)
    along = values[0] / numpy.linalg.norm(values[0])
    across = moment - (moment @ along) * along
    assert abs(0.5 * weights[0, 0] - across).max() < 1e-3  # the shift alone acts across


def test_difference_is_the_mean_square_and_does_not_depend_on_threads(data):
    x, y, x_test = data

    def compare(**options):
        return rd.compare_predictors(
            x, y, x_test, kernel="rbf", sizes=SIZES, lambdas=LAMBDAS, repeats=3,
            rng=numpy.random.default_rng(8), **options,
        )  # fmt: skip

    seen = []
    found, parallel, double = compare(progress=seen.append), compare(jobs=2), compare(double=True)
    assert seen == [1, 2, 3]
    assert (found.msd == parallel.msd).all()
    assert found.msd == pytest.approx(double.msd, rel=1e-3)
    exact = kr.fit_exact(
        x, y, x_test, kernel="rbf", lambdas=LAMBDAS, rng=numpy.random.default_rng(8)
    )
    rng = numpy.random.default_rng(8).spawn(3)[2]
    a, b = (v.astype(float) for v in fr.frequencies(rng, "rbf", D, max(SIZES), exact.sigma))
    direct = fr.feature_predictions(x, y, x_test, a, b, sizes=SIZES, lambdas=LAMBDAS, scale=2**0.5)
    by_hand = ((direct - exact.predictions) ** 2).mean(axis=-1)
    assert double.msd[2] == pytest.approx(by_hand, rel=1e-9)
    mean, low, high = found.interval(0.95)
    assert (low < mean).all() and (mean < high).all()


@pytest.mark.parametrize(
    "options, words",
    [({"kernel": "cubic"}, "none of rbf, laplace"), ({"sizes": [0]}, "must be positive"),
     ({"lambdas": [0.0]}, "must be positive"), ({"repeats": 0}, "must be positive")],
)  # fmt: skip
def test_wrong_options_are_refused_before_the_work(data, options, words):
    x, y, x_test = data
    given = {"kernel": "rbf", "sizes": [3], "lambdas": [0.1], "repeats": 1} | options
    with pytest.raises(InvalidArgument, match=words):
        rd.compare_predictors(x, y, x_test, rng=numpy.random.default_rng(0), **given)
