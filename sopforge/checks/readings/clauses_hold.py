"""Schema: passages of the brief, read alone, give cases the results that the model gives them."""

from __future__ import annotations

from itertools import islice

from sopforge.authors.judging.cases import make_cases
from sopforge.authors.judging.forks import work_out
from sopforge.authors.judging.judged import make_judged, write_judged
from sopforge.authors.sources.items import list_items
from sopforge.checks.readings.question_findings import (
    make_unfollowed_finding,
    show_fault,
    show_question,
)
from sopforge.checks.readings.questions import judge_workspace, select_open, select_unfollowed
from sopforge.checks.sources.accounts import find_account
from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.errors import Fault, MaterialError
from sopforge.findings import Finding, make_warning_finding
from sopforge.workspace import CLAUSES, DOMAIN, Workspace


class ClausesHold:
    """What passages alone say of cases is what the model decides, or a person has settled it."""

    name = "clauses-hold"
    stage = "schema"
    compares_brief = True

    def examine(self, workspace: Workspace) -> list[Finding]:
        answers, domain = workspace.brief.parts.answers, workspace.brief.parts.domain
        try:
            asked = judge_workspace(workspace)
        except MaterialError as refused:
            return [_make_unread_finding(fault) for fault in refused.faults]
        return [
            *map(make_unfollowed_finding, select_unfollowed(asked, answers)),
            *(
                make_warning_finding("clause-differs", item.text, **show_question(item, domain))
                for item in select_open(asked, answers)
            ),
        ]

    def spoil(self, workspace: Workspace) -> Workspace:
        """Let a sentence be cited for all items, and rule out what one of them decides."""
        says = workspace.brief.parts.business_task
        sources = [{"says": says, "items": list(list_items(workspace.model))}]

        def add_sources(document: Parsed) -> None:
            document["remarks"] = {"sources": sources}

        cited = edit_yaml(workspace, DOMAIN, add_sources)
        account, model = find_account(cited), cited.model
        cases = list(islice(make_cases(model, account), 1)) if account else []
        wrong = [
            make_judged(model, case).model_copy(
                update={"excluded": (case.fork.answer(work_out(model, case.row)),)}
            )
            for case in cases
        ]
        return cited.with_files({CLAUSES: write_judged(wrong)})


def _make_unread_finding(fault: Fault) -> Finding:
    message = f"what passages say of cases cannot be compared with the model: {fault.message}"
    return make_warning_finding("clauses-unread", message, **show_fault(fault, "asks again"))


CHECK = ClausesHold()
