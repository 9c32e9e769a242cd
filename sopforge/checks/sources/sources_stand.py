"""Schema: each quotation stands in the brief, and each item that is named is one of the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sopforge.authors.sources.account import Account, read_remarks
from sopforge.authors.sources.gaps import has_too_much_set_aside
from sopforge.checks.sources.accounts import find_account
from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.findings import (
    Finding,
    make_error_finding,
    make_note_finding,
    make_warning_finding,
)
from sopforge.language.domain.documents.remarks_schema import RemarksDocument
from sopforge.workspace import DOMAIN, Workspace


class SourcesStand:
    """The brief contains each quotation, and the model contains each item that a source names."""

    name = "sources-stand"
    stage = "schema"
    compares_brief = True

    def examine(self, workspace: Workspace) -> list[Finding]:
        account = find_account(workspace)
        if account is None:
            return []
        aside = _iterate_set_aside(account, read_remarks(workspace.files[DOMAIN], DOMAIN))
        return [*_iterate_false_names(account), *aside]

    def spoil(self, workspace: Workspace) -> Workspace:
        def invent(document: Parsed) -> None:
            sources = [{"says": "Nobody has said this.", "items": ["policy.nothing"]}]
            document["remarks"] = {"sources": sources}

        return edit_yaml(workspace, DOMAIN, invent)


def _iterate_false_names(account: Account) -> Iterator[Finding]:
    for says in account.lost:
        yield make_error_finding(
            "source-not-in-brief",
            f"the brief does not contain {says!r}",
            where=DOMAIN,
            hint="quote the brief word for word, without omissions",
        )
    for name, says in account.unknown:
        yield make_error_finding(
            "source-of-nothing",
            f"the model has no item '{name}'",
            where=DOMAIN,
            evidence=says,
            hint="name items as in policy.x, decisions.d.R1, steps.s.1, tools.t.G1, fields.f",
        )


def _iterate_set_aside(account: Account, remarks: RemarksDocument) -> Iterator[Finding]:
    """Yield what is set aside, and that it is much where it is."""
    if not remarks.set_aside:
        return
    counts = Counter(item.because for item in remarks.set_aside)
    listed = ", ".join(f"{reason} ({count})" for reason, count in sorted(counts.items()))
    evidence = "\n".join(f"{item.because}: {item.says}" for item in remarks.set_aside)
    yield make_note_finding(
        "set-aside",
        f"no item of the model comes from these passages of the brief: {listed}",
        where=DOMAIN,
        evidence=evidence,
        hint="check whether any of them is binding",
    )
    if has_too_much_set_aside(account):
        yield make_warning_finding(
            "much-set-aside",
            "more than one in ten of the brief's figures and quoted words are set aside",
            where=DOMAIN,
            evidence=evidence,
            hint="read the passages that are set aside, and confirm each",
        )


CHECK = SourcesStand()
