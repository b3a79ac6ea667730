"""Every exception of the package. Each message is one line: the value, the rule, the remedy."""


class BoundcheckError(Exception):
    """Base of all errors that end in exit code 2; the message is one line."""


class InvalidArgument(BoundcheckError, ValueError):
    """A value outside the range its documentation states."""


class UnknownSymbol(InvalidArgument):
    """A symbol that a claim does not know; `name` is the symbol."""

    def __init__(self, message: str, name: str) -> None:
        super().__init__(message)
        self.name = name


class UnknownKey(BoundcheckError, LookupError):
    """A key or selector that matches no claim."""


class MalformedStatement(BoundcheckError):
    """A statement file that cannot be imported or breaks the rules for claims."""


class Broken(BoundcheckError):
    """A quantity or other definition of a statement that is defective, with where and why.

    Args: message: one line. exception: class name of what was raised, or what is wrong in one
    word; file, line: of the definition; world: values as text in which it happened.
    """

    def __init__(
        self, message: str, *, exception: str, file: str = "", line: int = 0,
        world: dict[str, str] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(message)
        self.exception, self.file, self.line = exception, file, line
        self.world = world or {}


# What no check may take for an answer about a statement: each says that it could not look.
FAULTS = (Broken, ImportError, OSError, MemoryError)


class DataError(BoundcheckError, ValueError):
    """User data that cannot be used: not numeric, not finite, a missing column."""


class OutputError(BoundcheckError, OSError):
    """A result that cannot be written where it was asked for."""


class WitnessError(BoundcheckError):
    """A witness file that is damaged or that does not confirm its violation."""


class UnreadableWitness(WitnessError):
    """A file that is no witness at all: wrong use, where any other WitnessError is a finding."""


class Lost(BoundcheckError):
    """Work whose process passed its limits, aborted or was killed; the message says where."""


class MissingExtra(BoundcheckError, ImportError):
    """An optional dependency that is not installed; the message names the command."""


class Undefined(ArithmeticError):
    """An expression without a value at this point: log of a negative number, division by zero.

    Not a usage error: it is what makes a statement MALFORMED, or a world inadmissible.
    """


class NegativeRoot(Undefined):
    """A root, or another power that is no whole one, of a negative number."""


class ShapeMismatch(Undefined):
    """Matrices whose printed product, sum or comparison does not exist."""


class Undecided(ArithmeticError):
    """Ball arithmetic cannot settle a comparison at the highest precision."""


class ClusterError(BoundcheckError):
    """A cluster that cannot be used, or is gone."""
