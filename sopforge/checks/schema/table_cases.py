"""Schema: the solver finds uncovered cases, overlaps, idle rules and results out of range."""

from __future__ import annotations

from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.findings import Finding
from sopforge.language.domain.model import DomainModel
from sopforge.proof.solving.examining.tables import examine_tables
from sopforge.workspace import DOMAIN, Workspace


class TableCases:
    """Each decision table decides every case, if ``unique`` by one rule; results keep to ranges."""

    name = "table-cases"
    stage = "schema"

    def examine(self, workspace: Workspace) -> list[Finding]:
        return self.examine_logic(workspace.model)

    def examine_logic(self, model: DomainModel) -> list[Finding]:
        return examine_tables(model)

    def spoil(self, workspace: Workspace) -> Workspace:
        def drop_last_rule(document: Parsed) -> None:
            decisions = document["model"]["decisions"].values()
            next(part for part in decisions if "rules" in part)["rules"].pop()

        return edit_yaml(workspace, DOMAIN, drop_last_rule)


CHECK = TableCases()
