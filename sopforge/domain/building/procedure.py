"""The procedure: steps, guarded edges, bounded loop edges, and ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sopforge.domain.building.expressions import Reader
from sopforge.domain.building.gathering import Gathering
from sopforge.domain.documents import schema
from sopforge.domain.documents.schema import suggest
from sopforge.domain.documents.yaml_documents import Path
from sopforge.domain.fields import Field, Role
from sopforge.domain.language.expressions import Constant
from sopforge.domain.model import DomainModel, Edge, Step, list_tool_checks


def check_refusals(gathering: Gathering, model: DomainModel) -> None:
    """Add faults for edges after refusals that their tool never gives."""
    for step in model.steps.values():
        tool = model.tools.get(step.call or "")
        if tool is None:
            continue
        checks = list_tool_checks(model, tool)
        codes = list(dict.fromkeys(check.refusal for check in checks))
        for code in [code for code in step.refusals if code not in codes]:
            path = ("procedure", "steps", step.id, "refused", code)
            message = f"{tool.name} never refuses with {code}"
            hint = suggest(code, codes) or f"it refuses with {', '.join(codes) or 'nothing'}"
            gathering.add_fault(path, "unknown-refusal", message, hint)


@dataclass(frozen=True, slots=True)
class ProcedureBuilder:
    """Builds the steps of one document."""

    gathering: Gathering
    reader: Reader
    fields: Mapping[str, Field]
    parts: schema.ModelDocument
    called: Mapping[str, str]

    def build(self) -> dict[str, Step]:
        """Return the steps; unknown names in them are gathered."""
        procedure = self.parts.procedure
        self.gathering.is_listed_name(
            ("procedure", "start"), procedure.start, procedure.steps, "step"
        )
        return {name: self.build_step(name, document) for name, document in procedure.steps.items()}

    def build_step(self, name: str, document: schema.StepDocument) -> Step:
        path = ("procedure", "steps", name)
        if document.call is not None:
            self.gathering.is_listed_name((*path, "call"), document.call, self.parts.tools, "tool")
        if document.with_ and document.call is None:
            message = f"step '{name}' has 'with', but calls no tool"
            self.gathering.add_fault((*path, "with"), "step-shape", message, "add the call")
        if document.refused and document.call is None:
            message = f"step '{name}' has 'refused', but calls no tool"
            self.gathering.add_fault((*path, "refused"), "step-shape", message, "add the call")
        for decided in document.decide:
            # A decision whose name is no field's may be the one that is meant.
            if not (decided in self.fields and self.parts.decisions.keys() - self.fields.keys()):
                self.gathering.is_listed_name(
                    (*path, "decide"), decided, self.parts.decisions, "decision"
                )
        if (document.end is None) == (not document.edges):
            message = "a step has either edges or an end"
            self.gathering.add_fault(path, "step-shape", message)
        if document.hand_to and document.end is None:
            message = f"step '{name}' has 'hand_to', but is not an end"
            self.gathering.add_fault((*path, "hand_to"), "step-shape", message, "name it at an end")
        return Step(
            id=name,
            title=document.title,
            instruction=document.instruction or "",
            call=self.called.get(name, document.call),
            decide=document.decide,
            edges=self.build_edges(name, document.edges),
            end=None if document.end is None else self.build_ending((*path, "end"), document.end),
            refusals={
                code: self.build_refusal(name, code, to) for code, to in document.refused.items()
            },
            hand_to=" ".join((document.hand_to or "").split()),
        )

    def build_refusal(self, step: str, code: str, to: str) -> Edge:
        path = ("procedure", "steps", step, "refused", code)
        self.gathering.is_listed_name(path, to, self.parts.procedure.steps, "step")
        return Edge(step, code, to, None)

    def build_edges(
        self, step: str, documents: tuple[schema.EdgeDocument, ...]
    ) -> tuple[Edge, ...]:
        built = []
        for index, document in enumerate(documents):
            path = ("procedure", "steps", step, "edges", index)
            self.check_edge(path, document, is_last=index == len(documents) - 1)
            text = document.when
            when = None if text is None else self.reader.read_condition((*path, "when"), text)
            bound, then = document.at_most, document.then
            built.append(Edge(step, str(index + 1), document.to, when, bound, then))
        return tuple(built)

    def check_edge(self, path: Path, document: schema.EdgeDocument, *, is_last: bool) -> None:
        steps = self.parts.procedure.steps
        self.gathering.is_listed_name((*path, "to"), document.to, steps, "step")
        if document.then is not None:
            self.gathering.is_listed_name((*path, "then"), document.then, steps, "step")
        if (document.then is None) != (document.at_most is None):
            message = "'at_most' and 'then' go together"
            hint = "say how often the edge may be taken, and where the case goes after that"
            self.gathering.add_fault(path, "edge-bound", message, hint)
        if (document.when is None) != is_last:
            message = "the last edge, and only the last, has no 'when'"
            hint = "end the edges with the one for all other cases: {to: ...}"
            self.gathering.add_fault(path, "edge-order", message, hint)

    def build_ending(self, path: Path, values: Mapping[str, schema.Result]) -> dict[str, Constant]:
        outcomes = [name for name, item in self.fields.items() if item.role is Role.OUTCOME]
        built = {}
        for name, raw in values.items():
            if not self.gathering.is_listed_name((*path, name), name, outcomes, "outcome"):
                continue
            constant = self.reader.read_value((*path, name), raw, self.fields[name].type)
            if isinstance(constant, Constant):
                built[name] = constant
            elif constant is not None:
                message = f"an end sets a plain value, not '{raw}'"
                self.gathering.add_fault(
                    (*path, name), "end-not-plain", message, "decide it at a step"
                )
        return built
