"""The procedure: steps, guarded edges, bounded loop edges, ends, and parts that steps carry out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sopforge.language.domain.building.expressions import Reader
from sopforge.language.domain.building.field_parts.labels import list_labels
from sopforge.language.domain.building.gathering import Gathering
from sopforge.language.domain.building.procedure_parts import PartChecker, list_step_path
from sopforge.language.domain.documents.model_schema import (
    EdgeDocument,
    ModelDocument,
    StepDocument,
)
from sopforge.language.domain.documents.schema import suggest
from sopforge.language.domain.documents.schema_terms import Result
from sopforge.language.domain.documents.yaml_documents import Path
from sopforge.language.domain.expressions.expressions import Constant
from sopforge.language.domain.fields import Field, Role
from sopforge.language.domain.model import Counts, DomainModel, Edge, ProcedurePart, Step
from sopforge.language.domain.procedure.loops import may_enter_within, note_loops
from sopforge.language.domain.requests import SLOT
from sopforge.language.domain.tool_checks import list_tool_checks


def check_refusals(gathering: Gathering, model: DomainModel) -> None:
    """Add faults for edges after refusals that their tool never gives."""
    for step in model.steps.values():
        tool = model.tools.get(step.call or "")
        if tool is None:
            continue
        checks = list_tool_checks(model, tool)
        codes = list(dict.fromkeys(check.refusal for check in checks))
        for code in [code for code in step.refusals if code not in codes]:
            path = (*list_step_path(step.part, step.id), "refused", code)
            message = f"'refused' names {code}, but {tool.name} never refuses with this code"
            hint = suggest(code, codes) or f"it refuses with {', '.join(codes) or 'nothing'}"
            gathering.add_fault(path, "unknown-refusal", message, hint)


def check_loops(gathering: Gathering, model: DomainModel) -> None:
    """Add faults for loops counted by their visits that a case can enter in their midst."""
    for edge in [edge for step in model.steps.values() for edge in step.edges if edge.loop]:
        part = model.steps[edge.step].part
        start = model.parts[part].start if part else model.start
        if may_enter_within(model.steps, start, edge):
            message = (
                f"'counts: visit' needs a loop that cases enter at '{edge.to}', but a case can come"
                f" to '{edge.step}' without that step"
            )
            path = (*list_step_path(part, edge.step), "edges", int(edge.name) - 1, "counts")
            hint = f"lead all edges from outside the loop to '{edge.to}', or write 'counts: case'"
            gathering.add_fault(path, "loop-entered-within", message, hint)


def check_requests(gathering: Gathering, model: DomainModel, texts: Sequence[str]) -> None:
    """Add faults for texts that lack an input, name one twice, or name what is no input."""
    known = [item.name for item in model.inputs]
    for place, text in enumerate(texts):
        found, path = Counter(SLOT.findall(text)), ("requests", place)
        for name in (name for name in found if name not in known):
            hint = suggest(name, known) or f"the inputs are {', '.join(known)}"
            message = f"'{{{name}}}' is not an input of the case"
            gathering.add_fault(path, "request-unknown-input", message, hint)
        # An entry that only one kind of case has stands below a text that does not name it.
        lacking = [name for name in known if name not in found and not model.find_kind(name)]
        if lacking:
            message = f"the text does not state {', '.join(lacking)}"
            hint = f"add {', '.join(f'{{{name}}}' for name in lacking)} where a sender states it"
            gathering.add_fault(path, "request-lacks-input", message, hint)
        for name in (name for name, times in found.items() if times > 1):
            message = f"the text states {name} {found[name]} times"
            gathering.add_fault(
                path, "request-repeats-input", message, f"write {{{name}}} only once"
            )
        if set("{}") & set(SLOT.sub("", text)):
            hint = "write braces only around the name of an input"
            gathering.add_fault(
                path, "request-malformed", "a brace does not enclose the name of an input", hint
            )


@dataclass(frozen=True, slots=True)
class ProcedureBuilder:
    """Builds the steps of one document, and its parts."""

    gathering: Gathering
    reader: Reader
    fields: Mapping[str, Field]
    parts: ModelDocument
    called: Mapping[str, str]

    def build(self) -> dict[str, Step]:
        """Return the steps; unknown names in them are gathered."""
        procedure = self.parts.procedure
        PartChecker(self.gathering, procedure).check()
        self.gathering.is_listed_name(
            ("procedure", "start"), procedure.start, procedure.steps, "step"
        )
        built = self.build_steps("", procedure.steps)
        for name, document in procedure.parts.items():
            path = ("procedure", "parts", name, "start")
            self.gathering.is_listed_name(path, document.start, document.steps, "step")
            built |= self.build_steps(name, document.steps)
        return note_loops(built)

    def build_parts(self) -> dict[str, ProcedurePart]:
        """Return the parts that steps carry out."""
        documents = self.parts.procedure.parts
        return {
            name: ProcedurePart(name, document.title, document.start)
            for name, document in documents.items()
        }

    def build_steps(self, part: str, documents: Mapping[str, StepDocument]) -> dict[str, Step]:
        """Return the steps of one part; an edge leads to a step of the same part."""
        builder = StepBuilder(self, part, documents)
        return {name: builder.build_step(name, document) for name, document in documents.items()}


@dataclass(frozen=True, slots=True)
class StepBuilder:
    """Builds the steps of one part; ``steps`` are those to which edges may lead."""

    of: ProcedureBuilder
    part: str
    steps: Mapping[str, StepDocument]

    @property
    def gathering(self) -> Gathering:
        """Where faults go."""
        return self.of.gathering

    def build_step(self, name: str, document: StepDocument) -> Step:
        path = list_step_path(self.part, name)
        self.check_call(path, name, document)
        self.check_ending(path, name, document)
        return Step(
            id=name,
            title=document.title,
            instruction=document.instruction or "",
            call=self.of.called.get(name, document.call),
            decide=self.list_decided_fields((*path, "decide"), document.decide),
            edges=self.build_edges(name, document.edges),
            end=None if document.end is None else self.build_ending((*path, "end"), document.end),
            refusals={
                code: self.build_refusal(name, code, to) for code, to in document.refused.items()
            },
            hand_to=" ".join((document.hand_to or "").split()),
            by=" ".join((document.by or self.of.parts.procedure.by or "").split()),
            do=document.do or "",
            part=self.part,
            is_return=document.return_ is not None,
        )

    def check_call(self, path: Path, name: str, document: StepDocument) -> None:
        """Add faults for what a step calls or carries out."""
        if document.call is not None:
            tools = self.of.parts.tools
            self.gathering.is_listed_name((*path, "call"), document.call, tools, "tool")
        if document.do is not None:
            parts = self.of.parts.procedure.parts
            self.gathering.is_listed_name((*path, "do"), document.do, parts, "part")
        if document.do is not None and document.call is not None:
            message = f"step '{name}' both calls a tool and carries out a part"
            self.gathering.add_fault(
                (*path, "do"), "step-shape", message, "split it into two steps"
            )
        if document.do is not None and not document.edges:
            message = f"step '{name}' carries out a part, but no edge leads to a next step"
            hint = "add an edge to the next step"
            self.gathering.add_fault((*path, "do"), "step-shape", message, hint)
        if document.with_ and document.call is None:
            message = f"step '{name}' has 'with', but does not call a tool"
            self.gathering.add_fault(
                (*path, "with"), "step-shape", message, "add 'call', or remove 'with'"
            )
        if document.refused and document.call is None:
            message = f"step '{name}' has 'refused', but does not call a tool"
            self.gathering.add_fault(
                (*path, "refused"), "step-shape", message, "add 'call', or remove 'refused'"
            )

    def check_ending(self, path: Path, name: str, document: StepDocument) -> None:
        """Add faults for a step that goes on in several manners, or in none."""
        endings = (bool(document.edges), document.end is not None, document.return_ is not None)
        if sum(endings) != 1:
            choices = "'edges', 'end' and 'return'" if self.part else "'edges' and 'end'"
            message = f"a step needs exactly one of {choices}"
            hint = "keep only one of them"
            if not any(endings):
                hint = "add 'edges' to lead to other steps, or 'end' to end the case"
            self.gathering.add_fault(path, "step-shape", message, hint)
        if document.return_ and not self.part:
            message = f"step '{name}' has 'return', but does not belong to a part"
            hint = "give it 'edges' or 'end' instead"
            self.gathering.add_fault((*path, "return"), "step-shape", message, hint)
        if document.hand_to and document.end is None:
            message = f"step '{name}' has 'hand_to', but does not end the case"
            self.gathering.add_fault(
                (*path, "hand_to"), "step-shape", message, "move 'hand_to' to a step with 'end'"
            )

    def list_decided_fields(self, path: Path, decided: tuple[str, ...]) -> tuple[str, ...]:
        """Return the fields that a step decides; a table that gives several is decided as one."""
        documents = self.of.parts.decisions
        given = {target: name for name, item in documents.items() for target in item.gives or ()}
        alone = {name for name, item in documents.items() if item.gives is None}
        for name in decided:
            if name in given and name not in documents:
                message = f"'{name}' is decided by the table '{given[name]}'"
                self.gathering.add_fault(
                    path, "decided-apart", message, f"write {given[name]} instead"
                )
            # A decision whose name is no field's may be the one that is meant.
            elif not (name in self.of.fields and alone - self.of.fields.keys()):
                self.gathering.is_listed_name(path, name, documents, "decision")
        found = (
            (documents[name].gives if name in documents else None) or (name,) for name in decided
        )
        return tuple(target for targets in found for target in targets)

    def build_refusal(self, step: str, code: str, to: str) -> Edge:
        path = (*list_step_path(self.part, step), "refused", code)
        self.check_step(path, to)
        return Edge(step, code, to, None)

    def build_edges(self, step: str, documents: tuple[EdgeDocument, ...]) -> tuple[Edge, ...]:
        built = []
        for index, document in enumerate(documents):
            path = (*list_step_path(self.part, step), "edges", index)
            self.check_edge(path, document, is_last=index == len(documents) - 1)
            text = document.when
            when = None if text is None else self.of.reader.read_condition((*path, "when"), text)
            bound, then = document.at_most, document.then
            counts = Counts(document.counts or ("part" if self.part else "case"))
            edge = Edge(step, str(index + 1), document.to, when, bound, then, counts, counts)
            built.append(edge)
        return tuple(built)

    def check_edge(self, path: Path, document: EdgeDocument, *, is_last: bool) -> None:
        self.check_step((*path, "to"), document.to)
        if document.then is not None:
            self.check_step((*path, "then"), document.then)
        if (document.then is None) != (document.at_most is None):
            message = "an edge needs either both 'at_most' and 'then', or neither"
            hint = (
                "add the missing key: 'at_most' limits how often a case can take the edge, and"
                " 'then' names the step to which the case goes after that"
            )
            self.gathering.add_fault(path, "edge-bound", message, hint)
        if document.counts is not None and document.at_most is None:
            message = "'counts' says over what 'at_most' counts, but the edge has no 'at_most'"
            hint = "add 'at_most' and 'then', or remove 'counts'"
            self.gathering.add_fault((*path, "counts"), "edge-bound", message, hint)
        if (document.when is None) != is_last:
            message = "every edge except the last needs 'when'"
            hint = "add 'when', or make this edge the last one"
            if is_last:
                message = "the last edge must not have 'when', because it is for all other cases"
                hint = "add a last edge without 'when': {to: step}"
            self.gathering.add_fault(path, "edge-order", message, hint)

    def check_step(self, path: Path, name: str) -> None:
        """Add a fault for a name to which no edge can lead: steps lead to those of their part."""
        home = self.find_home(name)
        if name in self.steps or home is None:
            self.gathering.is_listed_name(path, name, self.steps, "step")
            return
        here = f"the part '{self.part}'" if self.part else "the main procedure"
        hint = f"lead to a step with 'do: {home}' and edges"
        if self.part:
            hint = "lead to a step with 'return: true'; the case then goes on after the 'do'"
        message = f"{here} has no step '{name}'; " + (
            "that is a part"
            if home == name
            else f"that is a step of the part '{home}'"
            if home
            else "that is a step of the main procedure"
        )
        self.gathering.add_fault(path, "unknown-step", message, hint)

    def find_home(self, name: str) -> str | None:
        """Return the part that has a step or is called so, "" for the main procedure."""
        procedure = self.of.parts.procedure
        homes = dict.fromkeys(procedure.steps, "")
        homes |= {step: name for name, part in procedure.parts.items() for step in part.steps}
        return {**homes, **{part: part for part in procedure.parts}}.get(name)

    def build_ending(self, path: Path, values: Mapping[str, Result]) -> dict[str, Constant]:
        fields, reader = self.of.fields, self.of.reader
        outcomes = [name for name, item in fields.items() if item.role is Role.OUTCOME]
        built = {}
        for name, raw in values.items():
            if not self.gathering.is_listed_name((*path, name), name, outcomes, "outcome"):
                continue
            if raw == fields[name].missing or (
                raw == "missing" and raw not in list_labels(fields[name].type)
            ):
                message = f"an end sets no '{raw}': '{name}' is missing where nothing sets it"
                hint = f"leave '{name}' out of 'end', and let no step before it decide it"
                self.gathering.add_fault((*path, name), "end-not-plain", message, hint)
                continue
            constant = reader.read_value((*path, name), raw, fields[name].type)
            if isinstance(constant, Constant):
                built[name] = constant
            elif constant is not None:
                message = f"an end sets only plain values, not '{raw}'"
                self.gathering.add_fault(
                    (*path, name), "end-not-plain", message, "decide the field at a step"
                )
        return built
