"""Handbooks, made on the grader's side: what binds, what does not, and the proof of both."""

from __future__ import annotations

from dataclasses import replace

from sopforge.harness.environment.shown import Shown
from sopforge.harness.layers.documents.composing.binding import (
    OPEN,
    SEARCH,
    TextInPieces,
    iterate_rules,
    iterate_sheets,
    make_page,
)
from sopforge.harness.layers.documents.composing.changes import ChangeFinder
from sopforge.harness.layers.documents.composing.choosing_tools import ToolChooser
from sopforge.harness.layers.documents.composing.cutting import choose_size, cut_text
from sopforge.harness.layers.documents.composing.others import Others, refer_to_earlier
from sopforge.harness.layers.documents.composing.register import Register
from sopforge.harness.layers.documents.handbook import Handbook
from sopforge.harness.layers.documents.proving import prove_handbook
from sopforge.harness.layers.documents.similar_tools import SimilarTool
from sopforge.harness.layers.documents.stating import write_document
from sopforge.harness.layers.ground import Ground
from sopforge.harness.layers.layer import make_dial_error

_BINDING, _OF = 2, 5
"""How much of a handbook binds, where it has more documents than are needed."""


def make_documents(ground: Ground, dose: int, seed: int) -> tuple[Handbook, None]:
    """Return the layer of a handbook of so many documents, or of as many as there have to be.

    What other rules and records lead to is tried in the domain without layers. The handbook has all
    of the SOP with the layers so far.

    Raises:
        MaterialError: no step has anything of which another would show, or no tool is called whose
            earlier records would.
        UnsoundHandbookError: the handbook does not say what the SOP says.
    """
    shown, ground = ground.shown, ground.plain
    model, register = ground.model, Register(seed)
    taken = {*model.tools, *(tool.name for tool in shown.tools)}
    tools = _choose_tools(ground, shown, taken, register)
    text = _cut(shown.sop, dose, register)
    rules = list(iterate_rules(text, tools, register))
    binding = [*rules, *iterate_sheets(tools, shown, register)]
    finder = ChangeFinder(model, ground.rows, text.lines, text.main, seed)
    others = Others(text, rules, finder, model.title, register)
    documents = [*binding, *others.make(max(dose - len(binding), others.least))]
    handbook = Handbook(
        dose=dose,
        seed=seed,
        procedure=model.title,
        page=make_page(text, ground.shown.sop, taken, register),
        documents=tuple(
            write_document(item, text.titles)
            for item in sorted(refer_to_earlier(documents, seed), key=lambda item: item.number)
        ),
        tools=tuple(tools),
    )
    prove_handbook(handbook, shown.sop, model, ground.rows)
    return handbook, None


def _choose_tools(
    ground: Ground, shown: Shown, taken: set[str], register: Register
) -> list[SimilarTool]:
    """Return the tools that documents alone describe, with the numbers of what describes them."""
    chooser = ToolChooser(ground, shown.sop, register.seed)
    found = [
        replace(tool, sheet=register.give_number(), other_sheet=register.give_number())
        for tool in chooser.choose({*taken, SEARCH, OPEN})
    ]
    if not found:
        raise make_dial_error(
            Handbook.name,
            "the procedure calls no look-up or calculator whose other results would show",
            "leave the dial out, or have a step read a record by a tool",
        )
    return found


def _cut(sop: str, dose: int, register: Register) -> TextInPieces:
    lines = sop.split("\n")
    pieces = cut_text(lines, choose_size(lines, dose * _BINDING // _OF))
    return TextInPieces(lines, pieces, [register.give_number() for _ in pieces])
