"""All that changed between two states of a domain, and what it asks of the next release."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from functools import partial

from sopforge.errors import MaterialError
from sopforge.language.domain.model import DomainModel
from sopforge.pipeline.changes.cases import CaseChanges, CaseVerdict, compare_cases
from sopforge.pipeline.changes.clauses import find_clause, load_sop
from sopforge.pipeline.changes.interface import InterfaceChange, compare_interfaces
from sopforge.pipeline.changes.items import WORDS_ONLY, ItemChange, compare_items
from sopforge.pipeline.changes.known_rows import Row
from sopforge.pipeline.changes.schemas import Impact
from sopforge.pipeline.changes.sides import Sides
from sopforge.pipeline.changes.tasks import TaskChanges, compare_tasks
from sopforge.pipeline.changes.texts import Mark, TextChange, compare_texts
from sopforge.pipeline.stages.complexity import collect_variants
from sopforge.proof.dataset.sampling.rows import read_rows
from sopforge.workspace import DOMAIN, ROWS, Workspace


class Bump(StrEnum):
    """Which part of a version has to go up."""

    NONE = "none"
    PATCH = "patch"
    MINOR = "minor"
    MAJOR = "major"


FIRST_VERSION = "1.0.0"
"""Of the first release, whatever changed before it."""


def compute_next_version(last: str, bump: Bump) -> str:
    """Return the version that follows a release's.

    >>> [compute_next_version("1.2.3", bump) for bump in (Bump.PATCH, Bump.MINOR, Bump.MAJOR)]
    ['1.2.4', '1.3.0', '2.0.0']
    """
    major, minor, patch = map(int, last.split("."))
    match bump:
        case Bump.MAJOR:
            return f"{major + 1}.0.0"
        case Bump.MINOR:
            return f"{major}.{minor + 1}.0"
        case Bump.PATCH | Bump.NONE:
            return f"{major}.{minor}.{patch + 1}"


@dataclass(frozen=True, slots=True)
class LevelChange:
    """A complexity level that only one side has."""

    level: str
    mark: Mark


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed, by consequence.

    ``cases`` is None where no side or one side alone has a model, or both have the same.
    ``files`` are all that differ, and ``notes`` say what could not be looked at, and why.
    """

    files: tuple[str, ...]
    texts: tuple[TextChange, ...]
    items: tuple[ItemChange, ...]
    cases: CaseChanges | None
    tasks: TaskChanges
    interface: tuple[InterfaceChange, ...]
    levels: tuple[LevelChange, ...]
    notes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.files)

    @property
    def bump(self) -> Bump:
        """What the next release has to be.

        Major where the case of an old task has another answer, whether it is a task still or
        not, a caller breaks or a level is gone; minor where tasks, tools, levels or rules differ
        otherwise; patch where only words or files do.
        """
        if any(self._iterate_major_conditions()):
            return Bump.MAJOR
        if any(self._iterate_minor_conditions()):
            return Bump.MINOR
        return Bump.PATCH if self.files else Bump.NONE

    def _iterate_major_conditions(self) -> Iterator[bool]:
        yield bool(self.tasks.with_other_answers)
        yield self.cases is not None and self.cases.turns_tasks
        yield any(item.impact is Impact.BREAKING for item in self.interface)
        yield any(item.mark is Mark.REMOVED for item in self.levels)

    def _iterate_minor_conditions(self) -> Iterator[bool]:
        tasks = self.tasks
        yield bool(tasks.added or tasks.removed or tasks.with_other_inputs)
        yield bool(tasks.with_other_calls) or any(task.split for task in tasks.changed)
        yield any(item.impact is Impact.COMPATIBLE for item in self.interface)
        yield bool(self.levels)
        yield self.cases is not None and self.cases.verdict is not CaseVerdict.ALIKE
        yield any(item.kind == "tool" and item.mark is not Mark.REWORDED for item in self.items)

    @property
    def decisive_items(self) -> tuple[ItemChange, ...]:
        """The parts of the model in which more than words differ."""
        return tuple(
            item
            for item in self.items
            if item.mark is not Mark.REWORDED
            or any(aspect.name not in WORDS_ONLY for aspect in item.aspects)
        )

    def as_record(self) -> dict[str, object]:
        """Return the changes as plain JSON values."""
        return {**asdict(self), "bump": self.bump}


def compare_sides(sides: Sides) -> Changes:
    """Return what changed from one side to the other."""
    return compare_workspaces(sides.old, sides.new, has_own_sop=sides.has_own_sop)


def compare_workspaces(
    old: Workspace, new: Workspace, *, has_own_sop: tuple[bool, bool] = (True, True)
) -> Changes:
    """Return what changed from one state of a domain to another; a side may lack stages.

    ``has_own_sop`` says of each side whether its SOP, where it has one, was made from its model.
    """
    files = tuple(
        name for name in {**new.files, **old.files} if old.files.get(name) != new.files.get(name)
    )
    notes: list[str] = []
    models = [_load_model(side, name, notes) for side, name in ((old, "old"), (new, "new"))]
    items: tuple[ItemChange, ...] = ()
    cases = None
    if models[0] is not None and models[1] is not None and DOMAIN in files:
        items = compare_items(models[0], models[1])
        seed = new.brief.parts.dataset.seed
        cases = compare_cases(models[0], models[1], seed, _read_task_rows(old, models[0]))
        if cases.examples:
            is_made = zip((old, new), has_own_sop, strict=True)
            sops = [load_sop(side, is_made=is_own) for side, is_own in is_made]
            cases = cases.with_clauses(*(partial(find_clause, sop) for sop in sops))
    return Changes(
        files=files,
        texts=compare_texts(
            {name: old.files[name] for name in files if name in old.files},
            {name: new.files[name] for name in files if name in new.files},
        ),
        items=items,
        cases=cases,
        tasks=compare_tasks(old.files, new.files),
        interface=_compare_level_interfaces(old, new, models[0]),
        levels=tuple(_compare_levels(old, new)),
        notes=tuple(notes),
    )


def _load_model(side: Workspace, name: str, notes: list[str]) -> DomainModel | None:
    """Return a side's model; one that is not sound is noted."""
    if DOMAIN not in side.files:
        return None
    try:
        return side.model
    except MaterialError as refused:
        notes.append(f"the {name} model has faults, and is compared as a text: {refused.faults[0]}")
        return None


def _read_task_rows(side: Workspace, model: DomainModel) -> list[Row]:
    text = side.files.get(ROWS)
    return [] if text is None else [item.row for item in read_rows(model, text)]


def _compare_level_interfaces(
    old: Workspace, new: Workspace, model: DomainModel | None
) -> tuple[InterfaceChange, ...]:
    """Return the changes of all levels; those that are not the plain level's with the level."""
    needed = model.called if model else None
    plain = compare_interfaces(old.files, new.files, needed)
    # The levels share the plain level's tools, and their changes would be listed once for each.
    found = dict.fromkeys(plain)
    before, after = collect_variants(old), collect_variants(new)
    for level in [level for level in after if level in before]:
        for item in compare_interfaces(before[level].files, after[level].files, needed):
            if item not in plain:
                found[replace(item, level=level)] = None
    return tuple(found)


def _compare_levels(old: Workspace, new: Workspace) -> Iterator[LevelChange]:
    before, after = collect_variants(old), collect_variants(new)
    # A side without the stage has no levels yet, which takes none away.
    if not before or not after:
        return
    for level in {**after, **before}:
        if (level in before) != (level in after):
            yield LevelChange(level, Mark.ADDED if level in after else Mark.REMOVED)
