"""Probabilities that are stated to be above one are reached by nothing, drawn or not."""

import pytest
from sympy import Rational, Symbol

from boundcheck import Claim, Source, WithProbability, witness
from boundcheck.engine import verify
from boundcheck.expressions import parameter
from boundcheck.worlds import Real, Sampled

PLACE = Source("A", 2024, "Example").at("1")
x, z = parameter("x", Real(None, None)), parameter("z", Real(0, None, open_low=True))
u = Symbol("u", real=True)
DRAW = Sampled(("u",), lambda look, rng, size: {"u": rng.random(size)})


@pytest.mark.parametrize("draw, relation", [(None, x >= x - z), (DRAW, u <= 2 + z)])
@pytest.mark.parametrize("level, verdict", [
    (1 + z, "refuted"), (Rational(3, 2), "refuted"), (1, "stands")])  # fmt: skip
def test_no_probability_is_above_one(draw, relation, level, verdict):
    claim = Claim(PLACE, WithProbability(level, relation), draw=draw)
    found = verify("hostile/level", claim, controls=False)
    documents = [witness.seal(item.witness.as_json()) for item in found.evidence
                 if item.witness is not None]  # fmt: skip
    assert len(documents) == (verdict == "refuted")
    for document in documents:
        said = str(witness.confirm_of("hostile/level", claim, document))
        assert "stated probability = " in said and "largest    = 1" in said
