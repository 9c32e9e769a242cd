"""What sets the two cases of a pair apart: the datum, the leaf that decides on it, what follows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from sopforge.language.domain.expressions.expressions import collect_all_read_fields
from sopforge.language.domain.fields import STORED, Entity
from sopforge.language.domain.guards import list_guard_ids
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.references import iterate_below
from sopforge.language.logic.explaining import Storyteller
from sopforge.language.logic.tool_calls import Frame
from sopforge.language.logic.walking import Walk
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.pairs.deciding import Leaf, has_acted, list_deciding_leaves, observe

NO_RECORD, ON_FILE = "no record", "on file"
SAME, ANOTHER = "the same record as", "another record than"


@dataclass(frozen=True, slots=True)
class FiledChange:
    """A column of a record that an action has changed: what was on file, and what is."""

    table: str
    key: str
    column: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Apart:
    """A datum by what people call it, as the refused case has it and as its neighbour does."""

    label: str
    refused: str
    carried_out: str


@dataclass(frozen=True, slots=True)
class Contrast:
    """Why one case of a pair changes nothing and the other one does.

    ``node`` is in words what decides, and ``apart`` the datum, with all that shows it. ``refused``
    and ``carried_out`` say how the leaf decides in each, with the values that it compares; they are
    empty where the leaf is not known.
    """

    leaf: str
    node: str
    apart: tuple[Apart, ...]
    refused: str = ""
    carried_out: str = ""


def list_filed_changes(model: DomainModel, row: Frame, walk: Walk) -> tuple[FiledChange, ...]:
    """Return what a case has changed on file, each record once."""
    found: dict[tuple[str, str, str], FiledChange] = {}
    for name in walk.changed:
        item, owner = model.fields[name], model.find_owner(name)
        if owner is not None and owner.table:
            place = (owner.table, str(row[owner.key]), item.column)
            before, after = (item.format_cell(part[name]) for part in (row, walk.changed))
            found[place] = FiledChange(*place, before, after)
    return tuple(found[place] for place in sorted(found))


def compare_pair(model: DomainModel, leaf: str, one: Frame, other: Frame) -> Contrast:
    """Return what sets two cases of a pair apart; ``leaf`` names what refuses one of them."""
    walks = [label_row(model, row) for row in (one, other)]
    if has_acted(model, walks[0]):
        one, other, walks = other, one, walks[::-1]
    found = Contrast(leaf, phrase_node(model, leaf), tuple(_iterate_apart(model, one, other)))
    deciding = find_leaf(model, one, walks[0], leaf)
    if deciding is None:
        return found
    words = [
        phrase_leaf(model, deciding, observe(model, row, walk))
        for row, walk in zip((one, other), walks, strict=True)
    ]
    return replace(found, refused=words[0], carried_out=words[1])


def explain_contrast(model: DomainModel, leaf: str, one: Frame, other: Frame) -> Iterator[str]:
    """Yield why the other case of a pair goes the other direction, from the one's side."""
    found = compare_pair(model, leaf, one, other)
    is_refused = not has_acted(model, label_row(model, one))
    here, there = ("refused", "carried out") if is_refused else ("carried out", "refused")
    yield f"  decided by: {found.node}"
    for item in found.apart:
        cells = (item.refused, item.carried_out)
        own, beside = cells if is_refused else cells[::-1]
        yield f"  {item.label}: here {own}, there {beside}"
    reasons = (found.refused, found.carried_out)
    own, beside = reasons if is_refused else reasons[::-1]
    if own and beside:
        yield f"  {here} here: {own}"
        yield f"  {there} there: {beside}"


def phrase_node(model: DomainModel, leaf: str) -> str:
    """Return in words what the leaf is of: a rule, an edge, or a check of a tool."""
    owner, _, rest = leaf.partition(", part ")[0].partition(".")
    if owner in model.decisions:
        return f"rule {rest} of the {model.fields[owner].label}"
    if owner in model.steps:
        return f"edge {rest} of the step '{model.steps[owner].title}'"
    tools = [tool for tool in model.tools.values() if tool.offered_name == owner]
    ids = {name for tool in tools if tool.guard for name in list_guard_ids(tool.guard)}
    return f"check {rest} of {owner}" if rest in ids else f"what {owner} checks by itself"


def find_leaf(model: DomainModel, row: Frame, walk: Walk, name: str) -> Leaf | None:
    """Return the leaf of a name, of those that decided on a refused case."""
    found = list_deciding_leaves(model, row, walk)
    return next((item for item in found if item.id == name), None)


def phrase_leaf(model: DomainModel, leaf: Leaf, seen: Frame) -> str:
    """Return how a leaf decides on what is seen, with the values that it compares."""
    read = collect_all_read_fields([leaf.test])
    records = [item for item in model.references if item.name in read]
    if records:
        there = all(seen[item.name] is not None for item in records)
        names = " and ".join(f"the {model.fields[item.key].label}" for item in records)
        return f"there is {'a' if there else 'no'} record of {names}"
    return Storyteller(model).explain_condition(leaf.test, seen)


def _iterate_apart(model: DomainModel, one: Frame, other: Frame) -> Iterator[Apart]:
    """Yield what differs; keys do as well, for each task has records of its own."""
    lacking = [item for item in model.references if _is_apart(one, other, item.name)]
    hidden = {name for entity in lacking for name in iterate_below(model.references, entity)}
    for entity in lacking:
        # What is beyond a record that is not there is not there either.
        if entity.key not in hidden:
            yield _set_record_apart(model, entity, one, other)
    turned = list(_iterate_turned(model, one, other))
    for first, second in turned:
        label = model.fields[first.key].label
        words = [
            f"{SAME if _is_same(r, first, second) else ANOTHER} the {label}" for r in (one, other)
        ]
        yield Apart(model.fields[second.key].label, words[0], words[1])
    # What another record holds follows from the reference, which is the datum.
    hidden |= {
        name
        for pair in turned
        for entity in pair
        for name in iterate_below(model.references, entity)
    }
    keys = {entity.key for entity in model.entities.values()}
    for item in model.with_role(*STORED):
        cells = [item.format_cell(row.get(item.name)) for row in (one, other)]
        is_own = item.name in keys | hidden or item.sampling.unique
        if cells[0] != cells[1] and not is_own:
            yield Apart(item.label, cells[0], cells[1])


def _is_apart(one: Frame, other: Frame, entity: str) -> bool:
    return (one[entity] is None) != (other[entity] is None)


def _set_record_apart(model: DomainModel, entity: Entity, one: Frame, other: Frame) -> Apart:
    cells = [
        f"{row[entity.key]} ({NO_RECORD if row[entity.name] is None else ON_FILE})"
        for row in (one, other)
    ]
    return Apart(model.fields[entity.key].label, cells[0], cells[1])


def _iterate_turned(
    model: DomainModel, one: Frame, other: Frame
) -> Iterator[tuple[Entity, Entity]]:
    """Yield the references that lead to one record in one case and to two in the other."""
    rows = (one, other)
    placed = [
        item for item in model.references if item.table and all(row[item.name] for row in rows)
    ]
    for first, second in combinations(placed, 2):
        same = [_is_same(row, first, second) for row in rows]
        if first.table == second.table and same[0] != same[1]:
            yield first, second


def _is_same(row: Frame, one: Entity, other: Entity) -> bool:
    return row[one.key] is not None and row[one.key] == row[other.key]
