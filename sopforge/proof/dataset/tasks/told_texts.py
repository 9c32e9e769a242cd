"""Facts that words alone carry: the texts that carry them, and what is read there.

A text has one sentence for each of its facts, and some that say nothing. No two sentences read
alike, so that each is read in one sense only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from sopforge.language.domain.building.field_parts.told_facts import split_sentences
from sopforge.language.domain.fields import PLACE, Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import TextType, Value, ValueNotAllowedError
from sopforge.language.logic.stated_inputs import derive_stated_inputs
from sopforge.proof.dataset.records import format_cells
from sopforge.proof.dataset.tasks.cell_forms import CellForm, list_value_forms
from sopforge.seeds import draw_below, permute_items

_MOST_FURTHER = 2


def state_cells(model: DomainModel, row: Mapping[str, Value | None]) -> dict[str, str]:
    """Return what the task of a row states, as cells; its texts carry the facts of the row."""
    stated = derive_stated_inputs(model, row)
    texts = {item.name: _compose_text(model, item, stated) for item in model.inputs if item.tells}
    return format_cells(model, [item.name for item in model.inputs], {**stated, **texts})


def parse_inputs(model: DomainModel, cells: Mapping[str, str]) -> dict[str, Value | None]:
    """Return what a case begins with by what its task states: inputs, and what its texts carry.

    Raises:
        ValueNotAllowedError: a cell is no value of its field, or a text does not state a fact.
    """
    stated = {item.name: item.parse(cells[item.name]) for item in model.inputs}
    return {**stated, **read_facts(model, cells)}


def read_facts(model: DomainModel, cells: Mapping[str, str]) -> dict[str, Value | None]:
    """Return the facts that the texts among some cells carry; raises as ``parse_inputs``."""
    return {
        name: _read_fact(model.fields[name], item, cells[item.name])
        for item in model.inputs
        if item.name in cells
        for name in item.tells
    }


def with_facts(
    model: DomainModel, rows: Iterable[Mapping[str, Value | None]]
) -> list[dict[str, Value | None]]:
    """Return what tasks state with what their texts carry; raises as ``parse_inputs``."""
    texts = [item.name for item in model.inputs if item.tells]
    return [{**row, **read_facts(model, {name: str(row[name]) for name in texts})} for row in rows]


def _compose_text(model: DomainModel, text: Field, row: Mapping[str, Value | None]) -> Value | None:
    """Return a text around the sentence that a row has of it; a whole one stays as it is."""
    pool = text.type.pool if isinstance(text.type, TextType) else ()
    own, key = row[text.name], (text.name, str(row[model.key]))
    if own not in pool:
        return own
    told = [_choose_sentence(model.fields[name], row[name], key[1]) for name in text.tells]
    bound = {item.text for item in text.sampling.texts}
    others = [item for item in pool if item not in bound and item != own]
    count = draw_below(_MOST_FURTHER + 1, 0, "further", *key)
    around = [str(own), *permute_items(others, 0, "around", *key)[:count]]
    return " ".join(permute_items([*filter(None, told), *around], 0, "told", *key))


def _choose_sentence(item: Field, value: Value | None, key: str) -> str:
    """Return a sentence that tells a value, "" where saying nothing tells that there is none."""
    cell = item.format_cell(value)
    fitting = (part.sentences for part in item.told if part.cell == cell)
    sentences = next(fitting, () if value is None else item.told[0].sentences)
    if not sentences:
        return ""
    sentence = sentences[draw_below(len(sentences), 0, "wording", item.name, key)]
    if PLACE not in sentence:
        return sentence
    shown = (form.write(cell) for form in _list_forms(item))
    return sentence.replace(PLACE, next(filter(None, shown)))


def _list_forms(item: Field) -> list[CellForm]:
    """Return the forms of a value in a sentence: with its unit, for no label stands beside it."""
    return list_value_forms(replace(item, label=""), "", "")


def _read_fact(item: Field, text: Field, cell: str) -> Value | None:
    told = [*dict.fromkeys(_iterate_told_cells(item, cell))]
    if len(told) == 1:
        return item.parse(told[0])
    if not told and item.missing:
        return None
    raise ValueNotAllowedError(
        f"the {text.label} tells {' and '.join(told) or 'no value'} of '{item.name}': '{cell}'"
    )


def _iterate_told_cells(item: Field, text: str) -> Iterator[str]:
    """Yield the values of a fact that the sentences of a text state."""
    for sentence in split_sentences(text):
        for value in item.told:
            if value.cell and sentence in value.sentences:
                yield value.cell
            elif not value.cell:
                yield from _iterate_values(item, value.sentences, sentence)


def _iterate_values(item: Field, wordings: tuple[str, ...], sentence: str) -> Iterator[str]:
    for wording in wordings:
        before, after = map(re.escape, wording.split(PLACE))
        for form in _list_forms(item):
            found = re.fullmatch(f"{before}{form.build_pattern('value')}{after}", sentence)
            if found:
                yield form.read(found["value"])
