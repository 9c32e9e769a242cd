"""Which calls of the API build on which: those that take a result, or what is decided from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sopforge.artifacts.rendering.api.paths import ApiPlace
from sopforge.language.domain.model import DomainModel, Tool
from sopforge.language.domain.rules import collect_decision_inputs

Links = dict[str, dict[str, Any]]


def build_links(model: DomainModel, tool: Tool, places: Mapping[str, ApiPlace]) -> Links:
    """Return the links of a tool's answer to the operations that build on it."""
    found: Links = {}
    for other in model.tools.values():
        passed = [name for name in other.takes if name in tool.returns]
        decided = [name for name in other.takes if _is_decided_from_result(model, tool, name)]
        if other is not tool and (passed or decided):
            found[other.name] = {
                "operationId": other.name,
                "description": _describe_link(passed, decided),
                **_build_argument_sources(tool, places[tool.name], places[other.name], passed),
            }
    return found


def _is_decided_from_result(model: DomainModel, tool: Tool, name: str) -> bool:
    decision = model.decisions.get(name)
    return decision is not None and bool(collect_decision_inputs(decision) & set(tool.returns))


def _describe_link(passed: list[str], decided: list[str]) -> str:
    parts = [f"takes {', '.join(passed)} from the result"] if passed else []
    if decided:
        parts.append(f"takes {', '.join(decided)}, which the caller decides from the result")
    text = ", and ".join(parts)
    return text[0].upper() + text[1:]


def _build_argument_sources(
    tool: Tool, place: ApiPlace, target: ApiPlace, passed: list[str]
) -> dict[str, Any]:
    """Return where the target's parameters come from: the result, or this call's own parameters."""
    sources = {name: _find_request_source(place, name) for name in tool.takes}
    sources |= {name: f"$response.body#/{name}" for name in passed}
    given = {name: sources[name] for name in (*target.in_path, *target.in_query) if name in sources}
    body = {name: f"{{{sources[name]}}}" for name in target.in_body if name in sources}
    return {
        **({"parameters": given} if given else {}),
        **({"requestBody": body} if body else {}),
    }


def _find_request_source(place: ApiPlace, name: str) -> str:
    if name in place.in_path:
        return f"$request.path.{name}"
    return f"$request.query.{name}" if name in place.in_query else f"$request.body#/{name}"
