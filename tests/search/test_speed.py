"""The table of speeds: every claim of it is looked at in batches."""

from boundcheck.search.speed import rows


def test_every_claim_is_looked_at_in_batches():
    lines = list(rows(600, 20))
    rates = [float(line.split("|")[2].replace(",", "")) for line in lines[2:]]
    assert len(rates) == 5 and all(rate > 0 for rate in rates)
