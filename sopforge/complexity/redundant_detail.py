"""SOP level: superseded limits and tangential advice between the lines of the procedure.

A superseded limit says so in its own sentence, so that only one reading of the text fits.
"""

from __future__ import annotations

from collections.abc import Iterator

from sopforge.complexity.superseded import earlier_value
from sopforge.complexity.variant import Variant
from sopforge.domain.model import DomainModel
from sopforge.domain.schema import Level
from sopforge.logic.english import English
from sopforge.rendering.sop_document import Line, SopDocument, Style, insert_after
from sopforge.seeds import below, permuted

_TANGENTS = (
    "Staff who are new to this procedure work alongside an experienced colleague at first.",
    "Keep the workplace free of papers that belong to other cases.",
    "Questions about this procedure are collected and discussed in the regular team meeting.",
    "A courteous tone helps where a decision is unwelcome; the decision itself stays the same.",
    "Paper forms of earlier years look different but ask for the same entries.",
    "Short interruptions of a service are announced by its operator in the staff bulletin.",
    "The archive keeps closed cases; it plays no part in working on an open one.",
    "Other departments follow procedures of their own that may look similar to this one.",
)


class RedundantDetail:
    """Puts ``dose`` passages behind lines of the SOP, superseded limits and tangents in turn."""

    name = "redundant detail"
    level: Level = "L1"

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        lines = variant.sop.lines
        passages = _passages(variant.model, dose, seed)
        for number, passage in enumerate(passages):
            lines = insert_after(lines, _position(lines, number, seed), passage)
        added = tuple(f"{passage.excused} passage: {passage.text}" for passage in passages)
        return Variant(variant.model, SopDocument(lines), variant.added + added)


def _passages(model: DomainModel, dose: int, seed: int) -> list[Line]:
    superseded = list(_superseded(model, seed))
    passages = []
    for number in range(dose):
        turn = number // 2
        if number % 2 or turn >= len(superseded):
            passages.append(_tangent(number, seed))
        else:
            passages.append(superseded[permuted(turn, len(superseded), seed, "superseded")])
    return passages


def _tangent(number: int, seed: int) -> Line:
    place = permuted(number % len(_TANGENTS), len(_TANGENTS), seed, "tangent")
    return Line(Style.PARAGRAPH, _TANGENTS[place], excused="tangential")


def _superseded(model: DomainModel, seed: int) -> Iterator[Line]:
    """Return a passage for each constant that can have had another value."""
    for item in model.policy.values():
        earlier = earlier_value(model, item.constant, seed)
        if earlier is not None:
            said = f"{item.meaning}: {English({}).constant(earlier)}"
            text = (
                f'An earlier edition of this procedure said "{said}";'
                " that value is superseded and is not to be used."
            )
            yield Line(Style.PARAGRAPH, text, excused="superseded")


def _position(lines: tuple[Line, ...], number: int, seed: int) -> int:
    """Choose the last line of a section or step, never a place between its instructions."""
    places = [
        index
        for index, line in enumerate(lines[:-1])
        if lines[index + 1].style in {Style.SECTION, Style.STEP}
        and line.style in {Style.PARAGRAPH, Style.BULLET}
    ]
    return places[below(len(places), seed, "position", number)]


OPERATOR = RedundantDetail()
