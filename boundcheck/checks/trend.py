"""Placeholder."""
from boundcheck.checks.base import Task
from boundcheck.verdict import Evidence

NAME = "trend"


def run(task: Task) -> Evidence:
    return Evidence(NAME, None, "does not apply")
