"""One file per way of testing a claim; each has `NAME` and `run(task) -> Evidence`."""
