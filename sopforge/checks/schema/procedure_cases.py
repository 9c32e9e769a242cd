"""Schema: the solver follows every path through the procedure, over all rows at once."""

from __future__ import annotations

from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.findings import Finding
from sopforge.language.domain.model import DomainModel
from sopforge.proof.solving.examining.procedure import examine_procedure
from sopforge.workspace import DOMAIN, Workspace


class ProcedureCases:
    """A row meets all constraints, a case takes each edge, and no tool refuses a required call."""

    name = "procedure-cases"
    stage = "schema"

    def examine(self, workspace: Workspace) -> list[Finding]:
        return self.examine_logic(workspace.model)

    def examine_logic(self, model: DomainModel) -> list[Finding]:
        return examine_procedure(model)

    def spoil(self, workspace: Workspace) -> Workspace:
        def contradict(document: Parsed) -> None:
            model = document["model"]
            fields = next(iter(model["entities"].values()))["fields"]
            name = next(n for n, item in fields.items() if item["type"] in {"integer", "date"})
            constraints = model.setdefault("constraints", [])
            constraints.append(f"{name} != {name}")

        return edit_yaml(workspace, DOMAIN, contradict)


CHECK = ProcedureCases()
