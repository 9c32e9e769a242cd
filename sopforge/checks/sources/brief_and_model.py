"""Schema: the model says what the brief says, passage by passage, and nothing of it is left out."""

from __future__ import annotations

from sopforge.authors.sources.differences import find_differences
from sopforge.authors.sources.gaps import find_gaps
from sopforge.checks.sources.account_findings import make_difference_finding, make_gap_finding
from sopforge.checks.sources.accounts import find_account
from sopforge.checks.sources.named_outcomes import iterate_outcome_findings
from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.findings import Finding
from sopforge.language.domain.reading import Brief
from sopforge.workspace import DOMAIN, Workspace


class BriefAndModel:
    """Each model item has the figures and labels of the passages it cites.

    What binds in the brief leads to an item or is set aside, and each constant and rule comes from
    a passage or is an assumption. Outcomes are those that the brief names, where it names them.
    """

    name = "brief-and-model"
    stage = "schema"
    compares_brief = True

    def examine(self, workspace: Workspace) -> list[Finding]:
        found = list(iterate_outcome_findings(workspace))
        account = find_account(workspace)
        if account is None:
            return found
        gaps = find_gaps(account, workspace.model, _join_prose(workspace.brief))
        return [
            *found,
            *(make_difference_finding(item, account) for item in find_differences(account)),
            *map(make_gap_finding, gaps),
        ]

    def spoil(self, workspace: Workspace) -> Workspace:
        says = workspace.brief.parts.business_task

        def invent(document: Parsed) -> None:
            limit = {"value": 987_654, "meaning": "what the brief does not say"}
            document["model"].setdefault("policy", {})["invented_limit"] = limit
            sources = [{"says": says, "items": ["policy.invented_limit"]}]
            document["remarks"] = {"sources": sources}

        return edit_yaml(workspace, DOMAIN, invent)


def _join_prose(brief: Brief) -> str:
    parts = brief.parts
    return "\n".join([parts.business_task, parts.task_context, brief.draft, *parts.additions])


CHECK = BriefAndModel()
