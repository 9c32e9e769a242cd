"""Model level: a further check with a look-up of its own, on the edge from one step to another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from sopforge.artifacts.complexity.added_fields import is_free
from sopforge.artifacts.complexity.model_patches import Parts
from sopforge.language.domain.model import DomainModel, Step, ToolKind
from sopforge.seeds import draw_below, permute_items


@dataclass(frozen=True, slots=True)
class _Screening:
    """A check that any organisation may ask for before a case goes on."""

    name: str
    about: str
    good: str
    bad: str


_SCREENINGS = (
    _Screening("duplicate", "whether the case was filed before", "No match", "Match"),
    _Screening("watch_list", "whether a watch list names somebody in the case", "Clear", "Named"),
    _Screening("document", "whether the documents of the case are genuine", "Genuine", "In doubt"),
    _Screening(
        "conflict", "whether the clerk has an interest in the case", "No interest", "Declared"
    ),
    _Screening("identity", "whether the identity was proved", "Proved", "Not proved"),
    _Screening("retention", "whether the file is blocked for an audit", "Open", "Blocked"),
    _Screening("dispute", "whether a dispute about the case is open", "No dispute", "In dispute"),
    _Screening("debt", "whether the files name an old debt", "No debt", "Debt on file"),
)


class MoreSteps:
    """Puts a screening on an edge that every case of a step takes; a bad result ends the case."""

    name = "more_steps"

    def propose_patches(self, parts: Parts, model: DomainModel, seed: int) -> Iterator[Parts]:
        checks = [item for item in _SCREENINGS if is_free(model, f"{item.name}_screening")]
        sources = _select_sources(model)
        for end in _select_ends(model) if checks else ():
            # Keyed by how many are left: the next screening of the same variant is drawn anew.
            check = checks[draw_below(len(checks), seed, self.name, "screening", len(checks))]
            for step in permute_items(sources, seed, self.name, len(model.steps)):
                yield _patch(parts, model, check, step, end)


def _select_sources(model: DomainModel) -> list[Step]:
    """Return the steps after which a check may stand: not after an action, nor before an end.

    Their tool took the key of the case, so that a case which goes on surely has a record.
    """
    return [
        step
        for step in model.steps.values()
        if step.call is not None
        # Within a part, what another step that carries it out needs could be lacking.
        and not step.part
        and step.edges
        and model.key in model.tools[step.call].takes
        and model.tools[step.call].kind is not ToolKind.ACTION
        and model.steps[step.edges[-1].to].end is None
    ]


def _select_ends(model: DomainModel) -> list[Step]:
    """Return the ends at which nothing is left to be decided, by how many edges break off there."""
    needed = {item.name for item in model.outcomes if not item.missing}
    steps = list(model.steps.values())
    whole = [
        step for step in steps if step.end is not None and not step.part and needed <= set(step.end)
    ]
    early = Counter(
        edge.to
        for step in steps
        for edge in (*step.edges, *step.refusals.values())
        if edge.when is not None or edge not in step.edges
    )
    return sorted(whole, key=lambda step: -early[step.id])


def _patch(parts: Parts, model: DomainModel, check: _Screening, step: Step, end: Step) -> Parts:
    """Return the patch that leads the last edge of a step through a check."""
    field, tool = f"{check.name}_screening", f"screenFor{check.name.title().replace('_', '')}"
    new = f"screen_{check.name}"
    edges = [dict(edge) for edge in parts["procedure"]["steps"][step.id]["edges"]]
    onward, edges[-1]["to"] = edges[-1]["to"], new
    return {
        "entities": {
            model.case.name: {
                "fields": {
                    field: {
                        "role": "observed",
                        "type": "enum",
                        "values": [check.good, check.bad],
                        "weights": [85, 15],
                        "description": check.about,
                    }
                }
            }
        },
        "tools": {
            tool: {
                "kind": "lookup",
                "description": f"Find out {check.about}",
                "takes": [model.key],
                "returns": [field],
            }
        },
        "procedure": {
            "steps": {
                step.id: {"edges": edges},
                new: {
                    "title": f"Screen for {check.name.replace('_', ' ')}",
                    "instruction": f"Find out {check.about}.",
                    "call": tool,
                    "edges": [{"when": f"{field} == '{check.bad}'", "to": end.id}, {"to": onward}],
                },
            }
        },
    }


OPERATOR = MoreSteps()
