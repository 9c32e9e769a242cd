"""Fields in the SOP: their names, meanings, units and forms, and the words for no value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from sopforge.artifacts.rendering.pattern_words import describe_form
from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.language.domain.expressions.denied_clauses import negate_clause
from sopforge.language.domain.fields import Field, LabelClauses, Part, Said
from sopforge.language.domain.incomplete_cases import NOT_STATED
from sopforge.language.domain.model import DomainModel, Tool
from sopforge.language.domain.values.types import (
    BOOLEAN_WORDS,
    BooleanType,
    EnumType,
    ListType,
    MomentType,
    NumberType,
    OrderedType,
    SetType,
    ValueType,
)
from sopforge.language.english.nouns import join_items, names_unit
from sopforge.morphology import find_infinitive

_UNSAID = frozenset({"a", "an", "any", "already"})
_DENYING = frozenset({"not", "no", "does", "do", "did", *_UNSAID})
"""What a denial says besides what it denies, and leaves out."""
_FILLERS = frozenset({"the", "of", "a", "an", "final"})
_DENIALS = frozenset({"not", "no", "nobody"})
_MANY_LABELS = 5
_ONE_OF = "one of "
_BE = frozenset({"is", "are", "was", "were", "has", "have", "been"})


def render_entry(item: Field) -> Statement:
    """Return what the task states under a field's name."""
    form = f"; form: {describe_form(item)}" if item.malformed else ""
    text = _introduce_field(item, f"{describe_missing_value(item)}{form}.")
    return Statement(Style.BULLET, text, (f"field {item.name}",))


def render_definition(item: Field, *, may_be_none: bool = False) -> Statement:
    """Return what a value means that a tool returns or the procedure works out, or no value."""
    nothing = describe_missing_value(item) if may_be_none else ""
    return Statement(Style.BULLET, _introduce_field(item, f"{nothing}."), (f"term {item.name}",))


def name_shared_labels(line: Statement, owners: Sequence[Field]) -> Statement:
    """Return a line on a field that names whose labels it can be, where there are many of them.

    Of several owners of the same labels, the first is named.
    """
    text = line.text
    for owner in filter(_has_many_labels, owners):
        before, listed, after = text.partition(f"{_ONE_OF}{_list_labels(owner)}")
        # A clause in brackets would not say which of the labels it stands for.
        if listed and not after.startswith((', "', " (")):
            text = f"{before}{_ONE_OF}{_name_labels(owner)}{after}"
    return replace(line, text=text)


def list_label_owners(model: DomainModel, item: Field) -> list[Field]:
    """Return the fields whose labels stand before a field, or in the results.

    None of them is the field itself, so that the labels are listed where a line points to. Of an
    input, its word for no value would be one of its values as well.
    """
    inputs = [owner for owner in model.inputs if not (owner.missing or owner.malformed)]
    if item not in model.inputs:
        return [owner for owner in (*inputs, *model.outcomes) if owner.name != item.name]
    place = model.inputs.index(item)
    return [owner for owner in inputs if owner in model.inputs[:place]]


def _has_many_labels(owner: Field) -> bool:
    """Return whether a field is one of so many labels that a text lists them once."""
    return isinstance(owner.type, EnumType) and len(owner.type.values) >= _MANY_LABELS


def _list_labels(owner: Field) -> str:
    return quote_labels(getattr(owner.type, "values", ()))


def _name_labels(owner: Field) -> str:
    return f"the values of the {owner.label}"


def _introduce_field(item: Field, rest: str) -> str:
    """Return a field's name, its label where that says more, and what it means.

    Of a description that only says its label again, the label is left.
    """
    if is_plain_name(item.name, item.label):
        return f"{item.name}: {_describe_meaning(item)}{rest}"
    if is_label_repeated(item, ""):
        return f"{item.name}: {_describe_meaning(replace(item, description=item.label))}{rest}"
    return f"{item.name} ({item.label}): {_describe_meaning(item)}{rest}"


def is_plain_name(name: str, label: str) -> bool:
    """Return whether the name of a field is its label, but for the blanks."""
    return label == name.replace("_", " ")


def phrase_unit(item: Field) -> str:
    """Return the unit of a field as it stands after its name."""
    return f", in {item.type.unit}" if isinstance(item.type, NumberType) and item.type.unit else ""


def is_label_repeated(item: Field, case: str) -> bool:
    """Return whether a description says its label again, as "final status of the claim" does."""
    known = {*_split_words(item.label), *_split_words(case.replace("_", " ")), *_FILLERS}
    return set(_split_words(item.description)) <= known


def _split_words(text: str) -> list[str]:
    return re.findall(r"[\w'-]+", text.lower())


def list_results(model: DomainModel, tool: Tool) -> list[Field]:
    """Return what a tool returns, without the word for no value where there always is one."""
    return [
        item
        if model.may_lack_value(item.name) and not model.is_sure_in_kind(item)
        else replace(item, missing="")
        for item in model.list_tool_results(tool)
    ]


def are_results_in_words(model: DomainModel, tool: Tool) -> bool:
    """Return whether words say which values a tool returns, under the names of the dictionary."""
    items = model.list_tool_results(tool)
    words = {phrase_returned_field(item) for item in items}
    offered = model.offered.fields
    return len(words) == len(items) and all(
        tool.results[item.name] == item.name and offered[item.name].label == item.label
        for item in items
    )


def phrase_returned_field(item: Field) -> str:
    """Return a field as a sentence names what a tool returns: by its label, or what it says."""
    return f"whether {item.said.yes}" if item.said else f"the {item.label}"


def describe_returned_field(item: Field) -> str:
    """Return a field as a tool returns it, with the words that stand for nothing."""
    known = _describe_part(item.name, item.label, item.type)
    if known.endswith(")") and _is_plain_scalar(item):
        return f'{known.removesuffix(")")}, or "{item.missing}")'
    entries = (
        f"each entry has {_describe_parts(item.type, item)}"
        if isinstance(item.type, ListType)
        else ""
    )
    form = "; ".join(filter(None, (entries, _describe_returned_nothing(item))))
    return _describe_part(item.name, item.label, item.type, form)


def _describe_returned_nothing(item: Field) -> str:
    """Return what a tool returns for no value: of sets and lists an empty one, else the word."""
    if not isinstance(item.type, SetType | ListType):
        return f'"{item.missing}" if there is none' if item.missing else ""
    missing = f'; "{item.missing}" if it is missing' if item.missing else ""
    return f'an empty list means "{item.type.empty}"{missing}'


def _is_plain_scalar(item: Field) -> bool:
    """Return whether a word stands for the one value that a field may lack."""
    is_one = not isinstance(item.type, SetType | ListType)
    return is_one and bool(item.missing) and item.missing != NOT_STATED


def describe_missing_value(item: Field) -> str:
    """Return what the task states where a field has no value, or a set or list no member."""
    if not isinstance(item.type, SetType | ListType):
        has_form = isinstance(item.type, OrderedType)
        if has_form and not item.malformed and _is_plain_scalar(item):
            return f', or "{item.missing}"'
        why = "it is left out" if item.missing == NOT_STATED else "there is none"
        why = "it is not told" if item.told else why
        return f'; "{item.missing}" if {why}' if item.missing else ""
    missing = f', "{item.missing}" if it is missing' if item.missing else ""
    return f'; "{item.type.empty}" if there is none{missing}'


def quote_labels(labels: Sequence[str]) -> str:
    """Return labels in quotation marks, one after the other."""
    return ", ".join(f'"{label}"' for label in labels)


def describe_order(kind: ValueType) -> str:
    """Return in which order the labels of a type are listed, nothing where rules cannot ask it."""
    is_ordered = isinstance(kind, EnumType) and kind.is_ordered
    return ", from lowest to highest" if is_ordered else ""


def quote_known_labels(item: Field | Part, labels: Sequence[str]) -> list[str]:
    """Return labels in quotation marks; where rules say another clause instead, with that."""
    explained = {words.label: words.said.yes for words in list_explained_labels(item, labels)}
    return [
        f'"{label}" ({explained[label]})' if label in explained else f'"{label}"'
        for label in labels
    ]


def list_explained_labels(item: Field | Part, labels: Sequence[str]) -> list[LabelClauses]:
    """Return which of a field's labels have a clause that does not show which one it stands for.

    "The coverage is active" stands for "Active", and needs no word on that.
    """
    return [words for words in item.label_clauses if not _is_label_in(words, labels)]


def _is_label_in(words: LabelClauses, labels: Sequence[str]) -> bool:
    """Return whether a clause has all words of its label, and could not be of another one.

    "The patient has private insurance" could be of "Private supplementary" as well as "Private".
    """
    own, said = {*_split_words(words.label)}, {*_split_words(words.said.yes)}
    others = [{*_split_words(label)} for label in labels if label != words.label]
    return own <= said and not any(other <= said or own <= other for other in others)


def describe_number(kind: NumberType) -> str:
    """Return how a number is written."""
    if not kind.places:
        return "a whole number"
    return f"a number with {kind.places} decimal place{'s' * (kind.places != 1)}"


def _describe_form(kind: ValueType) -> str:
    """Return what a field can hold, as far as that has a form."""
    match kind:
        case EnumType(labels):
            return f"; one of {quote_labels(labels)}{describe_order(kind)}"
        case SetType(labels):
            return f"; any of {quote_labels(labels)}"
        case BooleanType():
            return f"; {' or '.join(quote_labels([word]) for word in BOOLEAN_WORDS[::-1])}"
        case MomentType():
            return f"; {kind.noun}"
        case NumberType():
            return f"; {describe_number(kind)}"
        case _:
            return ""


def _is_said_by(description: str, label: str, said: Said) -> bool:
    """Return whether a description says no more than a label and the words for yes do."""
    known = {"whether", *_BE, *_FILLERS, *_split_words(label), *_split_words(said.yes)}
    return set(_split_words(description)) <= known


def phrase_asked_answers(item: Field) -> str:
    """Return what "yes" means by a description that asks for all that the clause says, else "".

    "Whether the report finds that staff did it" needs no word more on "staff did it".
    """
    asked = item.description.removeprefix("whether ")
    if item.said is None or asked == item.description or not is_plain_denial(item.said):
        return ""
    is_all = {*_split_words(item.said.yes)} - _FILLERS - _BE <= {*_split_words(asked)}
    is_denied = not _DENIALS.isdisjoint(_split_words(asked))
    return f'"yes" if {asked}, otherwise "no"' if is_all and not is_denied else ""


def phrase_answer_clauses(said: Said) -> str:
    """Return what is so where a yes/no field is yes, and where it is no."""
    if is_plain_denial(said):
        return f'"yes" if {said.yes}, otherwise "no"'
    return f'"yes" if {said.yes}, "no" if {said.no}'


def is_plain_denial(said: Said) -> bool:
    """Return whether the words for no deny those for yes and say nothing else."""
    yes, no = (_split_words(text) for text in said.both)
    return _is_denial(yes, no) or _is_denial(no, yes) or said.no == negate_clause(said.yes)


def _is_denial(said: Sequence[str], denied: Sequence[str]) -> bool:
    """Return whether words deny others: "does not accept any" denies "accepts an"."""
    known, rest = (
        [find_infinitive(word) for word in words if word not in left_out]
        for words, left_out in ((said, _UNSAID), (denied, _DENYING))
    )
    return rest == known and not {"not", "no"}.isdisjoint(denied)


def _describe_meaning(item: Field) -> str:
    """Return what a field means, with its unit and its form."""
    form = "" if item.malformed else _describe_form(item.type)
    if item.label_clauses and isinstance(item.type, EnumType):
        labels = ", ".join(quote_known_labels(item, item.type.values))
        form = f"; one of {labels}{describe_order(item.type)}"
    if item.said:
        answers = phrase_answer_clauses(item.said)
        if _is_said_by(item.description, item.label, item.said):
            return answers
        if asked := phrase_asked_answers(item):
            return asked
        form = f"; {answers}"
    unit = "" if is_unit_described(item) else phrase_unit(item)
    return f"{item.description}{unit}{form}{describe_entries(item)}"


def is_unit_described(item: Field) -> bool:
    """Return whether the description of a number names its unit, as "days on the road" does."""
    unit = item.type.unit if isinstance(item.type, NumberType) else ""
    return bool(unit) and f" {unit} " in f" {item.description} "


def describe_entries(item: Field) -> str:
    """Return what each entry of a list has, with its form; nothing for what is no list."""
    if not isinstance(item.type, ListType):
        return ""
    parts = [
        _describe_part(name, item.label_part(name), kind, _describe_part_form(item, name, kind))
        for name, kind in item.type.fields
    ]
    return f"; each entry has {join_items(parts)}"


def _describe_part_form(item: Field, name: str, kind: ValueType) -> str:
    part = item.find_part(name)
    if part and part.label_clauses and isinstance(kind, EnumType):
        return f"one of {', '.join(quote_known_labels(part, kind.values))}{describe_order(kind)}"
    if part and part.said:
        return phrase_answer_clauses(part.said)
    return _describe_form(kind).removeprefix("; ")


def _describe_parts(kind: ListType, item: Field) -> str:
    """Return what each entry of a list has, with labels and units."""
    return join_items(
        [_describe_part(name, item.label_part(name), part) for name, part in kind.fields]
    )


def _describe_part(name: str, label: str, kind: ValueType, form: str = "") -> str:
    unit = kind.unit if isinstance(kind, NumberType) and not names_unit(label, kind.unit) else ""
    unit = f"in {unit}" if unit else ""
    other = "" if is_plain_name(name, label) else label
    known = "; ".join(filter(None, (", ".join(filter(None, (other, unit))), form)))
    return f"{name} ({known})" if known else name
