"""Lists: how many entries there are, which of them, and what is taken of each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sopforge.domain.language.expressions import (
    Aggregate,
    AggregateFunction,
    AllOf,
    AnyOf,
    Compare,
    Constant,
    Elapsed,
    Element,
    Expression,
    Not,
    Read,
    Relation,
    Selection,
    Workdays,
    walk,
)
from sopforge.domain.values.types import BooleanType, NumberType, TextType
from sopforge.logic.english.groups import Groups
from sopforge.logic.english.names import ENTRYS
from sopforge.logic.english.numbers import to_places
from sopforge.logic.phrasing.brackets import as_operand, as_side, bracket_if_open, get_unit
from sopforge.logic.phrasing.grammar import (
    KINDS,
    add_article,
    conjugate_be,
    is_fact,
    is_one_amount,
    join_item_facts,
    join_items,
    phrase_relative_clause,
    phrase_whose,
)
from sopforge.logic.phrasing.idioms import (
    Mean,
    find_percentage,
    find_run_distance,
    flatten_group,
    list_entry_answers,
    list_runs,
    unwrap_node,
)


def is_entry_fact(node: Element, label: str) -> bool:
    """Return whether a label says of an entry what it is or has."""
    return isinstance(node.type, BooleanType) and is_fact(label)


_OF_KIND = re.compile(
    rf'whose (?P<kind>{"|".join(KINDS)})(?P<rest> of [^"]+)? is'
    r' (?P<labels>"[^"]+"(?:(?:, "[^"]+")* or "[^"]+")?)'
)
_ITS = "its "
_NO_ENTRY = "if there is no such entry"
_NONE = "if there is none"
_ANY = "any"
_DENIES = re.compile(r"\b(?:cannot|never|no|nobody|none|nor|not|nothing)\b")
_THAT = "that "


def say_its(words: str) -> str:
    """Return words on an entry that they follow: what it has is "its", unless more is called so.

    >>> say_its("the entry's price is more than the entry's cost")
    'its price is more than its cost'
    """
    is_named = re.search(r"\bits\b|\bthe entry\b(?!'s )", words) is not None
    return words if is_named else words.replace(ENTRYS, _ITS)


def find_lists(conditions: Iterable[Expression]) -> set[str]:
    """Return the lists of whose entries conditions are."""
    nodes = (node for item in conditions for node in walk(item))
    return {node.list for node in nodes if isinstance(node, Element)}


class Entries(Groups):
    """Phrases what is asked of the entries of a list."""

    def visit_aggregate(self, node: Aggregate) -> str:
        match node.function:
            case AggregateFunction.COUNT:
                items = self.phrase_items(node, "number of")
                return f"the number of {items or self.phrase_entries(node)}"
            case AggregateFunction.SUM:
                total = self.phrase_item_parts(node, "total")
                return total or self.phrase_sum(node)
            case AggregateFunction.MINIMUM | AggregateFunction.MAXIMUM:
                return self.phrase_extreme_entry(node)
            case AggregateFunction.ANY:
                return self.phrase_holding(node, "an")
            case AggregateFunction.ALL:
                return self.phrase_every_entry(node)

    def phrase_sum(self, node: Aggregate) -> str:
        """Return what the entries have together, where they have no name of their own."""
        values = self.phrase_item_values(node)
        is_field = node.value is not None and isinstance(unwrap_node(node.value), Element)
        return f"the total {values.removeprefix('the ')}" if is_field else f"the sum of {values}"

    def phrase_extreme_entry(self, node: Aggregate) -> str:
        """Return the smallest or the largest of what the items have, and what it is without any."""
        word = "smallest" if node.function is AggregateFunction.MINIMUM else "largest"
        parts, default = self.phrase_item_parts(node, word), self.phrase_default(node)
        parts = parts or self.phrase_extreme_distance(node, word)
        if parts:
            return f"{parts}, or {default} {_NONE}"
        return f"the {word} value of {self.phrase_item_values(node)}, or {default} {_NO_ENTRY}"

    def phrase_items(self, node: Aggregate, before: str) -> str:
        """Return the items that are aggregated by their own name, "" where they have none.

        Conditions that say "the entry" need entries to speak of.
        """
        is_known = node.where is None or self.is_in_row(node.where)
        label = self.fields[node.list].label
        if not is_known or not self.name_item(node.list):
            return ""
        words = f"{before} {label}"
        if self.is_label(words) or self.is_label_start(f"{words} whose" if node.where else words):
            return ""
        if node.where is None:
            return label
        return f"{label} {self.phrase_filter(node.where, is_plural=True)}"

    def phrase_item_parts(self, node: Aggregate, word: str) -> str:
        """Return what all items have of one kind, "the total amount of the lines", or ""."""
        inner = unwrap_node(node.value) if node.value is not None else None
        if not isinstance(inner, Element) or not isinstance(inner.type, NumberType):
            return ""
        before = f"{word} {self.label_item_field(inner)} of the"
        items = self.phrase_items(node, before)
        return f"the {before} {items}" if items else ""

    def phrase_extreme_distance(self, node: Aggregate, word: str) -> str:
        """Return how far a day of each item lies from another one, at most or at least.

        "The smallest number of days from the day of a journey to the day of the visit"; "" where
        an item has no name of its own, or more than one of its values is asked for.
        """
        inner, item = unwrap_node(node.value) if node.value else None, self.name_item(node.list)
        is_known = isinstance(inner, Elapsed | Workdays) and self.phrase_items(node, "over the")
        if not is_known or not isinstance(inner, Elapsed | Workdays) or item.startswith("other "):
            return ""
        sides = [unwrap_node(side) for side in (inner.start, inner.end)]
        days = [side for side in sides if isinstance(side, Element)]
        if len(days) != 1 or not all(isinstance(side, Element | Read) for side in sides):
            return ""
        label = self.label_item_field(days[0])
        which = f" {self.phrase_filter(node.where)}" if node.where else ""
        among = ""
        if which and node.where and days[0] is sides[0] and not which.endswith('"'):
            # It would run into the other day.
            items = self.fields[node.list].label
            among = f", among the {items} {self.phrase_filter(node.where, is_plural=True)}"
            which = ""
        said = f"the {self.say_after_whose(label)} of {add_article(item)}{which}"
        words = self.phrase(inner).replace(f"{ENTRYS}{label}", said, 1)
        return f"{words.replace('the number of', f'the {word} number of', 1)}{among}"

    def visit_selection(self, node: Selection) -> str:
        item = self.name_item(node.list)
        every = f"each {item}" if item else f"each entry in {self.name_field(node.list)}"
        which = every if node.where is None else f"{every} {self.phrase_filter(node.where)}"
        return f"{which}, with {self.phrase_parts(node)}"

    def phrase_parts(self, node: Selection) -> str:
        """Return what each entry has of a list that is made."""
        names = [name for name, _ in node.type.fields]
        parts = [self.phrase_part(name, part) for name, part in zip(names, node.parts, strict=True)]
        return join_items(parts)

    def phrase_part(self, name: str, part: Expression) -> str:
        """Return what an entry of the list that is made has under a name."""
        inner = unwrap_node(part)
        if isinstance(inner, Element):
            label = self.label_item_field(inner)
            own = f"whether it {label}" if is_entry_fact(inner, label) else f"its {label}"
            return own if inner.field == name else f"{own} as {name}"
        if isinstance(part.type, BooleanType):
            return f'("yes" if {self.phrase(part)}, otherwise "no") as {name}'
        return f"{as_operand(part, self.phrase(part), get_unit(part))} as {name}"

    def phrase_average(self, node: Mean) -> str:
        """Return a rounded average, which the tree holds as a choice."""
        if share := self.phrase_share_of_items(node):
            return share
        parts = self.phrase_item_parts(node.total, "average")
        over = parts or f"the average of {self.phrase_item_values(node.total)}"
        default = as_operand(node.default, self.phrase(node.default))
        return f"{to_places(over, node.places)}, or {default} {_NONE if parts else _NO_ENTRY}"

    def phrase_share_of_items(self, node: Mean) -> str:
        """Return how many percent of the items meet a condition, "" for another average."""
        condition, name = find_percentage(node), node.total.list
        if condition is None or not self.name_item(name) or not self.is_in_row(condition):
            return ""
        items = self.fields[name].label
        which = self.phrase_filter(condition, is_plural=True)
        share = to_places(f"the percentage of the {items} {which}", node.places)
        default = as_operand(node.default, self.phrase(node.default))
        return f"{share}, or {default} if there are no {items}"

    def phrase_item_values(self, node: Aggregate) -> str:
        """Return what is taken of each item, and of which items."""
        value = node.value
        if value is None:
            return f"the {self.phrase_entries(node)}"
        inner = unwrap_node(value)
        if isinstance(inner, Element):
            return f"the {self.label_item_field(inner)} of the {self.phrase_entries(node)}"
        items, words = self.phrase_items(node, "over the"), as_side(value, self.phrase(value))
        if not items:
            return f"{words} over the {self.phrase_entries(node)}"
        labels = [part.label for part in self.fields[node.list].parts]
        # What the case itself has by this name would be meant.
        is_own = any(map(self.is_label_start, labels))
        gap = "over the" if words.endswith(" for") else "for all"
        return f"{words if is_own else words.replace(ENTRYS, 'the ')} {gap} {items}"

    def phrase_entries(self, node: Aggregate) -> str:
        """Return the items that are aggregated."""
        every = f"entries in {self.name_field(node.list)}"
        if node.where is None:
            return every
        return f"{every} {self.phrase_filter(node.where, is_plural=True)}"

    def phrase_filter(self, condition: Expression, *, is_plural: bool = False) -> str:
        """Return which entries meet a condition."""
        inner = unwrap_node(condition)
        if isinstance(inner, AnyOf) and all(map(self.is_one_fact, flatten_group(inner))):
            parts = flatten_group(inner)
            return join_item_facts(
                [self.phrase_fact_of_entry(part, is_plural) for part in parts], "or"
            )
        if not self.is_said_of_entry(condition):
            words = bracket_if_open(condition, self.phrase(condition))
            return f"for which {words if is_plural else say_its(words)}"
        return self.join_facts(list_entry_answers(condition), is_plural=is_plural)

    def join_facts(self, parts: Sequence[Expression], *, is_plural: bool) -> str:
        """Return facts of an entry; its kind and a clause after it are joined by no word.

        'Of the kind "Crack" that was not put right': "kind" may be the kind of defect.
        """
        if len(parts) == 1 and (said := self.phrase_same_value(parts[0])):
            return said
        facts = self.list_facts_of_entry(parts, is_plural=is_plural)
        facts.sort(key=lambda fact: not self.is_done(fact))
        labels = [self.fields[name].label for name in find_lists(parts)]
        if any(" of " in label for label in labels):
            return join_item_facts(facts)
        first, *others = facts
        kind = _OF_KIND.fullmatch(first)
        are_clauses = all(item.startswith(("that ", "for which ")) for item in others)
        if kind is None or len(others) > 1 or not are_clauses:
            return join_item_facts(facts)
        start = f"{kind['kind']} of "
        if sum(f"{label} of ".startswith(start) for label in {*self.list_part_labels()}) > 1:
            return join_item_facts(facts)
        return " ".join((f"of the {kind['kind']} {kind['labels']}", *others))

    def phrase_same_value(self, condition: Expression) -> str:
        """Return that an entry has the very value of a field that is called so: "of that batch".

        "The lines of the recalled batch" are those whose batch is the recalled batch. "" for
        another condition, and where the field could be one of something else of an entry.
        """
        inner = unwrap_node(condition)
        if not isinstance(inner, Compare) or inner.relation is not Relation.EQ:
            return ""
        part, other = unwrap_node(inner.left), unwrap_node(inner.right)
        if not isinstance(part, Element) or not isinstance(other, Read):
            return ""
        label, name = self.fields[part.list].label_part(part.field), self.fields[other.field].label
        known = [item for item in {*self.list_part_labels()} if name.endswith(f" {item}")]
        is_text = isinstance(part.type, TextType)
        is_open = " of " in f"{name} {self.fields[part.list].label}"
        return f"of the {name}" if is_text and known == [label] and not is_open else ""

    def phrase_holding(self, node: Aggregate, number: str) -> str:
        """Return how many entries of a list meet the conditions."""
        parts = [part for part in (node.where, node.value) if part is not None]
        item, is_plural = self.name_item(node.list), not number.endswith(("an", "no", " 1"))
        if item and all(map(self.is_said_of_entry, parts)):
            if said := self.phrase_one_holding(node.list, number, parts):
                return said
            which = self.phrase_filters(parts, is_plural=is_plural)
            return f"{self.phrase_there(node.list, number)} {which}"
        if item and not self.is_label_start(f"{item} for which"):
            which = self.phrase_filters(parts, is_plural=is_plural)
            return f"{self.phrase_there(node.list, number)} {which}"
        verb = "hold" if conjugate_be(self.fields[node.list].label) == "are" else "holds"
        entry, which = (
            "entries" if is_plural else "entry",
            self.phrase_filters(parts, is_plural=is_plural),
        )
        return f"{self.name_field(node.list)} {verb} {number} {entry} {which}"

    def phrase_one_holding(self, name: str, number: str, parts: Sequence[Expression]) -> str:
        """Return that one item, or none, has what one condition asks, with the item as subject.

        "" where the items are the subject of no such sentence.
        """
        item = self.name_item(name)
        if len(parts) != 1:
            return ""
        amount = self.phrase_amount(parts[0])
        is_other = item.startswith("other ")
        if number in {"an", "no"} and not is_other and (said := self.phrase_clause_of(parts[0])):
            return f"{_ANY if number == 'an' else 'no'} {item} {said}"
        if amount and number in {"an", "no"} and not is_other:
            return f"{_ANY if number == 'an' else 'no'} {item} has {amount}"
        if amount:
            return f"{self.phrase_there(name, number)} with {amount}"
        which = self.phrase_filter(parts[0])
        if number != "an" or is_other or which.startswith("of the ") or self.is_done(which):
            return ""
        return self.phrase_with_subject(parts[0], f"{_ANY} {item}")

    def phrase_with_subject(self, condition: Expression, items: str) -> str:
        """Return one fact that begins with what an entry has, of an item instead of the entry.

        "" for another condition, and where it would not be clear what is said of what.
        """
        fact = self.phrase(condition)
        label = self.find_first_label(fact)
        is_plain = self.is_one_fact(condition) and fact.count(ENTRYS) == 1
        said = f"{label} of {items}"
        if not label or not is_plain or phrase_whose(label) != label or self.is_label_start(said):
            return ""
        return fact.replace(f"{ENTRYS}{label}", f"the {said}", 1)

    def phrase_clause_of(self, condition: Expression) -> str:
        """Return what a clause says of an entry, without the entry: "comes from a barred farm".

        "" for another condition, and where the clause denies something.
        """
        name = self.find_clause_list(condition)
        if not name:
            return ""
        clause = phrase_relative_clause(
            self.phrase(condition), self.name_item(name), is_plural=False
        )
        said = clause.removeprefix(_THAT)
        return "" if said == clause or _DENIES.search(said) else said

    def phrase_amount(self, condition: Expression) -> str:
        """Return how much of something an entry has: "a price of more than 400 EUR".

        "" for another condition, and where the label does not name one amount.
        """
        test = unwrap_node(condition)
        if not isinstance(test, Compare) or test.relation in {Relation.EQ, Relation.NE}:
            return ""
        inner = unwrap_node(test.left)
        if not isinstance(inner, Element) or not isinstance(unwrap_node(test.right), Constant):
            return ""
        label = self.label_item_field(inner)
        start = f"{ENTRYS}{label} is "
        rest = self.phrase(condition).removeprefix(start)
        is_amount = isinstance(inner.type, NumberType) and is_one_amount(label)
        if not is_amount or f"{start}{rest}" != self.phrase(condition) or " of " in label:
            return ""
        of = "" if rest.startswith(("below ", "above ")) else "of "
        return f"{add_article(label)} {of}{rest}"

    def is_said_of_entry(self, condition: Expression) -> bool:
        """Return whether what a condition asks begins with what an entry has, or is its clause."""
        parts = list_entry_answers(condition)
        return bool(parts) and all(
            self.phrase(part).startswith(ENTRYS) or self.find_clause_list(part) for part in parts
        )

    def is_one_fact(self, condition: Expression) -> bool:
        """Return whether a condition is one fact that begins with what an entry has."""
        return len(list_entry_answers(condition)) == 1 and self.is_said_of_entry(condition)

    def is_in_row(self, condition: Expression) -> bool:
        """Return whether all that is asked of entries can follow them without naming them."""
        inner = unwrap_node(condition)
        is_either = isinstance(inner, AnyOf) and all(map(self.is_one_fact, flatten_group(inner)))
        return is_either or self.is_said_of_entry(condition)

    def find_clause_list(self, condition: Expression) -> str:
        """Return the list of whose items a clause says something, "" for another condition."""
        inner = unwrap_node(condition)
        if isinstance(inner, Compare):
            part = unwrap_node(inner.left)
            return part.list if isinstance(part, Element) and self.find_label_clauses(inner) else ""
        answer = unwrap_node(inner.operand) if isinstance(inner, Not) else inner
        is_said = isinstance(answer, Element) and isinstance(answer.type, BooleanType)
        if not is_said or not isinstance(answer, Element):
            return ""
        return answer.list if self.fields[answer.list].find_part_clauses(answer.field) else ""

    def list_facts_of_entry(self, parts: Sequence[Expression], *, is_plural: bool) -> list[str]:
        """Return what is asked of an entry; how far two days lie apart, and in which order, as one.

        "Whose date is on the day of the request or up to 30 days before it".
        """
        facts = []
        for run in list_runs(AllOf(tuple(parts))) if len(parts) > 1 else [list(parts)]:
            distance = find_run_distance(run)
            if distance is None:
                facts += [self.phrase_fact_of_entry(part, is_plural) for part in run]
            else:
                facts.append(self.say_fact(self.phrase_distance(distance), run))
        return facts

    def phrase_fact_of_entry(self, condition: Expression, is_plural: bool) -> str:  # noqa: FBT001
        """Return what is asked of an entry, as it follows the entry."""
        fact, name = self.phrase(condition), self.find_clause_list(condition)
        if name:
            return phrase_relative_clause(fact, self.name_item(name), is_plural=is_plural)
        return self.say_fact(fact, [condition])

    def say_fact(self, fact: str, conditions: Iterable[Expression]) -> str:
        """Return a fact as it follows the entry: what was done on a day, or what it has."""
        names = find_lists(conditions)
        done = self.say_done(fact, *names) if len(names) == 1 else ""
        return done or self.say_whose(fact)

    def say_whose(self, fact: str) -> str:
        """Return a fact as it follows the entry with what of it the fact begins."""
        # Only where the fact begins: a second mention of the entry in it keeps its subject.
        label = self.find_first_label(fact)
        return fact.replace(f"{ENTRYS}{label}", f"whose {self.say_after_whose(label)}", 1)

    def say_done(self, fact: str, name: str) -> str:
        """Return what was done on an entry's day, "filed before the visit"; "" for other facts."""
        label = self.find_first_label(fact)
        verb = next((part.verb for part in self.fields[name].parts if part.label == label), "")
        rest = fact.removeprefix(f"{ENTRYS}{label} is ")
        if not verb or rest == fact or ENTRYS in rest or rest.startswith("not "):
            return ""
        return f"{verb} {'on ' if rest.startswith('the same day as ') else ''}{rest}"

    def is_done(self, fact: str) -> bool:
        """Return whether words say what was done with an entry, so that they follow it at once."""
        parts = [part for item in self.fields.values() for part in item.parts]
        return any(part.verb and fact.startswith(f"{part.verb} ") for part in parts)

    def find_first_label(self, fact: str) -> str:
        """Return the label with which a fact about an entry begins, "" for another fact."""
        labels = self.list_part_labels()
        known = [x for x in labels if re.match(rf"{ENTRYS}{re.escape(x)}\b", fact)]
        return max(known, key=len, default="")

    def say_after_whose(self, label: str) -> str:
        """Return a label after "whose", in words that stand for no other label."""
        said = phrase_whose(label)
        others = {*self.list_part_labels()} - {label}
        is_alone = all(said not in {other, phrase_whose(other)} for other in others)
        return said if is_alone else label

    def list_part_labels(self) -> list[str]:
        """Return the labels of what the entries of all lists have."""
        return [part.label for item in self.fields.values() for part in item.parts]

    def phrase_there(self, name: str, number: str) -> str:
        """Return that there are so many of the items of a list."""
        item, items = self.name_item(name), self.fields[name].label
        if number == "an":
            # "other vehicles" are such as somebody has besides this one.
            return f"there is {add_article(item).replace('an other ', 'another ')}"
        is_one = number.endswith(("no", " 1", " one"))
        return f"there {'is' if is_one else 'are'} {number} {item if is_one else items}"

    def phrase_filters(self, parts: Sequence[Expression], *, is_plural: bool) -> str:
        """Return which entries meet one or two conditions."""
        first, *others = parts
        if not others:
            return self.phrase_filter(first, is_plural=is_plural)
        if all(map(self.is_said_of_entry, parts)):
            facts = [fact for part in parts for fact in list_entry_answers(part)]
            return self.join_facts(facts, is_plural=is_plural)
        both = AllOf(tuple(parts))
        words = bracket_if_open(both, self.phrase_group(both, "all of these hold"))
        return f"for which {words if is_plural else say_its(words)}"

    def phrase_default(self, node: Aggregate) -> str:
        """Return what stands for the value where there is no item."""
        default = node.default
        if default is None:
            return "0"
        return as_operand(default, self.phrase(default), get_unit(node))

    def phrase_every_entry(self, node: Aggregate) -> str:
        """Return a condition on every item of a list that meets another."""
        where = "" if node.where is None else f" {self.phrase_filter(node.where)}"
        value = "" if node.value is None else self.phrase(node.value)
        said = self.phrase_every_item(node)
        return said or f"for every entry in {self.name_field(node.list)}{where}, {say_its(value)}"

    def phrase_every_item(self, node: Aggregate) -> str:
        """Return one condition on every item, with the item or what it has as subject.

        "The expiry date of every line is ..."; "" where the items are the subject of no sentence.
        """
        item, value = self.name_item(node.list), node.value
        if not item or item.startswith("other ") or node.where is not None or value is None:
            return ""
        if said := self.phrase_clause_of(value):
            return f"every {item} {said}"
        return self.phrase_with_subject(value, f"every {item}")
