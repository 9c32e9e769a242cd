"""The parts of a procedure, looked at as a whole: their names, their returns, and recursion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sopforge.language.domain.building.gathering import Gathering
from sopforge.language.domain.documents.model_schema import (
    PartDocument,
    ProcedureDocument,
    StepDocument,
)
from sopforge.language.domain.documents.yaml_documents import Path


def list_step_path(part: str, step: str) -> Path:
    """Return where a step stands in a model, by its part; the main procedure has no name."""
    return ("procedure", *(("parts", part) if part else ()), "steps", step)


def iterate_step_documents(
    procedure: ProcedureDocument,
) -> Iterator[tuple[Path, str, StepDocument]]:
    """Yield the steps of the main procedure and of its parts, each with its place and its name."""
    places = [("", procedure.steps)]
    places += [(name, part.steps) for name, part in procedure.parts.items()]
    for part, steps in places:
        for name, document in steps.items():
            yield list_step_path(part, name), name, document


@dataclass(frozen=True, slots=True)
class PartChecker:
    """Checks what the parts of one procedure are among each other."""

    gathering: Gathering
    procedure: ProcedureDocument

    def check(self) -> None:
        """Add the faults of the parts."""
        self.check_names()
        self.check_titles()
        for name, document in self.procedure.parts.items():
            if not any(step.return_ for step in document.steps.values()):
                message = f"no step of the part '{name}' has 'return: true'"
                hint = (
                    "add 'return: true' to a step, or move the part's steps into the main procedure"
                )
                path = ("procedure", "parts", name)
                self.gathering.add_fault(path, "part-without-return", message, hint)
        for name in self.procedure.parts:
            self.check_recursion(name)

    def check_names(self) -> None:
        """Add a fault for a step that has the name of another one."""
        places = [("", self.procedure.steps)]
        places += [(name, part.steps) for name, part in self.procedure.parts.items()]
        known: dict[str, str] = {}
        for part, steps in places:
            for step in steps:
                if step in known:
                    where = f"the part '{known[step]}'" if known[step] else "the main procedure"
                    message = f"this part and {where} both have a step '{step}'"
                    path, hint = list_step_path(part, step), "rename one of the two steps"
                    self.gathering.add_fault(path, "duplicate-name", message, hint)
                known.setdefault(step, part)

    def check_titles(self) -> None:
        """Add a fault for a part that is called as another one is."""
        known: dict[str, str] = {}
        for name, document in self.procedure.parts.items():
            title = " ".join(document.title.lower().split())
            if title in known:
                message = f"'{known[title]}' and '{name}' have the same title, '{document.title}'"
                path = ("procedure", "parts", name, "title")
                self.gathering.add_fault(
                    path, "duplicate-label", message, "give one of them a different title"
                )
            known.setdefault(title, name)

    def check_recursion(self, name: str) -> None:
        """Add a fault for a part that comes to be carried out within itself."""
        called = {part: _list_called(document) for part, document in self.procedure.parts.items()}
        cycle = _find_cycle(called, name)
        # A cycle is a fault once: at the first of its parts.
        if cycle and name == min(cycle, key=list(called).index):
            message = f"the part carries out itself: {' > '.join([*cycle, name])}"
            hint = (
                "let a part carry out only other parts; to repeat steps, add an edge that leads"
                " back"
            )
            path = ("procedure", "parts", name)
            self.gathering.add_fault(path, "part-recursion", message, hint)


def _list_called(document: PartDocument) -> list[str]:
    return list(dict.fromkeys(step.do for step in document.steps.values() if step.do))


def _find_cycle(called: Mapping[str, list[str]], start: str) -> list[str]:
    """Return the shortest chain of parts by which a part comes to itself, nothing if none does."""
    waiting, seen = [[start]], {start}
    while waiting:
        chain = waiting.pop(0)
        for name in called.get(chain[-1], []):
            if name == start:
                return chain
            if name not in seen:
                seen.add(name)
                waiting.append([*chain, name])
    return []
