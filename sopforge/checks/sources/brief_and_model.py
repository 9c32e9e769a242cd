"""Schema: the model says what the brief says, passage by passage, and nothing of it is left out."""

from __future__ import annotations

from sopforge.checks.sources.accounts import find_account
from sopforge.checks.sources.doubt_findings import make_doubt_finding
from sopforge.checks.sources.gap_findings import make_gap_finding
from sopforge.checks.sources.named_outcomes import iterate_outcome_findings
from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.domain.reading import Brief
from sopforge.findings import Finding
from sopforge.sources.agreement.absences import find_unheld_absences
from sopforge.sources.agreement.comparison import find_doubts
from sopforge.sources.agreement.precedence import find_precedences
from sopforge.sources.agreement.sole import find_sole_grounds
from sopforge.sources.agreement.together import find_apart
from sopforge.sources.asking.comparison import find_condition_doubts
from sopforge.sources.gaps import find_gaps, find_unheld_names
from sopforge.workspace import DOMAIN, Workspace


class BriefAndModel:
    """Each model item has the figures, limits, labels and exceptions of the passages it cites.

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
        model, raw = workspace.model, _join_prose(workspace.brief)
        doubts = [
            *find_doubts(account),
            *find_precedences(account, model),
            *find_sole_grounds(account, model),
            *find_apart(account, model),
            *find_unheld_absences(account, model),
            *find_condition_doubts(account, model),
        ]
        gaps = [*find_gaps(account), *find_unheld_names(account, model, raw)]
        return [
            *found,
            *(make_doubt_finding(doubt, account) for doubt in doubts),
            *(make_gap_finding(gap) for gap in gaps),
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
