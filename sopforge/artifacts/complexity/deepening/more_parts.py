"""Model level: a part of the procedure that several steps carry out before a case is closed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sopforge.artifacts.complexity.added_fields import is_free
from sopforge.artifacts.complexity.deepening.drawn_cases import DrawnCases, draw_cases
from sopforge.artifacts.complexity.deepening.model_places import get_step, patch_steps
from sopforge.artifacts.complexity.model_patches import Parts, merge_patch
from sopforge.language.domain.model import DomainModel, Edge, Step, ToolKind
from sopforge.seeds import permute_items


@dataclass(frozen=True, slots=True)
class _Part:
    """A part with two look-ups, the second where the first says nothing, and what they come to.

    ``first`` and ``second`` have a field, what it says, and its labels: good, bad and, of the
    first, open.
    """

    name: str
    title: str
    first: tuple[str, str, str, str, str]
    second: tuple[str, str, str, str]
    found: str
    says: tuple[str, str]


_PARTS = (
    _Part(
        "countersigning",
        "Have the result countersigned",
        (
            "second_opinion",
            "what the second reader noted on the case",
            "Agreed",
            "Objected",
            "No note",
        ),
        ("duty_opinion", "what the duty officer says of the case", "Consents", "Declines"),
        "countersigned",
        ("the result is countersigned", "the result is not countersigned"),
    ),
    _Part(
        "notice_check",
        "Check the notices on the case",
        (
            "register_notice",
            "what the register of notices says of the case",
            "Released",
            "Stopped",
            "Not listed",
        ),
        ("desk_notice", "what the notice desk says of the case", "No objection", "Hold it back"),
        "notices_clear",
        ("the notices allow the closing", "the notices do not allow the closing"),
    ),
    _Part(
        "sampling_check",
        "Settle whether the case is a sample",
        (
            "sample_list",
            "what the list of samples says of the case",
            "Passed over",
            "Drawn",
            "Next in line",
        ),
        ("sample_desk", "what the sampling desk decides on the case", "Spare it", "Take it"),
        "spared",
        ("the case is spared by the sampling", "the case is not spared by the sampling"),
    ),
)
_MOST_CALLERS = 6
_LEAST_CALLERS = 2
_PROPOSED_ENDS = 4


class MoreParts:
    """Has several steps carry out one part before they close a case, or close it otherwise."""

    name = "more_parts"
    misreading = "leaves-a-part-out"

    def propose_patches(self, parts: Parts, model: DomainModel, seed: int) -> Iterator[Parts]:
        free = [part for part in _PARTS if _is_fresh(model, part)]
        if not free:
            return
        cases = draw_cases(model, seed)
        callers = _list_callers(cases)
        part = permute_items(free, seed, self.name, "part", len(free))[0]
        ends = {edge.id: _list_other_ends(cases, edge, seed) for edge in callers}
        open_to = [edge for edge in callers if ends[edge.id]][:_MOST_CALLERS]
        for turn in range(_PROPOSED_ENDS):
            chosen = [(edge, ends[edge.id][turn % len(ends[edge.id])]) for edge in open_to]
            if len(chosen) >= _LEAST_CALLERS:
                yield _patch(parts, model, part, chosen)

    def misread(self, model: DomainModel) -> DomainModel:
        """Return the model in which steps that carry out such a part go on without it."""
        made = {part.name for part in _PARTS}
        steps = {
            name: replace(step, do="", decide=(), edges=step.edges[-1:])
            if step.do in made
            else step
            for name, step in model.steps.items()
        }
        return replace(model, steps=steps) if steps != dict(model.steps) else model


def _is_fresh(model: DomainModel, part: _Part) -> bool:
    fields = (part.first[0], part.second[0], part.found)
    return part.name not in model.parts and all(is_free(model, name) for name in fields)


def _list_callers(cases: DrawnCases) -> list[Edge]:
    """Return the edges before an end or an action on which a part can stand, the busiest first."""
    taken = [edge for step in cases.model.steps.values() for edge in step.edges]
    traffic = {edge.id: sum(edge.id in path for path in cases.paths) for edge in taken}
    found = [edge for edge in taken if traffic[edge.id] and _is_caller(cases.model, edge)]
    return sorted(found, key=lambda edge: (-traffic[edge.id], edge.id))


def _is_caller(model: DomainModel, edge: Edge) -> bool:
    source, target = model.steps[edge.step], model.steps[edge.to]
    if source.part or source.do or edge.bound is not None or _is_acting(model, source):
        return False
    return target.end is not None or _is_acting(model, target)


def _is_acting(model: DomainModel, step: Step) -> bool:
    return step.call is not None and model.tools[step.call].kind is ToolKind.ACTION


def _list_other_ends(cases: DrawnCases, edge: Edge, seed: int) -> list[str]:
    """Return the ends, other than the one an edge leads to, that leave no outcome undecided."""
    model = cases.model
    needed = {item.name for item in model.outcomes if not item.missing}
    decided = cases.list_decided(edge.step)
    # What follows an action is said of cases in which it was carried out.
    after = {
        item.to for step in model.steps.values() if _is_acting(model, step) for item in step.edges
    }
    ends = [
        step.id
        for step in model.steps.values()
        if step.end is not None
        and not step.part
        and step.id not in {edge.to, *after}
        and needed <= decided | set(step.end)
        and not decided & set(step.end)
    ]
    return permute_items(ends, seed, MoreParts.name, edge.id)


def _patch(
    parts: Parts, model: DomainModel, part: _Part, callers: Sequence[tuple[Edge, str]]
) -> Parts:
    changes: dict[str, dict[str, Any]] = {}
    for number, (edge, other) in enumerate(callers, start=1):
        new, source = f"{part.name}_{number}", model.steps[edge.step]
        before = changes.get(source.id) or {
            "edges": [dict(item) for item in get_step(parts, source)["edges"]]
        }
        before["edges"][source.edges.index(edge)]["to"] = new
        changes[source.id] = before
        changes[new] = {
            "title": f"{part.title} ({number})",
            "do": part.name,
            "edges": [{"when": f"not {part.found}", "to": other}, {"to": edge.to}],
        }
    patch = merge_patch(_describe(model, part), patch_steps(model, changes))
    return merge_patch(patch, {"procedure": {"parts": {part.name: _build_part(part)}}})


def _describe(model: DomainModel, part: _Part) -> dict[str, Any]:
    """Return the fields of a part, its tools, and what they come to."""
    first, says, good, bad, left_open = part.first
    second, asks, yes, no = part.second
    fields = {
        first: _describe_label(says, [good, bad, left_open], [35, 35, 30]),
        second: _describe_label(asks, [yes, no], [50, 50]),
        part.found: {
            "role": "derived",
            "type": "boolean",
            "description": f"whether {part.says[0]}",
            "said": {"yes": part.says[0], "no": part.says[1]},
        },
    }
    rules = [
        {"id": "stopped", "when": f"{first} == {bad!r}", "then": "no"},
        {
            "id": "declined",
            "when": f"{first} == {left_open!r} and {second} == {no!r}",
            "then": "no",
        },
        {"id": "clear", "otherwise": "yes"},
    ]
    return {
        "entities": {model.case.name: {"fields": fields}},
        "decisions": {part.found: {"hit": "first", "rules": rules}},
        "tools": {
            _name_tool(first): _describe_lookup(model, says, first),
            _name_tool(second): _describe_lookup(model, asks, second),
        },
    }


def _describe_label(says: str, labels: list[str], weights: list[int]) -> dict[str, Any]:
    return {
        "role": "observed",
        "type": "enum",
        "values": labels,
        "weights": weights,
        "description": says,
    }


def _describe_lookup(model: DomainModel, says: str, field: str) -> dict[str, Any]:
    return {
        "kind": "lookup",
        "description": f"Find out {says}",
        "takes": [model.key],
        "returns": [field],
    }


def _name_tool(field: str) -> str:
    return f"read{field.title().replace('_', '')}"


def _build_part(part: _Part) -> dict[str, Any]:
    first, second, name = part.first, part.second, part.name
    return {
        "title": part.title,
        "start": f"{name}_read",
        "steps": {
            f"{name}_read": {
                "title": f"Find out {first[1]}",
                "call": _name_tool(first[0]),
                "edges": [
                    {"when": f"{first[0]} == {first[4]!r}", "to": f"{name}_ask"},
                    {"to": f"{name}_settle"},
                ],
            },
            f"{name}_ask": {
                "title": f"Find out {second[1]}",
                "call": _name_tool(second[0]),
                "edges": [{"to": f"{name}_settle"}],
            },
            f"{name}_settle": {
                "title": "Sum up",
                "decide": [part.found],
                "edges": [{"to": f"{name}_back"}],
            },
            f"{name}_back": {"title": "Go back", "return": True},
        },
    }


OPERATOR = MoreParts()
