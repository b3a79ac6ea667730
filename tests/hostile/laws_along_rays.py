"""Laws that would refute a statement up to a constant, along rays that a reader would try."""

from collections.abc import Iterator

from flint import fmpq, fmpq_mat

from boundcheck.checker.growing import law
from boundcheck.checker.ray import Ray
from boundcheck.checks.base import Task, budget_named
from boundcheck.search.beginnings import simple_worlds
from boundcheck.worlds.domains import is_number

POWERS = (1, 2, -1)
WORLDS = 3


def rays(claim, world) -> Iterator[Ray]:
    """Each number, vector and matrix of a world alone, then all upward: to infinity or an end."""
    movable = [name for name in claim.fields if is_number(world[name])
               or isinstance(world[name], fmpq_mat) or _is_vector(world[name])]  # fmt: skip
    for name in movable:
        field = claim.fields[name]
        limits = {end for end in (getattr(field, "low", None), getattr(field, "high", None))
                  if is_number(end)} if is_number(world[name]) else set()  # fmt: skip
        for power in POWERS:
            yield Ray(world, {name: fmpq(power)}, {})
        for end in limits - {0}:
            yield Ray(world, {name: fmpq(-1)}, {name: fmpq(end)})
    yield Ray(world, dict.fromkeys(movable, fmpq(1)), {})


def _is_vector(value) -> bool:
    return isinstance(value, tuple) and all(map(is_number, value))


def laws_of(claim, worlds=()) -> Iterator[str]:
    """What is certified along any of them, from some worlds and simple ones of the claim."""
    simple = simple_worlds(Task("hostile/laws", claim, budget_named("quick")))
    for world in [*worlds, *simple[:WORLDS]]:
        for ray in rays(claim, world):
            found = law(claim, ray)
            if found:
                yield f"{found} along {dict(ray.powers)} from {world}"
