"""Sampled and labelled rows a second, beside numpy's own generator and libraries of fake data.

numpy draws the same columns without keys: no value is known without those before it. The
libraries draw the same fields row by row, and unique values may repeat there.
"""

from __future__ import annotations

import re
import time
import tracemalloc
from collections import OrderedDict
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from benchmarks.readings import cpu
from sopforge.language.domain.documents.schema import DatasetDocument
from sopforge.language.domain.fields import STORED, Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.phrases import Phrase
from sopforge.language.domain.values.text_shapes import find_shape
from sopforge.language.domain.values.types import (
    AtomType,
    BooleanType,
    DateTimeType,
    DateType,
    EnumType,
    NumberType,
    SetType,
    TextType,
)
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.proof.dataset.coverage.drawing import draw_tasks
from sopforge.proof.dataset.sampling.bulk import label_columns
from sopforge.proof.dataset.sampling.sampling import sample_columns

BRIEF = Path("briefs/patient_intake.yaml")
SIZES = (1_000, 10_000, 100_000, 1_000_000)
MOST_ONE_BY_ONE = 10_000
TASKS = (200, 2_000, 20_000)
_DIGITS = re.compile(r"(.*)\[0-9\]\{(\d+)\}")
Column = npt.NDArray[Any]


def main() -> None:
    """Print the tables."""
    screen = Console()
    for table in tables():
        screen.print(table)


def tables() -> Iterator[Table]:
    """Return rows per CPU second by size, and the time of draws by the tasks asked for."""
    model = load_brief(BRIEF).model
    yield rows_a_second(model)
    yield draws(model)


def rows_a_second(model: DomainModel) -> Table:
    """Return rows per CPU second of each method to draw them, and what ours holds in memory."""
    libraries = {name: LIBRARIES[name] for name in LIBRARIES if find_spec(name)}
    skipped = [f"{name} is not installed, skipped" for name in LIBRARIES if name not in libraries]
    shown = Table(
        title=f"rows of {BRIEF.stem} per CPU second",
        caption="; ".join(skipped) or None,
        box=None,
        title_justify="left",
    )
    for column in ("rows", "sampled", "and labelled", "numpy", *libraries, "bytes a row, peak"):
        shown.add_column(column, justify="right")
    for size in SIZES:
        sampled = cpu(lambda: sample_columns(model, 0, range(size)))  # noqa: B023
        labelled = cpu(lambda: label_columns(model, sample_columns(model, 0, range(size))))  # noqa: B023
        rates = [size / sampled, size / labelled, size / cpu(lambda: by_numpy(model, size))]  # noqa: B023
        others = [one_by_one(model, make(), size) for make in libraries.values()]
        cells = [f"{rate:,.0f}" if rate else "-" for rate in (*rates, *others)]
        shown.add_row(f"{size:,}", *cells, f"{peak(model, size) / size:,.0f}")
    return shown


def draws(model: DomainModel) -> Table:
    """Return the CPU time of whole draws: goals, screening, walks of the chosen rows."""
    shown = Table(title="draws of tasks", box=None, title_justify="left")
    for column in ("tasks", "attempts", "CPU seconds"):
        shown.add_column(column, justify="right")
    for tasks in TASKS:
        asked = DatasetDocument(n_samples=tasks)
        started = time.process_time()
        attempts = draw_tasks(model, asked).attempts
        shown.add_row(f"{tasks:,}", f"{attempts:,}", f"{time.process_time() - started:.2f}")
    return shown


def peak(model: DomainModel, size: int) -> int:
    """Return the most bytes that are held while rows are sampled and labelled."""
    tracemalloc.start()
    columns = sample_columns(model, 0, range(size))
    label_columns(model, columns)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def by_numpy(model: DomainModel, size: int) -> list[Column]:
    """Return the same columns as a person would draw them from numpy's generator."""
    generator = np.random.default_rng(0)
    drawn = []
    for item in model.with_role(*STORED):
        if item.missing:
            drawn.append(generator.integers(0, 100, size) >= item.sampling.missing_share)
        drawn.append(_numpy_column(generator, item, size))
    return drawn


def _numpy_column(generator: np.random.Generator, item: Field, size: int) -> Column:
    match item.type:
        case NumberType() | DateType() | DateTimeType():
            return generator.integers(item.type.minimum, item.type.maximum + 1, size)
        case BooleanType():
            return generator.integers(0, 100, size) < item.sampling.yes_share
        case EnumType(values=values):
            weights = np.array(item.sampling.weights or (1,) * len(values))
            return generator.choice(len(values), size, p=weights / weights.sum())
        case SetType(values=values):
            chosen = generator.integers(0, 100, (size, len(values))) < item.sampling.member_share
            return np.asarray(chosen @ (1 << np.arange(len(values))))
        case TextType(pattern=pattern) as kind if not pattern:
            words = [np.array(part, dtype=object) for part in _words(kind)]
            picked = [part[generator.integers(0, len(part), size)] for part in words]
            return np.asarray(sum(picked[1:], picked[0]))
        case TextType(pattern=pattern):
            start, digits = _digits(pattern)
            limit, unique = 10**digits, item.sampling.unique
            numbers = generator.choice(limit, size, replace=not unique)
            return np.array([f"{start}{n:0{digits}}" for n in numbers.tolist()], object)
        case _:
            raise TypeError(f"the table has no column such as '{item.name}'")


def _digits(pattern: str) -> tuple[str, int]:
    found = _DIGITS.fullmatch(pattern)
    if found is None:
        raise ValueError(f"'{pattern}' is not a start followed by digits")
    return found[1], int(found[2])


class Library(Protocol):
    """What a library of fake data is asked for."""

    def integer(self, low: int, high: int) -> int:
        """Return an integer between two, both included."""

    def choice(self, weights: dict[str, int]) -> str:
        """Return one of some texts."""

    def numbered(self, start: str, digits: int) -> str:
        """Return a text followed by so many digits."""


class Mimesis:
    """Mimesis, asked value by value."""

    def __init__(self) -> None:
        self.numeric = import_module("mimesis").Numeric(seed=0)
        self.random = import_module("mimesis.random").Random(0)

    def integer(self, low: int, high: int) -> int:
        return int(self.numeric.integer_number(low, high))

    def choice(self, weights: dict[str, int]) -> str:
        return str(self.random.weighted_choice(weights))

    def numbered(self, start: str, digits: int) -> str:
        return start + str(self.random.generate_string_by_mask("#" * digits))


class Faker:
    """Faker, asked value by value."""

    def __init__(self) -> None:
        self.fake = import_module("faker").Faker()
        self.fake.seed_instance(0)

    def integer(self, low: int, high: int) -> int:
        return int(self.fake.random_int(low, high))

    def choice(self, weights: dict[str, int]) -> str:
        return str(self.fake.random_element(OrderedDict(weights)))

    def numbered(self, start: str, digits: int) -> str:
        return start + str(self.fake.numerify("#" * digits))


LIBRARIES: dict[str, Callable[[], Library]] = {"mimesis": Mimesis, "faker": Faker}


def one_by_one(model: DomainModel, library: Library, size: int) -> float:
    """Return the rows per CPU second of a library; 0 where it would take minutes."""
    if size > MOST_ONE_BY_ONE:
        return 0
    fields = [(item, item.type) for item in model.with_role(*STORED)]
    started = time.process_time()
    for _ in range(size):
        for item, kind in fields:
            if item.missing and library.integer(0, 99) < item.sampling.missing_share:
                continue
            if not isinstance(kind, AtomType):
                raise TypeError(f"the table has no value such as '{item.name}'")
            _value(library, item, kind)
    return size / (time.process_time() - started)


def _value(library: Library, item: Field, kind: AtomType) -> object:
    match kind:
        case NumberType() | DateType() | DateTimeType():
            return library.integer(kind.minimum, kind.maximum)
        case BooleanType():
            return library.integer(0, 99) < item.sampling.yes_share
        case EnumType(values=values):
            weights = item.sampling.weights or (1,) * len(values)
            return library.choice(dict(zip(values, weights, strict=True)))
        case SetType(values=values):
            share = item.sampling.member_share
            return [value for value in values if library.integer(0, 99) < share]
        case TextType(pattern=pattern):
            return library.numbered(*_digits(pattern)) if pattern else _spoken(library, kind)
        case _:
            raise TypeError(f"nothing draws values of {kind!r}")


def _spoken(library: Library, kind: TextType) -> str:
    return "".join(part[library.integer(0, len(part) - 1)] for part in _words(kind))


def _words(kind: TextType) -> tuple[tuple[str, ...], ...]:
    """Return the words of which a text without a pattern is put together, part by part."""
    shape = find_shape(kind)
    return shape.parts if isinstance(shape, Phrase) else (kind.pool,)


if __name__ == "__main__":
    main()
