"""The words of a domain that a reader of its texts knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from sopforge.domain.fields import AmountClause, Field, LabelClauses, Part, Said
from sopforge.domain.model import DomainModel
from sopforge.domain.values.types import (
    DateType,
    ListType,
    NumberType,
    SetType,
    ValueType,
    require_integer,
)
from sopforge.logic.phrasing.absence import list_absence_clauses
from sopforge.logic.phrasing.grammar import (
    find_counted_item,
    find_event,
    format_figure,
    phrase_relative_clause,
    singularize_label,
)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of a domain: the names that labels stand for, and what a reader knows of fields.

    ``parts`` holds, by the name of a list, the names by the labels of its items' fields;
    ``limit_units``, by the figure of a limit, the units of all limits of this figure; ``said``, by
    the clause that stands for it, the source text of a yes/no field, of its denial or of a
    comparison with a label;
    ``item_facts`` the same of yes/no fields of lists' items, as they follow the item; ``items``,
    by what one entry or several are called, the names of lists and sets; ``counted``, by what one
    of them or several are called, the names of numbers; ``events``, by what begins or ends on a
    day and its verb, the label of the day; ``verbs``, by what was done with items on a day, the
    label of the day; ``amounts``, by the clause on it, the label of a number; ``days_in_order`` the
    days of items that always lie before a day of the case
    ("<"), or until it ("<="): the list, the label, the relation and the name of the other day;
    ``calendar`` is the only one of a domain.
    """

    names: Mapping[str, str]
    types: Mapping[str, ValueType]
    parts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)
    units: Iterable[str] = ()
    limit_units: Mapping[str, AbstractSet[str]] = field(default_factory=dict)
    said: Mapping[str, str] = field(default_factory=dict)
    item_facts: Mapping[str, str] = field(default_factory=dict)
    items: Mapping[str, str] = field(default_factory=dict)
    counted: Mapping[str, str] = field(default_factory=dict)
    events: Mapping[str, str] = field(default_factory=dict)
    verbs: Mapping[str, str] = field(default_factory=dict)
    days_in_order: AbstractSet[tuple[str, str, str, str]] = frozenset()
    amounts: Mapping[AmountClause, str] = field(default_factory=dict)
    calendar: str = ""

    def list_item_types(self, label: str) -> list[ValueType]:
        """Return the types that a field of this label has in the items of lists."""
        found = []
        for name, parts in self.parts.items():
            kind = self.types[name]
            if isinstance(kind, ListType) and label in parts:
                found.append(kind.find_field_type(parts[label]))
        return [kind for kind in found if kind is not None]


def build_vocabulary(model: DomainModel) -> Vocabulary:
    """Return the words of a model that a reader of its texts knows."""
    numbers = [item.type for item in model.fields.values()]
    numbers += [item.constant.type for item in model.policy.values()]
    for kind in [*numbers]:
        numbers += [part for _, part in kind.fields] if isinstance(kind, ListType) else []
    return Vocabulary(
        names={item.label: name for name, item in model.fields.items()},
        types={name: item.type for name, item in model.fields.items()},
        parts={
            name: {item.label_part(part): part for part, _ in item.type.fields}
            for name, item in model.fields.items()
            if isinstance(item.type, ListType)
        },
        missing={name: item.missing for name, item in model.fields.items() if item.missing},
        said={
            **_index_absences(model),
            **_index_clauses(model),
            **_index_label_clauses(model),
            **_index_item_facts(model, is_relative=False),
        },
        item_facts=_index_item_facts(model, is_relative=True),
        items=_index_items(model),
        counted=_index_counted(model),
        events=_index_events(model),
        verbs={part.verb: part.label for part in _list_parts(model) if part.verb},
        days_in_order=_index_days_in_order(model),
        amounts={
            item.amount_clause: item.label for item in model.fields.values() if item.amount_clause
        },
        calendar=next(iter(model.calendars)) if len(model.calendars) == 1 else "",
        units={kind.unit for kind in numbers if isinstance(kind, NumberType) and kind.unit},
        limit_units=_index_limit_units(model),
    )


def _list_parts(model: DomainModel) -> list[Part]:
    return [part for item in model.fields.values() for part in item.parts]


def _index_days_in_order(model: DomainModel) -> set[tuple[str, str, str, str]]:
    return {
        (name, part.label, relation, day)
        for name, item in model.fields.items()
        for part in item.parts
        for relation, days in (("<", part.before), ("<=", part.until))
        for day in days
    }


def _index_limit_units(model: DomainModel) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for item in model.policy.values():
        kind = item.constant.type
        if isinstance(kind, NumberType):
            figure = format_figure(kind, require_integer(item.constant.value))
            found.setdefault(figure, set()).add(kind.unit)
    return found


def _index_items(model: DomainModel) -> dict[str, str]:
    lists = {
        name: item.label
        for name, item in model.fields.items()
        if isinstance(item.type, ListType | SetType)
    }
    return {
        form: name
        for name, label in lists.items()
        if (one := singularize_label(label))
        for form in (one, label)
    }


def _index_counted(model: DomainModel) -> dict[str, str]:
    items = _index_items(model)
    numbers = {
        name: item.label for name, item in model.fields.items() if isinstance(item.type, NumberType)
    }
    return {
        form: name
        for name, label in numbers.items()
        if (one := find_counted_item(label))
        for form in (one, label.removeprefix("number of "))
        if form not in items
    }


def _index_events(model: DomainModel) -> dict[str, str]:
    days = [item.label for item in model.fields.values() if isinstance(item.type, DateType)]
    named = [(" ".join(event), label) for label in days if (event := find_event(label))]
    counts = Counter(words for words, _ in named)
    return {words: label for words, label in named if counts[words] == 1}


def _index_clauses(model: DomainModel) -> dict[str, str]:
    said = [(name, item.said) for name, item in model.fields.items()]
    return {
        clause: source
        for name, words in said
        if words is not None
        for clause, source in ((words.yes, name), (words.no, f"(not {name})"))
    }


def _index_label_clauses(model: DomainModel) -> dict[str, str]:
    """Return, by the clauses that stand for labels, the comparisons with these."""
    return {
        clause: source
        for name, item in model.fields.items()
        for words in item.label_clauses
        for clause, source in _list_choices(words, name)
    }


def _index_absences(model: DomainModel) -> dict[str, str]:
    """Return the tests for a value by the clauses that say whether there is one."""
    found = list_absence_clauses(model.fields)
    return {
        clause: test
        for name, words in found.items()
        for clause, test in ((words.yes, f"present({name})"), (words.no, f"(not present({name}))"))
    }


def _index_item_facts(model: DomainModel, *, is_relative: bool) -> dict[str, str]:
    """Return the source texts of the yes/no fields of lists' items by their clauses."""
    found = {}
    for item in model.fields.values():
        one = singularize_label(item.label)
        for part in item.parts:
            source = f"entry.<{part.label}>"
            answers = _list_answers(part.said, source)
            for words in part.label_clauses:
                answers += _list_choices(words, source)
            if part.value_clause is not None:
                answers += _list_values(model, item, part)
            for clause, text in answers:
                if not is_relative:
                    found[clause] = text
                    continue
                for is_plural in (False, True):
                    found[phrase_relative_clause(clause, one, is_plural=is_plural)] = text
    return found


def _list_values(model: DomainModel, item: Field, part: Part) -> list[tuple[str, str]]:
    """Return the comparisons of an item's label by the clauses that stand for them."""
    kind = next(kind for name, kind in getattr(item.type, "fields", ()) if name == part.name)
    fields = {
        f"the {other.label}": name for name, other in model.fields.items() if other.type == kind
    }
    labels = {f'"{label}"': repr(label) for label in getattr(kind, "values", ())}
    return [
        (clause, f"(entry.<{part.label}> {relation} {value})")
        for words, value in {**fields, **labels}.items()
        if part.value_clause is not None
        for clause, relation in zip(part.value_clause.say(words).both, ("==", "!="), strict=True)
    ]


def _list_choices(words: LabelClauses, source: str) -> list[tuple[str, str]]:
    """Return the comparisons with a label by the clauses that stand for them."""
    return [
        (clause, f"({source} {relation} {words.label!r})")
        for clause, relation in ((words.said.yes, "=="), (words.said.no, "!="))
    ]


def _list_answers(said: Said | None, source: str) -> list[tuple[str, str]]:
    return [(said.yes, source), (said.no, f"(not {source})")] if said else []
