"""Fields and constants as a sentence names them, and what a yes/no field is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property

from sopforge.domain.fields import AmountClause, Field, Role, Said
from sopforge.domain.language.expressions import (
    Combination,
    Compare,
    Constant,
    Element,
    Expression,
    Missing,
    Presence,
    Read,
    Relation,
)
from sopforge.domain.references import find_reference
from sopforge.domain.values.malformed_inputs import find_marked_field
from sopforge.domain.values.types import (
    BooleanType,
    DateType,
    EnumType,
    ListType,
    NumberType,
    SetType,
    TextType,
    list_set_members,
    to_cell,
)
from sopforge.logic.phrasing.absence import list_absence_clauses
from sopforge.logic.phrasing.brackets import format_amount
from sopforge.logic.phrasing.grammar import (
    conjugate_be,
    find_event,
    is_fact,
    join_items,
    singularize_label,
)
from sopforge.logic.phrasing.idioms import unwrap_node

ENTRYS = "the entry's "
NUMBER_WORDS: Mapping[Relation, str] = {
    Relation.EQ: "",
    Relation.NE: "not",
    Relation.LT: "less than",
    Relation.LE: "at most",
    Relation.GT: "more than",
    Relation.GE: "at least",
}
COUNT_WORDS: Mapping[Relation, str] = {
    **NUMBER_WORDS,
    Relation.EQ: "exactly",
    Relation.NE: "not exactly",
}


def quote_members(members: Expression) -> list[str]:
    """Return the labels of a written set as a sentence quotes them; none of any other set."""
    if not isinstance(members, Constant) or not isinstance(members.type, SetType):
        return []
    return [f'"{label}"' for label in list_set_members(members.type, members.value)]


def name_entries(members: Constant) -> str:
    """Return a written set as it stands inside of other words."""
    labels = quote_members(members)
    if not labels:
        return "no entry"
    return f"the {'entry' if len(labels) == 1 else 'entries'} {join_items(labels)}"


def find_label(node: Expression, fields: Mapping[str, Field]) -> str:
    """Return the label of a field, of the case or of an entry, "" for what is no field."""
    match unwrap_node(node):
        case Read(_, name):
            return fields[name].label
        case Element() as element:
            return fields[element.list].label_part(element.field)
        case _:
            return ""


class Names(ABC):
    """Names what the fields of a domain give words for; how a part is phrased, others say."""

    def __init__(self, fields: Mapping[str, Field]) -> None:
        self.fields = fields

    @cached_property
    def absences(self) -> Mapping[str, Said]:
        """The clauses that say whether fields have a value; few sentences need them."""
        return list_absence_clauses(self.fields)

    @cached_property
    def clauses(self) -> frozenset[str]:
        """What stands for the answers of yes/no fields, and for labels."""
        return frozenset(clause for item in self.fields.values() for clause in item.clauses)

    @abstractmethod
    def phrase(self, node: Expression) -> str:
        """Return an expression, or a part of one, in words."""

    def name_field(self, field: str) -> str:
        """Return a field as a sentence names it."""
        return f"the {self.fields[field].label}"

    def find_event(self, node: Expression) -> tuple[str, str] | None:
        """Return what begins or ends on a day, and the verb, None for other days.

        "The insurance", "ends" for the end of the insurance, where no other day is called so.
        """
        inner = unwrap_node(node)
        if not isinstance(inner, Read) or not isinstance(inner.type, DateType):
            return None
        events = [find_event(item.label) for item in self.fields.values()]
        event = find_event(self.fields[inner.field].label)
        is_alone = event is not None and events.count(event) == 1
        if event is None or not is_alone or self.is_label_start(" ".join(event)):
            return None
        return f"the {event[0]}", event[1]

    def name_item(self, name: str) -> str:
        """Return what one entry of a list or a set is called, "" where its label does not say."""
        return singularize_label(self.fields[name].label)

    def is_label(self, words: str) -> bool:
        """Return whether words are the label of a field."""
        return any(item.label == words for item in self.fields.values())

    def is_label_start(self, words: str) -> bool:
        """Return whether a label begins with words, which then do not mean what they say."""
        return any(item.label.startswith(words) for item in self.fields.values())

    def visit_constant(self, node: Constant) -> str:
        if isinstance(node.type, NumberType):
            return format_amount(node, node.type.unit)
        if isinstance(node.type, SetType):
            return name_entries(node)
        shown = to_cell(node.type, node.value)
        is_quoted = isinstance(node.type, BooleanType | EnumType | TextType | ListType)
        return f'"{shown}"' if is_quoted else shown

    def visit_missing(self, node: Missing) -> str:
        return f'"{node.word}"'

    def visit_read(self, node: Read) -> str:
        is_fact = isinstance(node.type, BooleanType)
        return self.phrase_fact(node, "yes") if is_fact else self.name_field(node.field)

    def visit_element(self, node: Element) -> str:
        return (
            self.phrase_fact(node, "yes")
            if isinstance(node.type, BooleanType)
            else self.name_item_field(node)
        )

    def name_item_field(self, node: Element) -> str:
        """Return a field of the item at hand as a sentence names it."""
        return f"{ENTRYS}{self.label_item_field(node)}"

    def label_item_field(self, node: Element) -> str:
        """Return the label of a field of a list's items."""
        return self.fields[node.list].label_part(node.field)

    def phrase_fact(self, node: Read | Element, word: str) -> str:
        """Return what a yes/no field is, in its own words if it has any.

        A label with a verb of its own needs a subject only.
        """
        said = (
            self.fields[node.field].said
            if isinstance(node, Read)
            else self.fields[node.list].find_part_clauses(node.field)
        )
        if said is not None:
            return said.yes if word == "yes" else said.no
        if isinstance(node, Element):
            subject, label, name = "entry", self.label_item_field(node), self.name_item_field(node)
        else:
            subject, label, name = (
                "case",
                self.fields[node.field].label,
                self.name_field(node.field),
            )
        if is_fact(label):
            return f'the {subject} {label}: "{word}"'
        return f'{name} {conjugate_be(label)} "{word}"'

    def phrase_label_clause(self, node: Compare) -> str:
        """Return what is so where an enum is a label or is not, "" where no clause says it."""
        said = self.find_label_clauses(node)
        if said is None:
            return ""
        return said.yes if node.relation is Relation.EQ else said.no

    def find_label_clauses(self, node: Compare) -> Said | None:
        """Return the clauses for a label, of the case or of an entry, that a comparison is with."""
        left, right = unwrap_node(node.left), unwrap_node(node.right)
        if node.relation not in {Relation.EQ, Relation.NE} or not isinstance(left.type, EnumType):
            return None
        if isinstance(left, Element) and (said := self.find_value_clause(left, right)):
            return said
        if not isinstance(right, Constant):
            return None
        label = to_cell(right.type, right.value)
        match left:
            case Read(field=name):
                return self.fields[name].find_label_clauses(label)
            case Element():
                return self.fields[left.list].find_part_clauses(left.field, label)
            case _:
                return None

    def find_value_clause(self, part: Element, value: Expression) -> Said | None:
        """Return what an entry has to do with a value, and the opposite; None if nothing does."""
        found = self.fields[part.list].find_part(part.field)
        if found is None or found.value_clause is None or not isinstance(value, Constant | Read):
            return None
        return found.value_clause.say(self.phrase(value))

    def find_amount_clause(self, node: Compare) -> AmountClause | None:
        """Return what rules say of a number beside a figure, None for other comparisons."""
        left, right = unwrap_node(node.left), unwrap_node(node.right)
        if not isinstance(left, Read) or not isinstance(right, Constant):
            return None
        return self.fields[left.field].amount_clause

    def choose_verb(self, node: Expression) -> str:
        """Return "is" or "are", as the phrase before it wants."""
        match unwrap_node(node):
            case Read(_, field):
                return conjugate_be(self.fields[field].label)
            case Element() as element:
                return conjugate_be(self.label_item_field(element))
            case Combination():
                return "are"
            case _:
                return "is"

    def visit_presence(self, node: Presence, word: str = "not ") -> str:
        marked = find_marked_field(node.field)
        if marked:
            form = "malformed" if word else "well formed"
            return f"{self.name_field(marked)} {conjugate_be(self.fields[marked].label)} {form}"
        if node.field not in self.fields:  # an entity: whether the case has a record of it
            reference = find_reference(node.field, self.fields)
            name = reference.label if reference else node.field
            return f"there is {'a' if word else 'no'} record of the {name}"
        item = self.fields[node.field]
        if clauses := self.absences.get(node.field):
            return clauses.yes if word else clauses.no
        if word and item.role in {Role.DERIVED, Role.OUTCOME}:
            have = "have" if conjugate_be(item.label) == "are" else "has"
            return f"{self.name_field(node.field)} {have} been set"
        # Of labels, the one for none is a label as the others are.
        is_label = isinstance(item.type, EnumType)
        state = "given" if word and not is_label else f'{word}"{item.missing}"'
        return f"{self.name_field(node.field)} {conjugate_be(item.label)} {state}"
