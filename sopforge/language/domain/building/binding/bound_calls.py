"""Operations that steps call, bound to what the case has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from sopforge.language.domain.building.binding.parameters import Parameters
from sopforge.language.domain.building.gathering import Gathering, find_duplicates
from sopforge.language.domain.building.procedure_parts import iterate_step_documents
from sopforge.language.domain.documents.model_schema import (
    ProcedureDocument,
    StepDocument,
)
from sopforge.language.domain.documents.yaml_documents import Path
from sopforge.language.domain.expressions.expressions import Expression
from sopforge.language.domain.expressions.renaming import rename_fields
from sopforge.language.domain.fields import Entity, Field
from sopforge.language.domain.guards import Guard, GuardGroup, GuardLeaf
from sopforge.language.domain.model import (
    Tool,
    collect_tool_inputs,
)


def bind_operation(operation: Tool, name: str, names: Mapping[str, str]) -> Tool:
    """Return an operation about the fields of a case that stand for its own."""

    def rename(expression: Expression) -> Expression:
        return rename_fields(expression, names)

    # What is returned stands last: of two names for one field, that is the one of the result.
    returned = {item: names[item] for item in operation.returns if item in names}
    given = {item: names[item] for item in operation.takes if item in names}
    others = {item: to for item, to in names.items() if item not in {*given, *returned}}
    return replace(
        operation,
        name=name,
        takes=tuple(names.get(item, item) for item in operation.takes),
        returns=tuple(names.get(item, item) for item in operation.returns),
        guard=_rename_guard(operation.guard, rename),
        effects={names.get(item, item): rename(value) for item, value in operation.effects.items()},
        operation=operation.name,
        names={**given, **others, **{k: v for k, v in returned.items() if k not in given}},
    )


def _rename_guard(guard: Guard | None, rename: Callable[[Expression], Expression]) -> Guard | None:
    match guard:
        case None:
            return None
        case GuardLeaf():
            return replace(guard, test=rename(guard.test))
        case GuardGroup():
            children = tuple(_rename_guard(child, rename) for child in guard.children)
            return replace(guard, children=tuple(child for child in children if child))


@dataclass(frozen=True, slots=True)
class Binder:
    """Binds the operations that steps call to what the case has."""

    gathering: Gathering
    operations: Mapping[str, Tool]
    parameters: Parameters
    fields: Mapping[str, Field]
    entities: Mapping[str, Entity]
    paths: Mapping[str, str]

    def bind_calls(self, procedure: ProcedureDocument) -> tuple[dict[str, Tool], dict[str, str]]:
        """Return the bound tools by their names, and the name of the tool that each step calls."""
        asked: dict[tuple[str, tuple[tuple[str, str], ...]], list[str]] = {}
        places: dict[str, Path] = {}
        written: set[str | None] = set()
        for path, step, document in iterate_step_documents(procedure):
            places[step] = path
            written.add(document.call)
            operation = self.operations.get(document.call or "")
            if operation is None:
                continue
            given = self.find_arguments(path, operation, document)
            if given is not None:
                asked.setdefault((operation.name, tuple(given.items())), []).append(step)
        times = Counter(name for name, _ in asked)
        tools: dict[str, Tool] = {}
        called: dict[str, str] = {}
        for (name, pairs), at in asked.items():
            bound = name if times[name] == 1 else f"{name}[{', '.join(to for _, to in pairs)}]"
            names = self.map_names(dict(pairs))
            if self.check_names((*places[at[0]], "call"), self.operations[name], names):
                tools[bound] = bind_operation(self.operations[name], bound, names)
                called |= dict.fromkeys(at, bound)
        for name, operation in self.operations.items():
            if name not in written:
                self.refuse_uncalled(operation)
        return tools, called

    def refuse_uncalled(self, operation: Tool) -> None:
        message = (
            f"no step calls {operation.name}, so nothing states which records it reads or changes"
        )
        self.gathering.add_fault(
            ("tools", operation.name),
            "tool-not-called",
            message,
            "call the tool in a step, or remove it",
        )

    def find_arguments(
        self, path: Path, operation: Tool, document: StepDocument
    ) -> dict[str, str] | None:
        """Return the field that a step hands to each parameter; what fits none is a fault."""
        for name in document.with_:
            self.gathering.is_listed_name((*path, "with"), name, operation.takes, "parameter")
        given = {}
        for name in operation.takes:
            written = document.with_.get(name, name)
            actual = self.paths.get(written, written)
            place = (*path, "with", name) if name in document.with_ else (*path, "call")
            if not self.gathering.is_listed_field(place, actual, self.fields):
                return None
            if name not in self.parameters.fields:
                return None  # what it is has a fault already
            if not self.fits(place, name, written, actual):
                return None
            given[name] = actual
        return given

    def fits(self, path: Path, name: str, written: str, actual: str) -> bool:
        """Return whether a field can be handed to a parameter; if not, a fault is added."""
        wanted, found = self.parameters.fields[name], self.fields[actual]
        table, leads = self.find_table(name), self.find_table(actual, self.entities)
        if table == leads and wanted.type == found.type:
            return True
        message = f"'{written}' cannot be passed to the parameter '{name}' of the tool"
        hint = f"pass a reference to {table}" if table else "pass a field of the same range"
        self.gathering.add_fault(path, "argument-differs", message, hint)
        return False

    def check_names(self, path: Path, operation: Tool, names: Mapping[str, str]) -> bool:
        """Return whether the case has all that an operation is about.

        What it lacks, and what it has under one name for two, is a fault.
        """
        stored = {name for entity in self.parameters.entities.values() for name in entity.fields}
        read = collect_tool_inputs(operation)
        used = sorted({*read, *operation.returns, *operation.effects} & stored)
        too_far = [name for name in used if name not in names]
        for far in too_far[:1]:
            message = (
                f"{operation.name} uses '{far}', which is too many references away from the case"
            )
            hint = "use a path with at most three references that leads to no table twice"
            self.gathering.add_fault(path, "argument-differs", message, hint)
        for listed in (operation.returns, tuple(operation.effects)):
            found = [names[name] for name in listed if name in names]
            for actual in find_duplicates(found)[:1]:
                both = " and ".join(f"'{name}'" for name in listed if names.get(name) == actual)
                message = f"{both} of {operation.name} always lead to the same record here"
                hint = "pass references that can lead to different records"
                self.gathering.add_fault(path, "argument-differs", message, hint)
        return not too_far

    def find_table(self, key: str, entities: Mapping[str, Entity] | None = None) -> str:
        among = self.parameters.entities if entities is None else entities
        return next((item.table for item in among.values() if item.key == key), "")

    def map_names(self, given: Mapping[str, str]) -> dict[str, str]:
        """Return the case's field for each field that an operation may name."""
        names = dict(given)
        for entity in self.parameters.entities.values():
            if entity.key not in names:
                continue
            key = names[entity.key]
            actual = next((item for item in self.entities.values() if item.key == key), None)
            if actual is None:
                continue
            names[entity.name] = actual.name
            columns = {self.fields[name].column: name for name in actual.fields}
            for name in entity.fields:
                names[name] = columns[self.parameters.fields[name].column]
        return names
