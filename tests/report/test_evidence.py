"""The account of a report: what verdicts rest on, and which mutants were caught."""

from boundcheck.report.evidence import bookkeeping, evidence_counts, mutant_counts
from boundcheck.report.markdown import _evidence


def test_proofs_and_refutations_are_counted_by_kind():
    claims = [
        {"verdict": "proved", "certificate": {"kind": "proof"}},
        {"verdict": "proved", "certificate": None}, {"verdict": "refuted", "evidence": "exact"},
        {"verdict": "refuted", "evidence": "exact"}, {"verdict": "refuted", "evidence": "trend"},
        {"verdict": "supported"}, {"verdict": "undecided"}, {"verdict": "malformed"},
    ]  # fmt: skip
    assert evidence_counts(claims) == [
        ("certified proof", 1), ("proof by two solvers", 1), ("exact refutation", 2),
        ("trend refutation", 1), ("malformed, demonstrated", 1),
    ]  # fmt: skip


def test_mutants_are_counted_by_kind_and_comparison():
    rows = [
        {"mutant": "direction reversed", "caught": True, "part": 0},
        {"mutant": "direction reversed", "caught": False, "part": 1},
        {"mutant": "hypothesis x > 0 removed", "caught": True},
        {"mutant": "hypothesis y > 0 removed", "caught": False},
    ]
    assert mutant_counts(rows) == [
        ("direction reversed", 1, 1), ("direction reversed, comparison 2", 0, 1),
        ("hypothesis removed", 1, 2),
    ]  # fmt: skip


def test_comparisons_that_are_true_by_definition_are_listed_with_their_claims():
    claims = [
        {"key": "a/b:c", "checks": [{"numbers": {"same": ["x <= x"]}}, {"numbers": None}]},
        {"key": "a/b:d", "checks": [{"numbers": {"same": []}}]}, {"key": "a/b:e"},
    ]  # fmt: skip
    assert bookkeeping(claims) == [("a/b:c", ["x <= x"])]
    told = _evidence({"claims": [{**claims[0], "verdict": "proved"}]})
    assert "true by definition" in told and "`x <= x`" in told
