"""The profile of a dataset: how its values, answers and paths are spread."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeAlias

from sopforge.language.domain.balance import Balance, build_balance_report, read_balance
from sopforge.language.domain.expressions.numbers import divide_rounded
from sopforge.language.domain.fields import GIVEN, Field, Role
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.malformed_inputs import name_malformed_mark
from sopforge.language.domain.values.types import (
    BOOLEAN_WORDS,
    BooleanType,
    EnumType,
    ListType,
    NumberType,
    SetType,
    TextType,
    Value,
    list_items,
    list_set_members,
    require_integer,
)
from sopforge.language.logic.walking import Walk

PROFILED = (*GIVEN, Role.OBSERVED, Role.DERIVED, Role.OUTCOME)
MOST_BINS = 10
Case: TypeAlias = tuple[Mapping[str, Value | None], Walk]


@dataclass(frozen=True, slots=True)
class Bin:
    """How many values lie between two, both included."""

    low: str
    high: str
    tasks: int


@dataclass(frozen=True, slots=True)
class Spread:
    """How numbers or moments lie: every quartile is a value that occurs."""

    least: str
    quartiles: tuple[str, str, str]
    greatest: str
    bins: tuple[Bin, ...]


@dataclass(frozen=True, slots=True)
class FieldProfile:
    """The values of a field: a spread, or how often each label occurs, or how many texts differ.

    Where members are counted, a task counts for each of them. For an input that may be malformed
    it says how many tasks state it so; its values are those that were meant.
    """

    name: str
    label: str
    role: str
    unit: str
    present: int
    missing: int
    missing_share: str
    spread: Spread | None = None
    labels: Mapping[str, int] | None = None
    distinct: int | None = None
    malformed: int | None = None


@dataclass(frozen=True, slots=True)
class PathProfile:
    """How many tasks take a path."""

    path: tuple[str, ...]
    tasks: int

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps of the path, without the edges between them."""
        return tuple(node for node in self.path if "." not in node)


@dataclass(frozen=True, slots=True)
class Profile:
    """The fields in declared order, outcomes among them, and the paths, most taken first.

    ``filling`` has the answers and paths of the tasks that fill up, which are those that are mixed
    as the brief asks. ``balance`` says what tasks are there for and how often each answer is right.
    """

    tasks: int
    fields: tuple[FieldProfile, ...]
    paths: tuple[PathProfile, ...]
    filling: Profile | None = None
    balance: Balance | None = None

    @property
    def outcomes(self) -> tuple[FieldProfile, ...]:
        """The profiles of the outcomes."""
        return tuple(item for item in self.fields if item.role == Role.OUTCOME)

    @property
    def others(self) -> tuple[FieldProfile, ...]:
        """The profiles of all other fields."""
        return tuple(item for item in self.fields if item.role != Role.OUTCOME)


def build_profile(
    model: DomainModel, cases: Iterable[Case], roles: Sequence[Role] = PROFILED
) -> Profile:
    """Return the profile of labelled rows, with the fields of some roles.

    What a case never comes to work out is missing there; what none works out is left out.
    """
    given = list(cases)
    # The row prevails: it holds what was meant, where the walk knows a malformed input as stated.
    frames = [{**walk.known, **row} for row, walk in given]
    shown = [
        item
        for item in model.with_role(*roles)
        if item.role is not Role.DERIVED or any(item.name in walk.known for _, walk in given)
    ]
    fields = tuple(
        replace(
            _build_field_profile(item, [frame.get(item.name) for frame in frames]),
            malformed=_count_malformed(item, frames),
        )
        for item in shown
    )
    taken = Counter(tuple(walk.path) for _, walk in given)
    paths = sorted(taken, key=lambda path: (-taken[path], path))
    return Profile(len(given), fields, tuple(PathProfile(path, taken[path]) for path in paths))


def find_path_differences(paths: Sequence[PathProfile]) -> dict[tuple[str, ...], str]:
    """Return by path the edges that distinguish it from others through the same steps; often none.

    >>> some = [PathProfile(("a", f"a.{edge}", "b", "b.1", "c"), 1) for edge in (1, 2)]
    >>> list(find_path_differences(some).values())
    ['a.1', 'a.2']
    """
    alike: defaultdict[tuple[str, ...], list[tuple[str, ...]]] = defaultdict(list)
    for item in paths:
        alike[item.steps].append(item.path)
    found = {}
    for item in paths:
        shared = set.intersection(*map(set, alike[item.steps]))
        edges = dict.fromkeys(node for node in item.path if node not in shared)
        found[item.path] = ", ".join(edges)
    return found


def with_filling(profile: Profile, model: DomainModel, cases: Iterable[Case]) -> Profile:
    """Return a profile with the answers and paths of the rows that fill up."""
    return replace(profile, filling=build_profile(model, cases, (Role.OUTCOME,)))


def _count_malformed(item: Field, frames: Sequence[Mapping[str, Value | None]]) -> int | None:
    """Return how many cases state a field malformed, None where none may."""
    if item.malformed is None:
        return None
    return sum(frame.get(name_malformed_mark(item.name)) is not None for frame in frames)


def write_profile(profile: Profile) -> str:
    """Return a profile as the dataset stage stores it."""
    return json.dumps(_build_report(profile), indent=1, ensure_ascii=False) + "\n"


def _build_report(profile: Profile) -> dict[str, object]:
    fields = [
        {name: value for name, value in asdict(item).items() if value is not None}
        for item in profile.fields
    ]
    paths = [*map(asdict, profile.paths)]
    return {
        "tasks": profile.tasks,
        **({"balance": build_balance_report(profile.balance)} if profile.balance else {}),
        "fields": fields,
        "paths": paths,
        **({"filling": _build_report(profile.filling)} if profile.filling else {}),
    }


def read_profile(text: str) -> Profile:
    """Return the profile that ``write_profile`` wrote."""
    return _parse_profile(json.loads(text))


def _parse_profile(report: Any) -> Profile:  # noqa: ANN401 - parsed JSON
    fields = tuple(
        FieldProfile(**{**entry, "spread": _parse_spread(entry.get("spread"))})
        for entry in report["fields"]
    )
    paths = tuple(PathProfile(tuple(entry["path"]), entry["tasks"]) for entry in report["paths"])
    filling = _parse_profile(report["filling"]) if "filling" in report else None
    balance = read_balance(report["balance"]) if "balance" in report else None
    return Profile(report["tasks"], fields, paths, filling, balance)


def _parse_spread(entry: Any) -> Spread | None:  # noqa: ANN401 - parsed JSON
    if entry is None:
        return None
    bins = tuple(Bin(**part) for part in entry["bins"])
    return Spread(entry["least"], tuple(entry["quartiles"]), entry["greatest"], bins)


def _build_field_profile(item: Field, values: Sequence[Value | None]) -> FieldProfile:
    there = [value for value in values if value is not None]
    missing = len(values) - len(there)
    thousandths = divide_rounded(1000 * missing, max(1, len(values)))
    kind = item.type
    unit = "items" if isinstance(kind, ListType) else getattr(kind, "unit", "")
    spread, labels, distinct = None, None, None
    match kind:
        case EnumType() | BooleanType() | SetType() | TextType(pool=(_, *_)):
            labels = _count_labels(item, there)
        case TextType():
            distinct = len(set(map(str, there)))
        case ListType():
            spread = compute_spread([len(list_items(value)) for value in there], str)
        case _:
            spread = compute_spread(list(map(require_integer, there)), item.format_cell)
    share = NumberType(0, 1000, places=3).to_cell(thousandths)
    return FieldProfile(
        item.name,
        item.label,
        item.role.value,
        unit,
        len(there),
        missing,
        share,
        spread,
        labels,
        distinct,
    )


def compute_spread(values: Sequence[int], cell: Callable[[int], str]) -> Spread | None:
    """Return how integers lie, written by ``cell``; None for none.

    A quartile is the least value that so many quarters of the values do not pass.
    """
    if not values:
        return None
    ordered = sorted(values)
    low, middle, high = (cell(ordered[-(-part * len(ordered) // 4) - 1]) for part in (1, 2, 3))
    bins = tuple(_compute_bins(ordered, cell))
    return Spread(cell(ordered[0]), (low, middle, high), cell(ordered[-1]), bins)


def _compute_bins(ordered: Sequence[int], cell: Callable[[int], str]) -> Iterable[Bin]:
    """Return up to ten ranges of equal width, the last one cut off at the greatest value."""
    least, greatest = ordered[0], ordered[-1]
    width = -(-(greatest - least + 1) // MOST_BINS)
    counts = Counter((value - least) // width for value in ordered)
    for number in range((greatest - least) // width + 1):
        low = least + number * width
        yield Bin(cell(low), cell(min(low + width - 1, greatest)), counts[number])


def _count_labels(item: Field, values: Sequence[Value]) -> dict[str, int]:
    kind = item.type
    match kind:
        case SetType(labels, empty):
            found = [name for value in values for name in list_set_members(kind, value) or [empty]]
            listed = (*labels, empty)
        case TextType(pool=listed) | EnumType(listed):
            found = [item.format_cell(value) for value in values]
        case _:
            listed = BOOLEAN_WORDS
            found = [item.format_cell(value) for value in values]
    counts = Counter(found)
    return {name: counts[name] for name in listed}
