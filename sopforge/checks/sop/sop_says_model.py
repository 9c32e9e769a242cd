"""SOP: the text says what the model and the brief make of it, statement for statement."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sopforge.artifacts.rendering.sop.document import Statement, read_sop
from sopforge.checks.sop.differences import (
    Difference,
    StatementChange,
    compare_statements,
    derive_sop,
)
from sopforge.checks.sop.own_paragraphs import find_faults
from sopforge.checks.spoiling import edit_text
from sopforge.errors import StoreError
from sopforge.findings import (
    Finding,
    make_error_finding,
    make_note_finding,
    make_warning_finding,
)
from sopforge.workspace import SOP_TEXT, SOP_TRACE, Workspace

_OTHER_WORDS = (
    "have a language model read it (sopforge edit --reader), or say yourself that it means the same"
    " (--sign); or edit the rule, or the clause of the brief, from which the line is written"
)


class SopSaysModel:
    """Each statement of the SOP is one of the model's, in its place; none is lost or added."""

    name = "sop-says-model"
    stage = "sop"
    compares_brief = True

    def examine(self, workspace: Workspace) -> list[Finding]:
        try:
            stored = read_sop(workspace.files[SOP_TEXT], workspace.files[SOP_TRACE])
        except StoreError as cause:
            return [make_error_finding("sop-trace", str(cause), where=SOP_TRACE)]
        derived = derive_sop(workspace)
        found = compare_statements(derived, stored.statements)
        reported = (_REPORTS[item.kind](workspace, item) for item in found)
        return [item for item in reported if item is not None]

    def spoil(self, workspace: Workspace) -> Workspace:
        """Turn one comparison round."""
        return edit_text(workspace, SOP_TEXT, "at least", "at most ")


def _report_lost(_: Workspace, item: Difference) -> Finding:
    text = _quote(item.derived)
    return make_error_finding(
        "sop-not-stated",
        "the text no longer has a statement of the model",
        where=SOP_TEXT,
        evidence=text,
        hint="put the line back, or remove from the model what it states",
    )


def _report_added(workspace: Workspace, item: Difference) -> Finding:
    text = _quote(item.stated)
    faults = find_faults(workspace.model, text)
    if item.is_rule:
        faults = ["it reads as a rule of this trade", *faults]
    if not faults:
        return make_warning_finding(
            "sop-added",
            "the text has a line that the model does not make, and that no proof covers",
            where=SOP_TEXT,
            evidence=text,
            hint="check that it decides nothing, or say it in the brief: as a step's 'instruction'",
        )
    return make_error_finding(
        "sop-not-marked",
        f"the text has a line that states nothing of the model ({'; '.join(faults)})",
        where=SOP_TEXT,
        evidence=text,
        hint="delete the line, or say it in the brief: as a rule, or as a step's 'instruction'",
    )


def _report_moved(_: Workspace, item: Difference) -> Finding:
    return make_error_finding(
        "sop-moved",
        "a statement stands in another place than the model has it",
        where=SOP_TEXT,
        evidence=_quote(item.stated),
        hint="put the line back, or change the order in the model",
    )


def _report_changed(_: Workspace, item: Difference) -> Finding | None:
    stated, derived = item.stated, item.derived
    if item.is_alike:
        return None
    evidence = f"the text: {_quote(stated)}\nthe model: {_quote(derived)}"
    if item.is_vouched_for and stated is not None:
        return _report_vouched(stated, evidence)
    if item.guards:
        return make_error_finding(
            "sop-reads-differently",
            f"a line says something else than the model ({'; '.join(item.guards)})",
            where=SOP_TEXT,
            evidence=evidence,
            hint="restore the line, or edit the rule itself",
        )
    return make_error_finding(
        "sop-not-read",
        "a line is in other words, which the grammar does not read as the same",
        where=SOP_TEXT,
        evidence=evidence,
        hint=_OTHER_WORDS,
    )


def _report_vouched(stated: Statement, evidence: str) -> Finding:
    """Return who says that other words mean the same; the next approver looks at a person's."""
    if stated.signer:
        return make_warning_finding(
            "sop-signed",
            f"{stated.signer} states that a line in other words means the same",
            where=SOP_TEXT,
            evidence=evidence,
            hint="compare both, and approve only if you agree",
        )
    return make_note_finding(
        "sop-read",
        f"{stated.read_by} read that a line in other words means the same",
        where=SOP_TEXT,
        evidence=evidence,
    )


def _quote(statement: Statement | None) -> str:
    return statement.text if statement else ""


_REPORTS: Mapping[StatementChange, Callable[[Workspace, Difference], Finding | None]] = {
    StatementChange.LOST: _report_lost,
    StatementChange.ADDED: _report_added,
    StatementChange.MOVED: _report_moved,
    StatementChange.CHANGED: _report_changed,
}
CHECK = SopSaysModel()
