"""What counts only where it stands alone, and whether an item looks at what may stand beside it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from sopforge.domain.fields import STORED, Field
from sopforge.domain.language.expressions import (
    Contains,
    Expression,
    Read,
    collect_all_read_fields,
    iterate_parts,
)
from sopforge.domain.model import DomainModel
from sopforge.domain.rules import HitPolicy, Table
from sopforge.domain.values.types import SetType
from sopforge.sources.account import Account, Passage
from sopforge.sources.agreement.doubts import Doubt, Kind
from sopforge.sources.agreement.label_mentions import find_labels
from sopforge.sources.prose.sole import Sole, iterate_sole
from sopforge.sources.prose.stems import has_shared_word, list_stems

_SEVERAL = 2


def find_sole_grounds(account: Account, model: DomainModel) -> Iterator[Doubt]:
    """Yield the passages by which something has to stand alone, where no item looks at the others.

    Of the labels of a set an item asks for one and neither counts nor excludes the others; or it
    reads fewer things than the passage counts.
    """
    conditions = _collect_conditions(model)
    for passage in account.cited_passages:
        names = [name for name in passage.items if name in conditions]
        for sole in iterate_sole(account.quote(passage)) if names else ():
            parts = {name: list(iterate_parts(*conditions[name])) for name in names}
            yield from _compare_sets(account, passage, sole, parts)
            read = {name: collect_all_read_fields(conditions[name]) for name in names}
            yield from _compare_counted(account, passage, sole, read)


def _collect_conditions(model: DomainModel) -> Mapping[str, Sequence[Expression]]:
    """Return the conditions of predicates, rules and edges by the names of their items.

    Those that are tried before belong to one: they may look at the others.
    """
    found: dict[str, Sequence[Expression]] = {
        f"predicates.{name}": tuple(item.uses.values()) for name, item in model.predicates.items()
    }
    for table in model.decisions.values():
        if isinstance(table, Table):
            tried = [rule.when for rule in table.rules if rule.when is not None]
            for place, rule in enumerate(rule for rule in table.rules if rule.when is not None):
                start = 0 if table.hit is HitPolicy.FIRST else place
                found[f"decisions.{table.name}.{rule.id}"] = tried[start : place + 1]
    for step in model.steps.values():
        edges = [(edge.id, edge.when) for edge in step.edges if edge.when is not None]
        for place, (name, _) in enumerate(edges):
            found[f"steps.{name}"] = [when for _, when in edges[: place + 1]]
    return found


def _compare_sets(
    account: Account, passage: Passage, sole: Sole, parts: Mapping[str, Sequence[Expression]]
) -> Iterator[Doubt]:
    """Yield a label of a set that an item asks for, and nothing of the set besides."""
    asked: dict[tuple[str, str], list[str]] = {}
    for name, nodes in parts.items():
        for field, kind in _list_sets(nodes):
            named = find_labels(sole.said, kind.values)
            if len(named) != 1:
                continue
            [label] = named
            if not _is_asked_alone(nodes, field, label):
                return
            asked.setdefault((field, label), []).append(name)
    for (field, label), names in asked.items():
        held = f"'{label}' may stand beside others of '{account.fields[field].label}'"
        yield Doubt(Kind.SOLE, account.quote(passage), tuple(names), sole.said, held)


def _list_sets(nodes: Sequence[Expression]) -> set[tuple[str, SetType]]:
    return {
        (node.field, node.type)
        for node in nodes
        if isinstance(node, Read) and isinstance(node.type, SetType)
    }


def _is_asked_alone(nodes: Sequence[Expression], field: str, label: str) -> bool:
    """Return whether of a set nothing is read but that it has a label."""
    members = {
        node.member
        for node in nodes
        if isinstance(node, Contains)
        and isinstance(node.operand, Read)
        and node.operand.field == field
    }
    # What counts the set or compares it reads it at a place of its own.
    others = [
        node
        for node in nodes
        if not isinstance(node, Contains)
        and any(isinstance(part, Read) and part.field == field for part in _list_operands(node))
    ]
    return members == {label} and not others


def _list_operands(node: Expression) -> list[object]:
    found = [getattr(node, name, None) for name in ("operand", "left", "right", "members")]
    return [part for part in found if part is not None]


def _compare_counted(
    account: Account, passage: Passage, sole: Sole, read: Mapping[str, frozenset[str]]
) -> Iterator[Doubt]:
    """Yield the items that read fewer things than those among which one has to stand alone."""
    if sole.of is None:
        return
    counts: list[int] = []
    for name, fields in read.items():
        count = _count_things(account, passage, sole, account.items[name].facts.fields, fields)
        if count is None:
            return
        counts.append(count)
    if counts and _SEVERAL <= max(counts) < sole.of:
        held = f"no more than {max(counts)} of the {sole.of} are looked at"
        yield Doubt(Kind.SOLE, account.quote(passage), tuple(read), sole.said, held)


def _count_things(
    account: Account, passage: Passage, sole: Sole, own: Collection[str], tried: Collection[str]
) -> int | None:
    """Return how many things of the kind that is named are read; None where that is open.

    ``own`` are the fields of an item, ``tried`` also those of what is tried before it.

    What is worked out elsewhere may sum up several. Fields of another kind are counted unless the
    passage has other words for them.
    """
    mine = [account.fields[name] for name in sorted(own) if name in account.fields]
    named = [field for field in mine if _is_named(field, sole.what)]
    if not named or any(field.role not in STORED for field in mine):
        return None
    earlier = [account.fields[name] for name in sorted(set(tried) - set(own))]
    fields = [*mine, *(field for field in earlier if field.role in STORED)]
    kinds = {type(field.type) for field in named}
    rest = account.quote(passage).replace(sole.said, " ")
    counted = [field for field in fields if type(field.type) in kinds or not _is_named(field, rest)]
    return len(counted)


def _is_named(field: Field, text: str) -> bool:
    """Return whether a text has a word of what a field is called."""
    return has_shared_word(list_stems(f"{field.name} {field.label}"), list_stems(text))
