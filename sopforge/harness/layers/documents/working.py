"""How a program works by a handbook: by the documents that it has opened, and no others."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sopforge.harness.layers.desk import Desk, Solver
from sopforge.harness.layers.dial import Ability
from sopforge.harness.layers.documents.document import DocumentStanding, EntryPage
from sopforge.harness.layers.documents.shelf import LackingPassageError, Shelf
from sopforge.harness.layers.documents.stating import read_entry_page, read_sheet
from sopforge.harness.layers.text.passages import name_step
from sopforge.harness.layers.text.read_steps import StepReader, number_steps
from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.tool_calls import Refused

FIRST_HITS = 3
"""How many hits somebody opens who takes those of one search for all that there is."""


def work_amid_documents(
    desk: Desk, model: DomainModel, solve: Solver, lacks: Collection[str], *, read: StepReader
) -> str:
    """Work at a desk whose SOP leads to a handbook, by what its documents say.

    What a program does at a step it knows; whether it may is decided by the documents that it
    opened: it gives up where one is lacking that states a step, a rule or a limit of the case.
    """
    page = read_entry_page(desk.sop)
    if page is None:
        return solve(desk, model)
    try:
        return _Worker(desk, model, page, lacks, read).work(solve)
    except LackingPassageError:
        return ""


@dataclass
class _Worker:
    desk: Desk
    model: DomainModel
    page: EntryPage
    lacks: Collection[str]
    read: StepReader
    numbers: Mapping[str, str] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)

    def work(self, solve: Solver) -> str:
        shelf = Shelf(self.desk.call, self.page, Ability.FOLLOWING not in self.lacks)
        if not shelf.following:
            shelf.take_hits(self.desk.text, FIRST_HITS)
        model = self.model
        main = shelf.find_main_section()
        self.numbers = number_steps(model, main)
        for number in self.page.always:
            self._take_whole(shelf, number)
        if Ability.WEIGHING in self.lacks:
            # What somebody takes a text for follows from all of it.
            shelf.take_all()
        if Ability.DATING in self.lacks:
            _take_latest(shelf)
            model = self.read(model, shelf.join_text(), main).model
        else:
            shelf.open_needed(f"section {main}")
        desk = replace(
            self.desk,
            sop=shelf.join_text(),
            call=lambda tool, arguments: self._call(shelf, tool, arguments),
            consult=lambda step: shelf.open_needed(name_step(self.numbers[step])),
        )
        return solve(desk, model)

    def _take_whole(self, shelf: Shelf, number: int) -> None:
        """Take a document with all in which its text goes on."""
        while number:
            number = shelf.take(number).goes_on

    def _call(
        self, shelf: Shelf, tool: str, arguments: Mapping[str, Any]
    ) -> Mapping[str, object] | Refused:
        if tool not in self.desk.tools:
            if tool not in self.aliases:
                self.aliases[tool] = self._find_alias(shelf, tool)
            tool = self.aliases[tool]
        return self.desk.call(tool, arguments)

    def _find_alias(self, shelf: Shelf, tool: str) -> str:
        """Return by what name this desk calls a tool that documents name otherwise."""
        if Ability.READING_ON in self.lacks:
            return next((name for name in self.desk.tools if name.startswith(tool)), tool)
        name = f"tool {tool}"
        if name not in shelf.references and shelf.following:
            shelf.take_all()
        number = shelf.references.get(name)
        sheet = read_sheet(shelf.take(number)) if number else None
        return tool if sheet is None else sheet[1]


def _take_latest(shelf: Shelf) -> None:
    """Take of each document that binds the edition of the latest day, whether it holds or not."""
    shelf.take_all()
    for number, document in list(shelf.held.items()):
        editions = [
            other
            for other in shelf.find_titled(document.title)
            if other.owner == document.owner and other.standing is not DocumentStanding.PAPER
        ]
        shelf.held[number] = max([document, *editions], key=lambda other: other.since)
