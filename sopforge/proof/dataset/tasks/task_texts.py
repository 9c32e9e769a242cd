"""A task in words: a request as people send one, with every input and its exact cell.

A wording is a sequence of literal parts and fields. The same sequence is filled in to write a text
and turned into a regular expression to read one back. The wordings are those of the domain, if it
has ``requests``, else an e-mail, a form, the note of a call and a ticket.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import TypeAlias

from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.requests import SLOT, add_slots
from sopforge.language.domain.values.types import BooleanType
from sopforge.language.english.nouns import conjugate_be
from sopforge.language.logic.stated_inputs import list_stated_fields
from sopforge.proof.dataset.tasks.cell_forms import (
    CellForm,
    ClauseForm,
    PlainForm,
    build_choice_pattern,
    list_value_forms,
)
from sopforge.seeds import draw_below

Part: TypeAlias = str | Field
Wording: TypeAlias = Callable[[str, tuple[Field, ...]], list[Part]]


def render_task_text(model: DomainModel, task_id: str, cells: Mapping[str, str]) -> str:
    """Return a task in words, with the entries that have cells; the id decides its wording."""
    stated = list_stated_fields(model, cells)
    return _render(model, _choose_wording(model, task_id, stated), cells)


def leave_out_entries(
    model: DomainModel, text: str, cells: Mapping[str, str], left_out: Collection[str]
) -> str | None:
    """Return a text without some of the entries that it states; what comes after them stays.

    None if it is no text of a task with these cells, or there is no entry left.
    """
    left = {name: cell for name, cell in cells.items() if name not in left_out}
    return replace_entries(model, text, cells, left)


def replace_entries(
    model: DomainModel, text: str, cells: Mapping[str, str], stated: Mapping[str, str]
) -> str | None:
    """Return a text that states other entries than it does; what comes after them stays.

    None if it is no text of a task with these cells, or no entry is to be stated.
    """
    shown = list_stated_fields(model, cells)
    for wording in _list_wordings(model, shown) if stated else ():
        whole = _render(model, wording, cells)
        if text.startswith(whole):
            return _render(model, wording, stated) + text[len(whole) :]
    return None


def _render(model: DomainModel, wording: Wording, cells: Mapping[str, str]) -> str:
    stated = list_stated_fields(model, cells)
    return "".join(
        part if isinstance(part, str) else _format_cell(wording, part, cells[part.name])
        for part in _build_parts(model, wording, stated)
    )


def parse_task_text(model: DomainModel, task_id: str, text: str) -> dict[str, str] | None:
    """Return the cells that a task's text states, None if it is no text of the task.

    What only other kinds of cases have is not in the text: its cell has the word for that.
    """
    for shown in _list_shown_fields(model):
        found = _parse_cells(model, _choose_wording(model, task_id, shown), shown, text)
        if found is not None:
            cells = {item.name: found.get(item.name, item.missing) for item in model.inputs}
            if list_stated_fields(model, cells) == shown:
                return cells
    return None


def _list_shown_fields(model: DomainModel) -> list[tuple[Field, ...]]:
    """Return which inputs a text may state: by the kinds of which a case can be."""
    sizes = range(len(model.kinds) + 1)
    chosen = [kinds for size in sizes for kinds in combinations(model.kinds, size)]
    left = [
        {name for kind in model.kinds if kind not in one for name in kind.fields} for one in chosen
    ]
    return [tuple(item for item in model.inputs if item.name not in names) for names in left]


def _parse_cells(
    model: DomainModel, wording: Wording, shown: tuple[Field, ...], text: str
) -> dict[str, str] | None:
    parts = _build_parts(model, wording, shown)
    shape = "".join(
        re.escape(part) if isinstance(part, str) else _build_cell_pattern(wording, place, part)
        for place, part in enumerate(parts)
    )
    found = re.fullmatch(shape, text, re.DOTALL)
    if found is None:
        return None
    return {
        part.name: _find_cell(wording, place, part, found)
        for place, part in enumerate(parts)
        if isinstance(part, Field)
    }


def _find_cell(wording: Wording, place: int, item: Field, found: re.Match[str]) -> str:
    """Return the cell of a field at its place in a text that was read."""
    groups = found.groupdict()
    forms = enumerate(_list_forms(item, wording))
    return next(
        form.read(shown)
        for number, form in forms
        if (shown := groups[f"p{place}_{number}"]) is not None
    )


# wordings


def _build_email(title: str, fields: tuple[Field, ...]) -> list[Part]:
    parts: list[Part] = [f"Subject: {title}\n\nHello,\n\nhere is a new case for you:\n"]
    for item in fields:
        parts += [f"\n- {item.label}: ", item]
    return [*parts, "\n\nPlease handle it by the procedure and send me the results.\n\nThank you"]


def _build_form(title: str, fields: tuple[Field, ...]) -> list[Part]:
    parts: list[Part] = [f"Request form: {title}\n"]
    for item in fields:
        meaning = " ".join(item.description.split()).rstrip(".")
        is_repeated = meaning.lower() == item.label.lower()
        aside = "" if is_repeated else f" ({meaning})"
        parts += [f"\n{_capitalize(item.label)}{aside}: ", item]
    return parts


def _build_call_note(title: str, fields: tuple[Field, ...]) -> list[Part]:
    parts: list[Part] = [f"Note of a call ({title}): The caller reports a new case."]
    for item in fields:
        is_answer = isinstance(item.type, BooleanType)
        subject = "" if is_answer else f"The {item.label} {conjugate_be(item.label)} "
        parts += [f" {subject}", item, "."]
    return [*parts, " The caller asks for the results."]


def _build_ticket(title: str, fields: tuple[Field, ...]) -> list[Part]:
    spoken = [item for item in fields if _is_spoken(item)]
    listed = [item for item in fields if not _is_spoken(item)]
    parts: list[Part] = [f"New ticket: {title}\n\nPlease take on the case with "]
    for place, item in enumerate(listed):
        joint = "" if not place else " and " if place == len(listed) - 1 else ", "
        parts += [f"{joint}{_phrase_noun(item)} ", item]
    parts += [part for item in spoken for part in (". ", item)]
    return [*parts, ". Close the ticket with the results."]


def _is_spoken(item: Field) -> bool:
    """Return whether an answer is a sentence of its own, and not the answer to a question."""
    return isinstance(item.type, BooleanType) and item.said is not None


_WORDINGS: tuple[Wording, ...] = (_build_call_note, _build_ticket, _build_email, _build_form)
_QUOTING = (_build_call_note, _build_ticket)


def _build_request(text: str, title: str, fields: tuple[Field, ...]) -> list[Part]:
    """Return a text of the domain's own; entries that it does not name stand below it.

    Where an entry that it names is left out, the rest is stated as in a form.
    """
    named = {item.name: item for item in fields}
    slots = SLOT.split(add_slots(text, {item.name: item.label for item in fields}))
    if not set(slots[1::2]) <= set(named):
        return _build_form(title, fields)
    return [named[part] if place % 2 else part for place, part in enumerate(slots) if part]


def _list_wordings(model: DomainModel, shown: Collection[Field]) -> Sequence[Wording]:
    """Return the wordings of a text with some inputs: none that has those of another kind."""
    names = {item.name for item in shown}
    others = {name for kind in model.kinds for name in kind.fields} - names
    fitting = [text for text in model.requests if others.isdisjoint(SLOT.findall(text))]
    return [partial(_build_request, text) for text in fitting] or _WORDINGS


def _choose_wording(model: DomainModel, task_id: str, shown: Collection[Field]) -> Wording:
    wordings = _list_wordings(model, shown)
    return wordings[draw_below(len(wordings), 0, "wording", task_id)]


def _build_parts(model: DomainModel, wording: Wording, stated: tuple[Field, ...]) -> list[Part]:
    """Return a wording of some fields; texts that carry facts stand below it, each by itself."""
    texts = [item for item in stated if item.tells and wording in _WORDINGS]
    others = tuple(item for item in stated if item not in texts)
    parts = wording(" ".join(model.title.split()), others)
    for text in texts:
        parts += [f"\n\n{_capitalize(text.label)}:\n", text]
    return parts


def _capitalize(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _phrase_noun(item: Field) -> str:
    is_answer = isinstance(item.type, BooleanType)
    return item.label if is_answer else f"the {item.label}"


# cells


def _format_cell(wording: Wording, item: Field, cell: str) -> str:
    shown = (form.write(cell) for form in _list_forms(item, wording))
    return next(words for words in shown if words is not None)


def _build_cell_pattern(wording: Wording, place: int, item: Field) -> str:
    # A pattern may have a name for one group only: each form of a field has its own.
    shapes = [
        form.build_pattern(f"p{place}_{number}")
        for number, form in enumerate(_list_forms(item, wording))
    ]
    return f"(?:{'|'.join(shapes)})"


def _list_forms(item: Field, wording: Wording) -> list[CellForm]:
    """Return the forms in which a field's cells are shown: a cell has the first that fits."""
    mark = '"' if wording in _QUOTING and not item.tells else ""
    texts = [item.missing] if item.missing else item.malformed.texts if item.malformed else ()
    before, is_clause = "", wording in _QUOTING and _is_spoken(item)
    if is_clause or (wording is _build_call_note and isinstance(item.type, BooleanType)):
        before = f"{_capitalize(item.label)}: "
    clauses = [("yes", item.said.yes), ("no", item.said.no)] if is_clause and item.said else []
    return [
        *(ClauseForm(cell, _capitalize(clause)) for cell, clause in clauses),
        *([PlainForm(build_choice_pattern(texts), f"{before}{mark}", mark)] if texts else []),
        *list_value_forms(item, mark, before),
    ]
