"""What is so where a yes/no field is yes or no, and where an enum is a label, as clauses.

``blocked: {description: whether the account is blocked}`` says of the paying account that "the
paying account is blocked". Clauses of a column name the record as its table is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from sopforge.language.domain.building.gathering import Gathering
from sopforge.language.domain.documents.field_schema import (
    AtomDocument,
    EnumField,
    EnumItem,
    FieldDocument,
    ListedEnumItem,
    SaidDocument,
)
from sopforge.language.domain.documents.yaml_documents import Path
from sopforge.language.domain.expressions.denied_clauses import negate_clause
from sopforge.language.domain.fields import (
    PLACE,
    AmountClause,
    Entity,
    Field,
    LabelClauses,
    Part,
    Role,
    Said,
)
from sopforge.language.domain.values.types import (
    BooleanType,
    ListType,
    NumberType,
    ValueNotAllowedError,
)
from sopforge.morphology import find_stem

_DENIALS = {
    "is": "is not",
    "was": "was not",
    "has been": "has not been",
    "may": "may not",
    "can": "cannot",
}
_SMALL = frozenset(
    {"a", "an", "the", "of", "in", "for", "on", "at", "to", "is", "are", "has", "have"}
)
_MEASURES = (
    frozenset({"seconds", "minutes", "hours", "days", "working days", "weeks", "months", "years"}),
    frozenset({"mm", "cm", "m", "km"}),
    frozenset({"mg", "g", "kg", "t"}),
    frozenset({"ml", "mL", "cl", "l", "L", "litres"}),
)
"""Units into which people convert each other."""
_SOME_VALUE = "this"
# Rules put in what denies and compares: with one more, a clause would say something else.
_ORDER = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|neither|hardly|without|except|other|unlike|less|more"
    r"|fewer|most|least|exactly|than|over|under|above|below|up|only|cannot|all|each|every|any|both"
    r"|within|about|almost|nearly|around|roughly|twice|half)\b"
)
# "Built in less than 2015" is no English: a day or a year does not follow.
_TIME_BEFORE = re.compile(r"\b(?:in|on|since|until|by|from|before|after|during)\Z")
_WHETHER = re.compile(rf"whether (the .+?) ({'|'.join(_DENIALS)}) (.+)")
# Rules join clauses by these words, so that a clause with one of them could be read in two senses.
_CLAUSE = re.compile(r"(?!.*\b(?:and|or|if|otherwise)\b)[a-z0-9][\w' -]*\w")
# Rules go on with such words after the name of an item.
_DONE = re.compile(
    r"(?:that )?(?!(?:whose|that|with|for|of|and|or|in|on|before|after|between|no|not|never|at"
    r"|is|are|was|were|has|have|had|the|an?|than|more|less|exactly)\b)"
    r"[a-z]+(?: (?!(?:and|or|if|on|in|before|after|between|no|not|than|is)\b)[a-z]+){0,2}"
)
_VERB = re.compile(r"\b(?:is|are|was|were|has|have|may|can|must|who|which|that|not)\b")


def build_said(asked: SaidDocument | None) -> Said | None:
    """Return the clauses for yes and no; one is a plain statement, so that it joins with others.

    Raises:
        ValueNotAllowedError: one is not.
    """
    return None if asked is None else _require_plain_clauses(asked.yes, asked.no)


def _require_plain_clauses(yes: str, no: str) -> Said:
    for clause in (yes, no):
        if not is_plain_clause(clause):
            raise ValueNotAllowedError(
                f"'{clause}' is not a plain clause: begin it with a lowercase letter, use no 'and',"
                " 'or' or 'if', and no punctuation other than hyphens and apostrophes"
            )
    return Said(yes, no)


def is_plain_clause(clause: str) -> bool:
    """Return whether a clause is one plain statement, which other words join."""
    return _CLAUSE.fullmatch(clause) is not None


def derive_said(clause: str) -> Said | None:
    """Return a clause with its opposite, None where it is not plain or that is not clear."""
    opposite = negate_clause(clause) if is_plain_clause(clause) else ""
    is_wordy = opposite and not re.search(r"\d", clause)
    return Said(clause, opposite) if is_wordy else None


def build_amount_clause(words: str, unit: str) -> AmountClause:
    """Return a clause with a place for an amount, such as "the patient is {} old".

    Raises:
        ValueNotAllowedError: it has no place, or several, does not say who or what has so much, or
            has words of its own that deny, compare or measure, which rules put in.
    """
    before, place, after = (part.strip() for part in words.partition(PLACE))
    is_clause = bool(place) and is_plain_clause(before) and " " in before
    order = _ORDER.search(f"{before} {after}") or (None if after else _TIME_BEFORE.search(before))
    has_unit = bool(unit) and f"{after} ".startswith(f"{unit} ")
    if not is_clause or order or has_unit or (after and not is_plain_clause(f"so {after}")):
        raise ValueNotAllowedError(
            f"'{words}' is not a plain clause with one {PLACE} for the amount, such as 'the"
            f" patient is {PLACE} old' or 'the parcel weighs {PLACE}'{_name_order(order)}: use"
            " no 'and', 'or' or 'if', no punctuation other than hyphens and apostrophes, no 'not',"
            " 'all', 'less', 'more' or unit, because the rules add these, and no 'in' or 'before'"
            f" ahead of {PLACE}"
        )
    return AmountClause(before, after)


def build_value_clause(document: AtomDocument) -> Said | None:
    """Return what an item has to do with a value, and the opposite; None where none is given.

    Raises:
        ValueNotAllowedError: it is no plain clause on the item with a place for the value, or it is
            not clear what the opposite is.
    """
    if not isinstance(document, ListedEnumItem) or not isinstance(document.said, str):
        return None
    clause = document.said.removesuffix(f" {PLACE}")
    opposite = negate_clause(f"{clause} {_SOME_VALUE}")
    is_clause = clause != document.said and clause.startswith("it ") and is_plain_clause(clause)
    # What an item "is about" is no amount.
    order = _ORDER.search(clause.removesuffix(" about"))
    if not is_clause or order or not opposite.endswith(f" {_SOME_VALUE}"):
        raise ValueNotAllowedError(
            f"'{document.said}' is not a clause about the item that ends with {PLACE} for the"
            f" value, such as 'it was for {PLACE}' or 'it contains {PLACE}'{_name_order(order)}:"
            " begin with 'it' and a verb in the present or with 'was', and use no 'and', 'or', 'if'"
            " or 'not'"
        )
    return Said(document.said, f"{opposite.removesuffix(_SOME_VALUE)}{PLACE}")


def _name_order(found: re.Match[str] | None) -> str:
    """Return which word a clause may not have, if that is the reason why it is refused."""
    return f" (it has '{found[0]}')" if found else ""


def is_verb(words: str) -> bool:
    """Return whether words say what was done on a day, as "given" or "filed with us"."""
    return _DONE.fullmatch(words) is not None


def build_label_clauses(
    document: FieldDocument | AtomDocument,
) -> tuple[LabelClauses, ...]:
    """Return the clauses that stand for labels of an enum, in the order of its values."""
    if not isinstance(document, EnumItem) or not document.said:
        return ()
    if isinstance(document.said, str):
        return ()
    if isinstance(document, EnumField) and document.malformed:
        raise ValueNotAllowedError(
            "an input that can be malformed cannot have 'said', because its form lists only the"
            " labels; remove one of the two"
        )
    for label in document.said:
        if label not in document.values:
            raise ValueNotAllowedError(f"'said' names '{label}', which is not one of the values")
    return tuple(
        LabelClauses(label, _complete_clauses(document.said[label]))
        for label in document.values
        if label in document.said
    )


def _complete_clauses(asked: str | SaidDocument) -> Said:
    """Return a clause with its opposite, as it is given or as it follows.

    Raises:
        ValueNotAllowedError: one is no plain clause, or it is not clear what the opposite is.
    """
    if isinstance(asked, SaidDocument):
        return _require_plain_clauses(asked.yes, asked.no)
    opposite = negate_clause(asked) if is_plain_clause(asked) else ""
    if is_plain_clause(asked) and not opposite:
        raise ValueNotAllowedError(
            f"the opposite of '{asked}' is not clear; give both: {{yes: {asked}, no: ...}}"
        )
    return _require_plain_clauses(asked, opposite or asked)


def check_clauses(gathering: Gathering, path: Path, table: str, item: Field) -> Field:
    """Return a column; clauses that do not name the record, of which are several, are a fault."""
    said = [*item.clauses, *([item.amount_clause.before] if item.amount_clause else [])]
    unclear = [clause for clause in said if _name_record(table) not in clause]
    for clause in unclear:
        message = f"'{clause}' does not say which record it is about"
        hint = (
            f"write '{_name_record(table)}'; SOPForge replaces it by the reference that leads"
            " to the record"
        )
        gathering.add_fault((*path, "said"), "value-not-allowed", message, hint)
    plain = replace(item, said=None, label_clauses=(), amount_clause=None)
    return plain if unclear else item


def place_clauses(said: Said | None, table: str, label: str) -> Said | None:
    """Return the clauses of a column about the record that a reference leads to."""
    if said is None:
        return None
    return Said(_place(said.yes, table, label), _place(said.no, table, label))


def place_label_clauses(
    items: Iterable[LabelClauses], table: str, label: str
) -> tuple[LabelClauses, ...]:
    """Return the clauses of a column's labels about the record that a reference leads to."""
    return tuple(
        replace(item, said=Said(*(_place(text, table, label) for text in item.said.both)))
        for item in items
    )


def place_amount_clause(clause: AmountClause | None, table: str, label: str) -> AmountClause | None:
    """Return the clause of a column's amount about the record that a reference leads to."""
    return clause and replace(clause, before=_place(clause.before, table, label))


def derive_clauses(fields: Mapping[str, Field], entities: Iterable[Entity]) -> dict[str, Field]:
    """Return the fields, of which columns and session facts say clauses if their description does.

    A clause that could be taken for another is left out.
    """
    labels = {
        name: fields[entity.key].label
        for entity in entities
        if entity.table and entity.key in fields
        for name in entity.fields
    }
    found = {name: _derive(item, labels.get(name, "")) for name, item in fields.items()}
    parts = [part for item in fields.values() for part in item.parts]
    of_labels = [*(item.label_clauses for item in fields.values())]
    of_labels += [part.label_clauses for part in parts]
    every = [*found.values(), *(part.said for part in parts)]
    every += [words.said for items in of_labels for words in items]
    every += [part.value_clause for part in parts]
    clauses = [clause for said in every if said for clause in said.both]
    return {
        name: replace(
            item,
            said=item.said or _keep_clear(found[name], clauses),
            label_clauses=_keep_clear_labels(item.label_clauses, clauses),
            amount_clause=_keep_clear_amount(item, fields, clauses),
            parts=tuple(
                replace(
                    part,
                    said=_keep_clear(part.said, clauses),
                    label_clauses=_keep_clear_labels(part.label_clauses, clauses),
                    value_clause=_keep_clear_value(part, item, fields, clauses),
                    verb=part.verb if _is_named_alone(part, parts) else "",
                )
                for part in item.parts
            ),
        )
        for name, item in fields.items()
    }


def _derive(item: Field, label: str) -> Said | None:
    """Return the clauses that a description has, or those that a field has by itself."""
    if item.said or not isinstance(item.type, BooleanType):
        return item.said
    asked = _WHETHER.fullmatch(item.description)
    if not asked or not (item.table or item.role is Role.SESSION) or not _is_single(asked):
        return None
    subject, verb, rest = asked.groups()
    if item.table and subject != _name_record(item.table):
        return None
    subject = f"the {label}" if item.table else subject
    said = Said(f"{subject} {verb} {rest}", f"{subject} {_DENIALS[verb]} {rest}")
    return said if is_plain_clause(said.yes) and is_plain_clause(said.no) else None


def _is_single(asked: re.Match[str]) -> bool:
    """Return whether a description has one verb, so that it is clear what is denied."""
    return not any(_VERB.search(asked[part]) for part in (1, 3))


def _keep_clear_amount(
    item: Field, fields: Mapping[str, Field], clauses: Iterable[str]
) -> AmountClause | None:
    """Return a number's clause on an amount, None where it could be one of something else."""
    clause = item.amount_clause
    if clause is None:
        return None
    others = [other for other in fields.values() if other.name != item.name]
    alike = [other.amount_clause for other in others if other.amount_clause]
    labels = [f"the {other.label} {verb}" for other in others for verb in ("is", "are", "has")]
    is_taken = (
        # "The heart beats at at most 110 times" is no English.
        clause.before.endswith(" at")
        or any(_is_begun_alike(clause, other) for other in alike)
        or any(f"{clause.before} ".startswith(f"{said} ") for said in clauses)
        or (not clause.after and clause.before in labels)
    )
    own, known = _find_stems(item.label), _find_stems(f"{clause.before} {clause.after}")
    found = {label: _find_stems(label) for label in _iterate_rival_labels(item, others)}
    # "The traveller is 17 years old" is not said of the "earlier age": that has one more word.
    rivals = [label for label, stems in found.items() if not own < stems or stems <= known]
    named = [label for label in (item.label, *rivals) if _find_stems(label) <= known]
    return None if is_taken or (rivals and named != [item.label]) else clause


def _is_begun_alike(clause: AmountClause, other: AmountClause) -> bool:
    """Return whether two clauses are one as far as the shorter goes."""
    ends = (f"{clause.after} ".lstrip(), f"{other.after} ".lstrip())
    is_alike = ends[0].startswith(ends[1]) or ends[1].startswith(ends[0])
    return clause.before == other.before and is_alike


def _iterate_rival_labels(item: Field, others: Iterable[Field]) -> Iterator[str]:
    """Yield the labels of other numbers of the same unit, which a clause may be of as well."""
    units = _find_units_alike(getattr(item.type, "unit", ""))
    for other in others:
        is_same_column = bool(item.table) and other.column == item.column
        if isinstance(other.type, NumberType) and other.type.unit in units and not is_same_column:
            yield other.label
        for name, kind in other.type.fields if isinstance(other.type, ListType) else ():
            if isinstance(kind, NumberType) and kind.unit in units:
                yield other.label_part(name)


def _find_units_alike(unit: str) -> frozenset[str]:
    """Return the units that measure the same: hours and days, and of another unit itself."""
    return next((units for units in _MEASURES if unit in units), frozenset({unit}))


def _find_stems(text: str) -> frozenset[str]:
    """Return the stems of the words of a text without small words."""
    words = re.findall(r"[\w'-]+", text.lower())
    return frozenset(map(find_stem, words)) - _SMALL


def _keep_clear_value(
    part: Part, item: Field, fields: Mapping[str, Field], clauses: Sequence[str]
) -> Said | None:
    """Return what an item has to do with a value, None where it could be said of something else."""
    kinds = dict(item.type.fields) if isinstance(item.type, ListType) else {}
    kind = kinds.get(part.name)
    labels = getattr(kind, "values", ())
    is_shared = any(
        name != part.name and not {*labels}.isdisjoint(getattr(other, "values", ()))
        for name, other in kinds.items()
    )
    if part.value_clause is None or is_shared:
        return None
    named = [f"the {other.label}" for other in fields.values() if other.type == kind]
    said = [clause for words in named for clause in part.value_clause.say(words).both]
    is_taken = any(
        f"{one} ".startswith(f"{clause} ") or f"{clause} ".startswith(f"{one} ")
        for one in said
        for clause in clauses
    )
    return None if is_taken else _keep_clear(part.value_clause, clauses)


def _keep_clear(said: Said | None, clauses: Iterable[str]) -> Said | None:
    if said is None:
        return None
    own = (said.yes, said.no)
    others = [f"{clause} " for clause in clauses]
    is_clear = all(
        sum(other.startswith(f"{clause} ") or f"{clause} ".startswith(other) for other in others)
        == 1
        for clause in own
    )
    return said if is_clear else None


def _keep_clear_labels(
    items: Iterable[LabelClauses], clauses: Sequence[str]
) -> tuple[LabelClauses, ...]:
    return tuple(words for words in items if _keep_clear(words.said, clauses))


def _is_named_alone(part: Part, parts: Iterable[Part]) -> bool:
    """Return whether what was done on a day is said of no day that is called otherwise."""
    alike = [
        other for other in parts if other.verb and f"{other.verb} ".startswith(f"{part.verb} ")
    ]
    return all(other.label == part.label for other in alike)


def _place(clause: str, table: str, label: str) -> str:
    return clause.replace(_name_record(table), f"the {label}", 1)


def _name_record(table: str) -> str:
    return f"the {table.replace('_', ' ')}"
