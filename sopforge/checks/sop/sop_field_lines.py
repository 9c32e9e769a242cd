"""The lines of an SOP that introduce a field or a result: labels, places, unit and words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from sopforge.checks.sop.brief_prose import is_same_prose
from sopforge.checks.sop.field_forms import has_more_than_form, has_other_clauses
from sopforge.domain.fields import Field
from sopforge.domain.model import DomainModel
from sopforge.domain.values.types import (
    BOOLEAN_WORDS,
    BooleanType,
    EnumType,
    ListType,
    NumberType,
    SetType,
    TextType,
    ValueType,
)
from sopforge.findings import Finding, make_error_finding
from sopforge.logic.phrasing.pattern_words import describe_form
from sopforge.reading.field_line_words import (
    WELL_FORMED,
    are_same_answers,
    are_same_values,
    reword_form,
    split_form,
)
from sopforge.reading.note_words import find_same_note
from sopforge.reading.sop_passages import REFERENCE_LIST, Facts, Passage, collect_facts
from sopforge.rendering.sop.frames import ENTRY, RESULT, RETURNED, WORKED_OUT, is_plain_name
from sopforge.rendering.sop.general import render_intermediate_rules
from sopforge.rendering.sop.sections.dictionary import may_be_none
from sopforge.rendering.sop.sections.fields import (
    describe_entries,
    is_label_repeated,
    is_unit_described,
    list_label_owners,
    phrase_answer_clauses,
    phrase_answers,
    phrase_asked_answers,
    spell_shared_labels,
)
from sopforge.rendering.sop.sections.results import (
    HEAD,
    HEAD_WITH_UNSET,
    NOWHERE,
    ResultRow,
    describe_result,
    read_result_row,
)
from sopforge.workspace import SOP_TEXT

_ENTRIES = "; each entry has "
_FORM = re.compile(
    r"\ba number with \d+ decimal places?|\ba whole number"
    r"|\ba date(?:,? \(?year-month-day\)?)?(?=[;:.]|$)"
)
"""What a line says of the form of a field, which may stand before its description."""


def find_introduced_field(model: DomainModel, passage: Passage) -> Field | None:
    """Return the field that a bullet is about, None for other passages."""
    if not passage.is_bullet:
        return None
    found = RESULT.match(passage.text)
    fields = model.list_introduced_fields()
    item = fields.get(found["name"]) if found else None
    if found and item and item.label == found["label"]:
        return item
    found = ENTRY.match(passage.text)
    return fields.get(found["name"]) if found else None


class ResultTable(NamedTuple):
    """A table of results: the sentence that it stands below, and its rows without the head."""

    lead: str
    rows: Sequence[Sequence[str]]


def take_result_tables(passages: Iterable[Passage]) -> tuple[list[Passage], list[ResultTable]]:
    """Return passages without the tables of results below them, and these tables."""
    kept, tables = [], []
    for passage in passages:
        is_table = bool(passage.rows) and tuple(passage.rows[0]) in {HEAD, HEAD_WITH_UNSET}
        kept.append(replace(passage, rows=[]) if is_table else passage)
        tables += [ResultTable(passage.text, passage.rows[1:])] if is_table else []
    return kept, tables


def check_result_tables(
    model: DomainModel, tables: Iterable[ResultTable], numbers: dict[str, str]
) -> Iterator[Finding]:
    """Report rows of results that differ from the model, or that do not belong where they are."""
    outcomes = {item.name: item for item in model.outcomes}
    intermediates = {item.name: item for item in model.intermediates}
    for lead, rows in tables:
        is_scored = find_same_note(lead, render_intermediate_rules()) is not None
        left = intermediates if is_scored else outcomes
        for row in rows:
            said = read_result_row(row)
            item = left.pop(said.element, None) if said is not None else None
            if said is None or item is None or not _is_result_row(model, item, said, numbers):
                yield _make_result_finding(row)


def _is_result_row(
    model: DomainModel, item: Field, row: ResultRow, numbers: dict[str, str]
) -> bool:
    """Return whether a row says of a result what the model does."""
    known = describe_result(model, item)
    steps = _list_deciding_steps(model, item, numbers)
    is_list = REFERENCE_LIST.fullmatch(row.source) is not None
    return (
        _is_named(item, row.result)
        and (row.value == known.value or are_same_values(row.value, known.value))
        and (is_list if steps else row.source == NOWHERE)
        and collect_facts(row.source).references == steps
    )


def _is_named(item: Field, words: str) -> bool:
    """Return whether a cell has the label of a result, and after it no fact but its description."""
    meaning = words.removeprefix(f"{item.label}: ")
    known = " ".join(item.description.split())
    is_free = collect_facts(meaning.replace(known, "")) == Facts((), (), ())
    is_like = meaning != words and is_free and is_same_prose(meaning, known, item.label)
    return words == item.label or is_like


def check_field_lines(
    model: DomainModel,
    found: dict[str, list[Passage]],
    tables: Iterable[ResultTable],
    numbers: dict[str, str],
    needed: Collection[str] = (),
) -> Iterator[Finding]:
    """Report fields that a line introduces differently, or that have no line of their kind.

    ``needed`` are the values that steps name by their labels alone.
    """
    rows = [read_result_row(row) for table in tables for row in table.rows]
    tabled = {row.element for row in rows if row is not None}
    for item in model.list_introduced_fields().values():
        is_needed = item.name in needed
        expected = [_build_introduction_facts(item, is_stated=True)]
        if not (is_needed and may_be_none(model, item)):
            expected.append(_build_introduction_facts(item, is_stated=False))
        results = [_build_result_facts(model, item, numbers)]
        lines = [_spell_labels(model, item, passage) for passage in found.get(item.name, [])]
        said = [_read_field_line(model, item, passage) for passage in lines]
        for passage, what in zip(lines, said, strict=True):
            is_sound = _is_sound(item, passage, is_needed=is_needed)
            if what not in [*expected, *results] or not is_sound:
                yield _make_field_finding(item, passage.text)
        is_result = item in model.outcomes or item in model.intermediates
        if item in model.inputs and expected[0] not in said:
            yield _make_field_finding(item, "the field is not listed among the inputs")
        if is_result and results[0] not in said and item.name not in tabled:
            yield _make_field_finding(item, "the field is not listed among the results")
        if is_needed and not lines and item.name not in tabled:
            yield _make_field_finding(item, "the field is not listed in the data dictionary")


def check_field_groups(
    model: DomainModel, passages: Iterable[Passage], numbers: dict[str, str]
) -> Iterator[Finding]:
    """Report values that stand in the data dictionary where they do not come from."""
    sources: set[str] | None = None
    for passage in passages:
        item = find_introduced_field(model, passage)
        if not passage.is_bullet:
            sources = _find_sources(model, passage.text, numbers)
        elif item is not None and sources is not None and item.name not in sources:
            yield _make_field_finding(item, passage.text)


def _find_sources(model: DomainModel, heading: str, numbers: dict[str, str]) -> set[str] | None:
    """Return the fields of which a heading says that they come from there, None for others."""
    returned, decided = RETURNED.match(heading), WORKED_OUT.match(heading)
    if returned is not None:
        tool = model.offered.tools.get(returned["tool"])
        return set(tool.returns) if tool else set()
    if decided is not None:
        number = decided["step"].partition(" ")[0]
        steps = [step for step in model.steps.values() if numbers[step.id] == number]
        return {name for step in steps for name in step.decide}
    return None


def _make_field_finding(item: Field, evidence: str) -> Finding:
    return make_error_finding(
        "sop-field-differs",
        f"what the text says of {item.name} does not match the model",
        where=SOP_TEXT,
        evidence=evidence,
        hint="copy its values, decimal places, unit, 'missing' and 'empty' from the model",
    )


def _make_result_finding(row: Sequence[str]) -> Finding:
    return make_error_finding(
        "sop-field-differs",
        f"the row for the result {' | '.join(row)[:60]} does not match the model",
        where=SOP_TEXT,
        evidence=" | ".join(row),
        hint="copy the row's label, element, values and steps from the model",
    )


def _is_sound(item: Field, passage: Passage, *, is_needed: bool) -> bool:
    """Return whether a line has the clauses, entries and label of a field, as far as it must."""
    is_true = _has_clauses(item, passage) and _has_entries(item, passage)
    is_result = RESULT.match(passage.text) is not None
    has_more = not is_result and has_more_than_form(item, passage.text)
    return is_true and not has_more and (_is_whole(item, passage) or not is_needed)


def _is_whole(item: Field, passage: Passage) -> bool:
    """Return whether a line has what nothing else says of a value that steps name by its label.

    That is the label, and what the entries of a list have.
    """
    labelled = ENTRY.render(name=item.name, label=item.label, meaning="")
    is_named = is_plain_name(item.name, item.label) or is_label_repeated(item, "")
    is_labelled = is_named or passage.text.startswith(labelled)
    return is_labelled and describe_entries(item) in passage.text


def _spell_labels(model: DomainModel, item: Field, passage: Passage) -> Passage:
    """Return a line on a field with the labels that it gives as those of another one."""
    owners = list_label_owners(model, item)
    return replace(passage, text=spell_shared_labels(passage.text, owners))


def _read_field_line(model: DomainModel, item: Field, passage: Passage) -> Facts | None:
    """Return what a line says besides the description; None where label or unit are others."""
    is_by_label = passage.text.startswith(ENTRY.render(name=item.name, meaning=item.label))
    kind, described = item.type, replace(item, description=item.label) if is_by_label else item
    is_plain = not isinstance(kind, NumberType) or not kind.unit or is_unit_described(described)
    if not is_plain and f"in {getattr(kind, 'unit', '')}" not in passage.text:
        return None
    heads = [
        RESULT.render(label=item.label, name=item.name, meaning=""),
        *(ENTRY.render(name=item.name, label=label, meaning="") for label in (item.label, "")),
    ]
    head = next((words for words in heads if passage.text.startswith(words)), None)
    if head is None:
        return None
    rest = reword_form(passage.text.removeprefix(head))
    if not _is_described(item, rest) or not _has_form(item, rest):
        return None
    rest = _remove_words(rest, " ".join(item.description.split()))
    for words in [item.label, *_iterate_named_words(item)]:
        rest = _remove_unquoted(rest, words)
    for step in model.steps.values():
        rest = rest.replace(f"({' '.join(step.title.split())})", "()")
    return collect_facts(rest)


def _remove_words(text: str, words: str) -> str:
    """Return a text without some words where they stand first."""
    return re.sub(rf'(?<![\w"]){re.escape(words)}(?![\w"])', "", text, count=1)


def _remove_unquoted(text: str, words: str) -> str:
    """Return a text without some words where they first stand outside quotes.

    The word for no value may have the unit in it: "no rooms named".
    """
    parts = text.split('"')
    for place in range(0, len(parts), 2):
        kept = _remove_words(parts[place], words)
        if kept != parts[place]:
            return '"'.join([*parts[:place], kept, *parts[place + 1 :]])
    return text


def _is_described(item: Field, words: str) -> bool:
    """Return whether words begin with the description of a field, or with one of like words."""
    known = " ".join(item.description.split())
    if re.match(rf"{re.escape(known)}(?:;|\.?$|\. A (?:whole )?(?:number|date)\b)", words):
        return True
    said = _FORM.sub("", ";".join(words.split(";")[: known.count(";") + 1]))
    unit = getattr(item.type, "unit", "")
    if unit and not is_unit_described(item):
        said = re.sub(rf"\bin {re.escape(unit)}(?!\w)", "", said)
    # Where a description says no more than the label, the label alone stands for it.
    alone = {known.strip(" ,.;"), *([item.label] if is_label_repeated(item, "") else [])}
    is_alone = said.strip(" ,.;") in alone
    return said.startswith('"') or is_alone or is_same_prose(said, known, item.label)


def _has_form(item: Field, text: str) -> bool:
    """Return whether a line says of which parts a well formed entry is, in their order."""
    is_pattern = item.malformed is not None and isinstance(item.type, TextType)
    known, said = describe_form(item), WELL_FORMED.search(text)
    if not is_pattern or known in text or said is None:
        return True
    return split_form(said["form"]) == split_form(known)


def _has_clauses(item: Field, passage: Passage) -> bool:
    """Return whether a line that says what holds for an answer says it of the right one."""
    if item.said is None:
        return not has_other_clauses(item, passage.text)
    known = phrase_answer_clauses(item.said), phrase_answers(item.said), phrase_asked_answers(item)
    is_said = any(words in passage.text for words in known if words)
    return is_said or are_same_answers(passage.text, item.said, item.description)


def _has_entries(item: Field, passage: Passage) -> bool:
    """Return whether a line that says what entries have says it in the words of the model.

    Of labels, units and answers in a row, other words may go with the wrong one.
    """
    return _ENTRIES not in passage.text or describe_entries(item) in passage.text


def _iterate_named_words(item: Field) -> Iterator[str]:
    """Return the units and labels that a line about a field names."""
    yield from item.clauses
    parts = getattr(item.type, "fields", ())
    yield from (item.label_part(name) for name, _ in parts)
    kinds = [item.type, *(kind for _, kind in parts)]
    yield from (kind.unit for kind in kinds if isinstance(kind, NumberType) and kind.unit)


def _build_introduction_facts(item: Field, *, is_stated: bool) -> Facts:
    """Return what the line of an input says, or of a value that a step makes known."""
    form = (
        collect_facts(describe_form(item))
        if item.malformed
        else Facts(_list_field_labels(item), _list_decimal_places(item), ())
    )
    empty = (item.type.empty,) if isinstance(item.type, SetType | ListType) else ()
    nothing = (*empty, *([item.missing] if item.missing else ())) if is_stated else ()
    quoted = (*nothing, *form.quoted) if item.malformed else (*form.quoted, *nothing)
    return Facts(quoted, form.figures, ())


def _build_result_facts(model: DomainModel, item: Field, numbers: dict[str, str]) -> Facts:
    empty = (item.type.empty,) if isinstance(item.type, SetType | ListType) else ()
    is_open = item in model.outcomes or model.may_decide_nothing(item.name)
    missing = (item.missing,) if item.missing and is_open else ()
    steps = _list_deciding_steps(model, item, numbers)
    labels = BOOLEAN_WORDS if isinstance(item.type, BooleanType) else _list_field_labels(item)
    return Facts((*labels, *empty, *missing), _list_decimal_places(item), steps)


def _list_deciding_steps(
    model: DomainModel, item: Field, numbers: dict[str, str]
) -> tuple[str, ...]:
    """Return the numbers of the steps that settle a field."""
    return tuple(
        numbers[step.id]
        for step in model.steps.values()
        if item.name in {*step.decide, *(step.end or {}), *_list_returned_fields(model, step.call)}
    )


def _list_returned_fields(model: DomainModel, tool: str | None) -> tuple[str, ...]:
    return model.tools[tool].returns if tool else ()


def _list_field_labels(item: Field) -> tuple[str, ...]:
    if isinstance(item.type, ListType):
        return tuple(label for _, kind in item.type.fields for label in _list_type_labels(kind))
    return _list_type_labels(item.type)


def _list_type_labels(kind: ValueType) -> tuple[str, ...]:
    match kind:
        case EnumType(labels) | SetType(labels):
            return labels
        case BooleanType():
            return BOOLEAN_WORDS[::-1]
        case _:
            return ()


def _list_decimal_places(item: Field) -> tuple[str, ...]:
    kinds = [item.type, *(kind for _, kind in getattr(item.type, "fields", ()))]
    return tuple(str(kind.places) for kind in kinds if isinstance(kind, NumberType) and kind.places)
