"""Schema: the solver finds uncovered cases, overlaps and rules that never decide."""

from __future__ import annotations

from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.domain.model import Table
from sopforge.findings import Finding
from sopforge.solving.questions import NoRow, find_row
from sopforge.solving.tables import examine_table
from sopforge.workspace import DOMAIN, Workspace


class TableCases:
    """Every case of every decision table is decided, by one rule where hits are unique."""

    name = "table-cases"
    stage = "schema"

    def examine(self, workspace: Workspace) -> list[Finding]:
        model = workspace.model
        if isinstance(find_row(model, (), is_shown=False), NoRow):
            return []  # constraints that contradict each other are told once
        tables = [item for item in model.decisions.values() if isinstance(item, Table)]
        return [finding for table in tables for finding in examine_table(model, table)]

    def spoil(self, workspace: Workspace) -> Workspace:
        def drop_last_rule(document: Parsed) -> None:
            decisions = document["model"]["decisions"].values()
            next(part for part in decisions if "rules" in part)["rules"].pop()

        return edit_yaml(workspace, DOMAIN, drop_last_rule)


CHECK = TableCases()
