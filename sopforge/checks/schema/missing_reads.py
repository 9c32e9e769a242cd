"""Schema: nothing is read or passed on where it may be missing, on any path."""

from __future__ import annotations

from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.findings import Finding
from sopforge.language.domain.expressions.expressions import collect_all_read_fields
from sopforge.language.domain.fields import GIVEN, Role
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import list_decision_expressions
from sopforge.proof.solving.examining.missing_values import examine_missing
from sopforge.workspace import DOMAIN, Workspace


class MissingReads:
    """Rules, edges, guards and parameters read a field only where its value is present."""

    name = "missing-reads"
    stage = "schema"

    def examine(self, workspace: Workspace) -> list[Finding]:
        return self.examine_logic(workspace.model)

    def examine_logic(self, model: DomainModel) -> list[Finding]:
        return examine_missing(model)

    def spoil(self, workspace: Workspace) -> Workspace:
        model = workspace.model
        parts = [
            part for item in model.decisions.values() for part in list_decision_expressions(item)
        ]
        read = collect_all_read_fields(parts)
        sure = {item.name for item in model.with_role(*GIVEN, Role.OBSERVED) if not item.missing}

        def let_it_miss(document: Parsed) -> None:
            for entity in document["model"]["entities"].values():
                for name in sure & read & set(entity["fields"]):
                    entity["fields"][name]["missing"] = "not on file"

        return edit_yaml(workspace, DOMAIN, let_it_miss)


CHECK = MissingReads()
