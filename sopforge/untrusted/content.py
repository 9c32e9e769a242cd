"""What reading a stranger's file raises where it has another shape than a stage writes."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager

import yaml
from referencing.exceptions import Unresolvable

from sopforge.errors import Fault, PackageUnreadableError, SopForgeError

# RuntimeError takes in RecursionError, from nesting, and the limit of time. OSError is left out:
# it is about this machine, and not about what the package holds.
UNREADABLE: tuple[type[Exception], ...] = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    RuntimeError,
    StopIteration,
    TypeError,
    ValueError,
    csv.Error,
    Unresolvable,
    yaml.YAMLError,
)
"""What readers raise that trust the shape of what a stage writes: a package comes from anywhere."""


def describe(broken: Exception) -> str:
    """Return what was raised, in words."""
    return f"{type(broken).__name__}: {broken}".removesuffix(": ")


@contextmanager
def refuse_unreadable(what: str, where: str = "") -> Iterator[None]:
    """Raise ``PackageUnreadableError`` for whatever reading ``what`` raises."""
    try:
        yield
    except SopForgeError:
        raise
    except UNREADABLE as broken:
        message = f"{what} cannot be read: {describe(broken)}"
        fault = Fault("package-malformed", message, where, "get the package again from its makers")
        raise PackageUnreadableError(fault) from broken
