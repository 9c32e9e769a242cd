"""The words of the plain level's API and toolspecs, kept at levels with further tools.

Structure is derived for each level, and so are the words of tools that are added or return more.
Only words that somebody wrote are taken over: what was derived already is derived again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from sopforge.domain.documents.yaml_documents import write_document
from sopforge.domain.model import DomainModel
from sopforge.rendering.api.arguments import iterate_operations, read_api
from sopforge.rendering.api.openapi import render_openapi
from sopforge.rendering.api.toolspecs import render_toolspecs

_OF_OPERATION = ("summary", "description")


@dataclass(frozen=True, slots=True)
class PlainWords:
    """The plain model with its documents, and the model of a level."""

    model: DomainModel
    harder: DomainModel
    plain_api: str
    plain_specs: str

    def reword_openapi(self, derived: str) -> str:
        """Return the API of the level in the plain API's words for what is the same in both."""
        written, own = read_api(self.plain_api), read_api(self._derive_api())
        document = read_api(derived)
        before, sources = _index_by_id(own), _index_by_id(written)
        changed = [_replace_words(document["info"], written["info"], own["info"], ("description",))]
        for operation in iterate_operations(document):
            name = operation["operationId"]
            if name in sources and name in before and self._is_same(name):
                changed.append(
                    _replace_words(operation, sources[name], before[name], _OF_OPERATION)
                )
        schemas, written_ones, derived_ones = map(_get_schemas, (document, written, own))
        changed += [
            _replace_words(schemas[name], written_ones[name], derived_ones[name], ("description",))
            for name in schemas
            if name in written_ones and name in derived_ones
        ]
        return write_document(document) if any(changed) else derived

    def reword_toolspecs(self, derived: str) -> str:
        """Return the toolspecs of the level with the plain entries of tools that are the same."""
        own = _parse_specs(render_toolspecs(self.plain_api))
        kept = {
            name: spec
            for name, spec in _parse_specs(self.plain_specs).items()
            if self._is_same(name) and spec != own.get(name)
        }
        specs = [kept.get(name, spec) for name, spec in _parse_specs(derived).items()]
        return json.dumps(specs, indent=2, ensure_ascii=False) + "\n" if kept else derived

    def _derive_api(self) -> str:
        return render_openapi(self.model, {})

    def _is_same(self, name: str) -> bool:
        tools = self.harder.tools
        return name in tools and tools[name] == self.model.tools.get(name)


def _replace_words(part: Any, written: Any, own: Any, names: tuple[str, ...]) -> bool:  # noqa: ANN401 - parsed YAML
    """Put words that were written in the place of those derived; return whether there were any."""
    found = {name: written[name] for name in names if written.get(name, "") != own.get(name, "")}
    found = {name: words for name, words in found.items() if words}
    part |= found
    return bool(found)


def _index_by_id(document: Any) -> dict[str, Any]:  # noqa: ANN401 - parsed YAML
    return {operation["operationId"]: operation for operation in iterate_operations(document)}


def _get_schemas(document: Any) -> dict[str, Any]:  # noqa: ANN401 - parsed YAML
    found: dict[str, Any] = document["components"]["schemas"]
    return found


def _parse_specs(text: str) -> dict[str, Any]:
    return {entry["toolSpec"]["name"]: entry for entry in json.loads(text)}
