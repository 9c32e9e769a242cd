"""Model level: a rule on a window of a list, which counts or measures its latest entries alone.

The list is one of the domain, with the day of each entry, or one that a look-up comes to return
beside what it returned before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from sopforge.artifacts.complexity.added_fields import is_free
from sopforge.artifacts.complexity.deepening.drawn_cases import DrawnCases, draw_cases
from sopforge.artifacts.complexity.deepening.model_places import (
    find_sole_step,
    format_label,
    get_rules,
    patch_decide,
    select_label_tables,
)
from sopforge.artifacts.complexity.deepening.windows import (
    ENDINGS,
    GAP,
    KINDS,
    RECENT,
    RUN,
    Sequence,
    build_window,
)
from sopforge.artifacts.complexity.model_patches import Parts, merge_patch
from sopforge.artifacts.complexity.trade.pools.histories import HISTORIES, History
from sopforge.language.domain.expressions.expressions import (
    Aggregate,
    AggregateFunction,
    AllOf,
    Expression,
    collect_read_fields,
)
from sopforge.language.domain.fields import Field, Role
from sopforge.language.domain.model import DomainModel, Tool, ToolKind
from sopforge.language.domain.rules import Formula, HitPolicy, Table
from sopforge.language.domain.values.types import DateType, EnumType, ListType
from sopforge.language.logic.variants.slots import with_decision
from sopforge.seeds import draw_below, permute_items

_OLDEST = 180
_SIZE = 6
_PROPOSED_FOR_A_TABLE = 8


@dataclass(frozen=True, slots=True)
class _Asked:
    """A list, the kind of window on it, what counts there, and what the rule gives."""

    listed: Sequence
    kind: str
    label: str
    limit: int
    then: str


class MoreWindows:
    """Adds a rule on the latest entries of a list: how many, how long a run, how far apart."""

    name = "more_windows"
    misreading = "takes-the-whole-list-for-the-window"

    def propose_patches(self, parts: Parts, model: DomainModel, seed: int) -> Iterator[Parts]:
        tables = select_label_tables(model, HitPolicy.FIRST)
        if not tables:
            return
        cases = draw_cases(model, seed)
        proposals = [
            _patch(parts, model, table, asked)
            for table in tables
            for asked in islice(_iterate_asked(cases, table, seed), _PROPOSED_FOR_A_TABLE)
        ]
        yield from permute_items(proposals, seed, self.name, len(model.fields))

    def misread(self, model: DomainModel) -> DomainModel:
        """Return the model in which a window takes in the whole list."""
        for name in [key for key, item in model.fields.items() if isinstance(item.type, ListType)]:
            for ending in (RECENT, RUN):
                model = _change_value(model, f"{name}_{ending}", _without_limit)
            if f"{name}_{GAP}" in model.decisions:
                model = _change_value(model, f"{name}_second", _to_furthest)
        return model


def _change_value(
    model: DomainModel, name: str, change: Callable[[Aggregate], Expression]
) -> DomainModel:
    decision = model.decisions.get(name)
    if not isinstance(decision, Formula) or not isinstance(decision.value, Aggregate):
        return model
    return with_decision(model, replace(decision, value=change(decision.value)))


def _without_limit(value: Aggregate) -> Expression:
    """Return a count without the condition that limits it to the latest entries."""
    parts = value.where.operands if isinstance(value.where, AllOf) else ()
    limits = {f"{value.list}_{ending}" for ending in ENDINGS}
    kept = [part for part in parts if not collect_read_fields(part) & limits]
    return replace(value, where=kept[0]) if len(kept) == 1 else value


def _to_furthest(value: Aggregate) -> Expression:
    """Return the age of the first entry of all in the place of that before the latest."""
    return replace(value, function=AggregateFunction.MAXIMUM, where=None)


def _iterate_asked(cases: DrawnCases, table: Table, seed: int) -> Iterator[_Asked]:
    """Return windows on lists that are known where a table is decided."""
    key = (MoreWindows.name, table.target, len(cases.model.fields))
    step = find_sole_step(cases.model, table.target)
    sequences = _list_sequences(cases, step.id, seed) if step else []
    labels = list(dict.fromkeys(format_label(rule.then) for rule in table.rules))
    for number in range(_PROPOSED_FOR_A_TABLE if sequences and len(labels) > 1 else 0):
        listed = sequences[number % len(sequences)]
        kind = KINDS[draw_below(len(KINDS), seed, *key, "kind", number)]
        limit = 1 + draw_below(2, seed, *key, "limit", number)
        yield _Asked(
            listed,
            kind,
            listed.labels[draw_below(len(listed.labels), seed, *key, "counted", number)],
            listed.oldest // 6 * limit if kind == GAP else limit,
            permute_items(labels, seed, *key, "label", number)[0],
        )


def _list_sequences(cases: DrawnCases, step: str, seed: int) -> list[Sequence]:
    """Return the lists of the domain that are known at a step, then one that can be given to it."""
    model = cases.model
    own = [item for item in _iterate_own(cases, step) if _is_fresh(model, item.name)]
    free = [item for item in HISTORIES if is_free(model, item.name) and _is_fresh(model, item.name)]
    lookups = [
        tool
        for tool in (model.tools[name] for name in cases.list_known_tools(step))
        if _is_extensible(model, tool)
    ]
    if not free or not lookups:
        return own
    history = free[draw_below(len(free), seed, MoreWindows.name, "history", len(free))]
    return [*own, _give_list(model, history, lookups[-1])]


def _is_fresh(model: DomainModel, name: str) -> bool:
    """Return whether a list has no window yet."""
    return all(is_free(model, f"{name}_{ending}") for ending in ENDINGS)


def _is_extensible(model: DomainModel, tool: Tool) -> bool:
    """Return whether a tool can return something more of the case's own record."""
    is_plain = tool.kind is ToolKind.LOOKUP and not tool.operation
    return is_plain and model.list_entities_read(tool) == (model.case,)


def _iterate_own(cases: DrawnCases, step: str) -> Iterator[Sequence]:
    """Return the lists of the domain whose entries have a day and a label, by a day stated."""
    known = cases.list_known_fields(step)
    days = [item for item in known if item.role is Role.INPUT and isinstance(item.type, DateType)]
    for item in known if days else ():
        if isinstance(item.type, ListType) and not item.path:
            yield from _measure_list(item, item.type, days[0])


def _measure_list(item: Field, kind: ListType, today: Field) -> Iterator[Sequence]:
    """Return a list with the ages of its entries on a day, if they have a day and a label."""
    dated = [(name, part) for name, part in kind.fields if isinstance(part, DateType)]
    labelled = [(name, part.values) for name, part in kind.fields if isinstance(part, EnumType)]
    if not dated or not labelled or not isinstance(today.type, DateType):
        return
    (day, days), (part, labels) = dated[0], labelled[0]
    youngest, oldest = today.type.minimum - days.maximum, today.type.maximum - days.minimum
    age = f"days_between(e.{day}, {today.name})"
    yield Sequence(item.name, item.label, age, part, labels, youngest, oldest, kind.size, {})


def _give_list(model: DomainModel, history: History, tool: Tool) -> Sequence:
    """Return a list that a look-up returns besides, with the patch that makes it do so."""
    entry = {
        "age": {
            "type": "integer",
            "min": 1,
            "max": _OLDEST,
            "unit": "days",
            "description": f"days since the {history.entry}",
        },
        history.part: {
            "type": "enum",
            "values": list(history.labels),
            "weights": list(history.weights),
            "description": f"{history.part} of the {history.entry}",
        },
    }
    field = {
        "role": "observed",
        "type": "list",
        "size": _SIZE,
        "empty": "nothing on file",
        "shape": [1, 2, 3, 4, 5, 5, 5],
        "description": f"what is on file of each {history.entry}",
        "items": entry,
    }
    patch = {
        "entities": {model.case.name: {"fields": {history.name: field}}},
        "tools": {tool.name: {"returns": [*tool.returns, history.name]}},
    }
    label, part = history.name.replace("_", " "), history.part
    return Sequence(history.name, label, "e.age", part, history.labels, 1, _OLDEST, _SIZE, patch)


def _patch(parts: Parts, model: DomainModel, table: Table, asked: _Asked) -> Parts:
    """Return the patch by which a rule on a window comes before all others of a table."""
    listed = asked.listed
    window = build_window(listed, asked.kind, asked.label, asked.limit)
    rule = {"id": f"{listed.name}_{asked.kind}", "when": window.when, "then": asked.then}
    changed = {
        "entities": {model.case.name: {"fields": window.fields}},
        "decisions": {
            **{name: {"value": value} for name, value in window.values.items()},
            table.target: {"rules": [rule, *get_rules(parts, table)]},
        },
    }
    decided = patch_decide(parts, model, table.target, window.values)
    return merge_patch(merge_patch(listed.patch, changed), decided)


OPERATOR = MoreWindows()
