"""Where a tool stands in the API: its method, its path, and where each parameter goes.

A look-up reads a resource: GET, unless what it takes is too much or too deep for a query. All else
is POST to a resource and what is done to it: ``/orders/{order_id}/goods/reserve``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from sopforge.domain.fields import Entity
from sopforge.domain.model import DomainModel, Tool, ToolKind
from sopforge.domain.types import ListType, SetType

CALCULATIONS = "calculations"
_MOST_IN_QUERY = 3
_WORDS = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_PARTICLES = frozenset(("down", "in", "off", "on", "out", "over", "up"))
_HISSING = ("s", "x", "z", "ch", "sh")


@dataclass(frozen=True, slots=True)
class Place:
    """The method and path of a tool, and its parameters by where they are given."""

    method: str
    path: str
    tag: str
    in_path: tuple[str, ...]
    in_query: tuple[str, ...]
    in_body: tuple[str, ...]


def places(model: DomainModel) -> dict[str, Place]:
    """Return the place of each tool; no two of them have the same method and path."""
    found: dict[str, Place] = {}
    for tool in model.tools.values():
        taken = {(place.method, place.path) for place in found.values()}
        found[tool.name] = next(
            place for place in _candidates(model, tool) if (place.method, place.path) not in taken
        )
    return found


def plural(word: str) -> str:
    """Return the plural of an entity's name, in the words of a path.

    >>> plural("purchase_order"), plural("delivery"), plural("batch")
    ('purchase-orders', 'deliveries', 'batches')
    """
    plain = word.replace("_", "-")
    if re.search("[^aeiou]y$", plain):
        return f"{plain[:-1]}ies"
    return f"{plain}es" if plain.endswith(_HISSING) else f"{plain}s"


def _candidates(model: DomainModel, tool: Tool) -> Iterable[Place]:
    """Return the shortest place first, at last one that is the tool's alone."""
    entity = _entity(model, tool)
    verb, noun = _verb_and_noun(tool.name, entity)
    base = f"/{plural(entity.name)}/{{{entity.key}}}" if entity else ""
    rest = tuple(name for name in tool.takes if entity is None or name != entity.key)
    in_path = (entity.key,) if entity else ()
    tag = entity.name if entity else CALCULATIONS
    resource = f"{base}/{noun}" if noun else base
    whole = "-".join(_words(tool.name))
    if resource and _fits_query(model, tool, rest):
        for path in (resource, f"{resource}/{verb}", f"{base}/{whole}"):
            yield Place("get", path, tag, in_path, rest, ())
    for path in (f"{resource}/{verb}", f"{base}/{whole}", f"{base}/tools/{tool.name}"):
        yield Place("post", path, tag, in_path, (), rest)


def _entity(model: DomainModel, tool: Tool) -> Entity | None:
    """Return the entity of whose records a tool reads or changes one."""
    return next((part for part in model.entities_read(tool) if part.key in tool.takes), None)


def _verb_and_noun(name: str, entity: Entity | None) -> tuple[str, str]:
    """Return what a tool does, and to what: "" where it is the entity itself."""
    verb, *rest = _words(name)
    if not rest or rest[0] in _PARTICLES:
        return "-".join([verb, *rest]), ""
    noun = "-".join(rest)
    own = (entity.name.replace("_", "-"), plural(entity.name)) if entity else ()
    return verb, "" if noun in own else noun


def _fits_query(model: DomainModel, tool: Tool, names: tuple[str, ...]) -> bool:
    kinds = [model.fields[name].type for name in names]
    is_flat = not any(isinstance(kind, ListType | SetType) for kind in kinds)
    return tool.kind is ToolKind.LOOKUP and is_flat and len(names) <= _MOST_IN_QUERY


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORDS.findall(name)]
