"""Complexity: what operators did to the text leaves one reading of it, that of the plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from sopforge.checks.levels.own_material import read_own_material
from sopforge.checks.levels.variants_keep_answers import STAGE, build_variant_workspace, list_levels
from sopforge.checks.spoiling import edit_text
from sopforge.domain.model import DomainModel
from sopforge.errors import StoreError
from sopforge.findings import Finding, make_error_finding
from sopforge.rendering.sop.added.reminders import REMINDER, find_untrue_reminders
from sopforge.rendering.sop.added.standing_alone import complete_line
from sopforge.rendering.sop.document import Line, read_sop
from sopforge.rendering.sop.own_words import OWN_WORDS
from sopforge.rendering.sop.plain_reading import build_plain_reading
from sopforge.workspace import SOP_TEXT, SOP_TRACE, Workspace


class VariantPassages:
    """If SOPForge undoes a level's changes, the SOP has the same lines as the plain SOP.

    The lines keep their order. Only a superseded tool's ban may be added. Reminders are true.
    """

    name = "variant-passages"
    stage = STAGE

    def examine(self, workspace: Workspace) -> list[Finding]:
        plain, lead_ins = _read_complete_lines(workspace), read_own_material(workspace).lead_ins
        return [
            finding
            for level in list_levels(workspace)
            for finding in _check_level(
                level, plain, build_variant_workspace(workspace, level), lead_ins
            )
        ]

    def spoil(self, workspace: Workspace) -> Workspace:
        """Take the word back that says of a passage that it only reminds of another."""
        for level in reversed(list_levels(workspace)):
            for line in _read_lines(build_variant_workspace(workspace, level)):
                if line.excused == REMINDER:
                    changed = line.text[:-2] + "?" + line.text[-1]
                    return edit_text(workspace, f"{STAGE}/{level}/{SOP_TEXT}", line.text, changed)
        raise ValueError("no level has a reminder")


def _read_lines(workspace: Workspace) -> tuple[Line, ...]:
    return read_sop(workspace.files[SOP_TEXT], workspace.files[SOP_TRACE]).lines


def _read_complete_lines(workspace: Workspace) -> list[Line]:
    """Return the lines as each reads alone, as a rule does that was moved or is repeated."""
    return [complete_line(line, workspace.model) for line in _read_lines(workspace)]


def _check_level(
    level: str, plain: Iterable[Line], harder: Workspace, lead_ins: Sequence[str]
) -> list[Finding]:
    try:
        lines = _read_complete_lines(harder)
    except StoreError as cause:
        return [make_error_finding("sop-trace", str(cause), where=f"{level}, {SOP_TRACE}")]
    bans = {f"ban {tool.name}" for tool in harder.model.tools.values() if tool.replaced_by}
    found = [
        line
        for line in _select_binding_lines(build_plain_reading(lines))
        if not bans & set(line.states)
    ]
    wanted = [
        line
        for line in _select_binding_lines(build_plain_reading(tuple(plain)))
        if not bans & set(line.states)
    ]
    return [
        *_find_changed_line(level, wanted, found),
        *_find_untrue_reminders(level, harder.model, lines, lead_ins),
    ]


def _find_changed_line(
    level: str, wanted: Sequence[Line], found: Sequence[Line]
) -> Iterator[Finding]:
    """Report the first place at which the text is another."""
    for plain, harder in zip_longest(wanted, found):
        if plain != harder:
            yield make_error_finding(
                "variant-line",
                f"the text at {level} differs in meaning from the plain text",
                where=f"{level}, {SOP_TEXT}",
                evidence="\n".join(line.text for line in (plain, harder) if line is not None),
            )
            return


def _find_untrue_reminders(
    level: str, model: DomainModel, lines: Iterable[Line], lead_ins: Sequence[str]
) -> Iterator[Finding]:
    for line in find_untrue_reminders(lines, model, lead_ins):
        yield make_error_finding(
            "variant-reminder",
            f"a reminder at {level} differs from the line that it refers to",
            where=f"{level}, {SOP_TEXT}",
            evidence=line.text,
        )


def _select_binding_lines(lines: Iterable[Line]) -> list[Line]:
    """Return the lines that stay: those that bind, and what a language model wrote among them."""
    return [line for line in lines if line.excused in {"", OWN_WORDS}]


CHECK = VariantPassages()
