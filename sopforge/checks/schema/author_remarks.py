"""Schema: what the author of a model took for granted, and found contradictory, must be seen."""

from __future__ import annotations

from collections import Counter

from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.findings import Finding, Severity, make_error_finding, make_warning_finding
from sopforge.language.domain.documents.remarks_schema import ContradictionDocument, ValuesDocument
from sopforge.language.domain.documents.schema import DomainDocument
from sopforge.language.domain.documents.validation import validate
from sopforge.language.domain.documents.yaml_documents import read_document
from sopforge.language.domain.reading import Brief
from sopforge.workspace import DOMAIN, Workspace


class AuthorRemarks:
    """Reported contradictions quote the brief, and findings list the author's assumptions.

    So are the texts that were left out of those to draw from.
    """

    name = "author-remarks"
    stage = "schema"

    def examine(self, workspace: Workspace) -> list[Finding]:
        remarks = validate(read_document(workspace.files[DOMAIN], DOMAIN), DomainDocument).remarks
        prose = _join_prose(workspace.brief)
        assumptions = [
            Finding(
                "author-assumed",
                Severity.NOTE,
                item.says,
                DOMAIN,
                evidence=", ".join(item.items),
                hint="state in the brief which of the two is right",
            )
            for item in remarks.assumed
        ]
        contradictions = [
            _make_contradiction_finding(item, prose) for item in remarks.contradictions
        ]
        values = [_make_left_out_finding(item) for item in remarks.values if item.left_out]
        return [*contradictions, *assumptions, *values]

    def spoil(self, workspace: Workspace) -> Workspace:
        def invent(document: Parsed) -> None:
            sentences = {"first": "It is so.", "second": "It is not so.", "followed": "The first."}
            document["remarks"] = {"contradictions": [sentences]}

        return edit_yaml(workspace, DOMAIN, invent)


def _make_contradiction_finding(item: ContradictionDocument, prose: str) -> Finding:
    for sentence in (item.first, item.second):
        if " ".join(sentence.split()) not in prose:
            message = (
                f"a remark quotes {sentence!r} as a contradiction, but the brief does not contain"
                " this sentence"
            )
            hint = "quote the sentence word for word, or delete the remark"
            return make_error_finding("remark-not-in-brief", message, where=DOMAIN, hint=hint)
    return make_warning_finding(
        "brief-contradicts-itself",
        f"{item.first!r} and {item.second!r} cannot both hold",
        where=DOMAIN,
        evidence=f"the model follows: {item.followed}",
        hint="delete one of the two sentences from the brief, or approve the one that the model"
        " follows",
    )


def _make_left_out_finding(item: ValuesDocument) -> Finding:
    reasons = Counter(part.reason for part in item.left_out)
    listed = "; ".join(f"{reason} ({count})" for reason, count in sorted(reasons.items()))
    return Finding(
        "values-left-out",
        Severity.NOTE,
        f"cases use {item.kept} of the {item.given} text{'s' * (item.given != 1)} written for"
        f" '{item.field}': {listed}",
        f"fields.{item.field}",
        evidence="\n".join(f"{part.text!r} {part.reason}" for part in item.left_out),
        hint="no action is needed; add texts to the field if there are too few",
    )


def _join_prose(brief: Brief) -> str:
    """Return all that the brief says in prose, without its line breaks."""
    parts = brief.parts
    texts = [
        parts.business_task,
        parts.task_context,
        brief.draft,
        parts.guidelines,
        *parts.additions,
    ]
    return " ".join(" ".join(texts).split())


CHECK = AuthorRemarks()
