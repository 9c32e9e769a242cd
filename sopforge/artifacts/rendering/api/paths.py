"""Where a tool stands in the API: its method, its path, and where each parameter goes.

A path consists of nouns, below the record that a call is about: ``/orders/{order_id}``. A look-up
reads one, by GET unless what it takes is too deep for a query. All else is POST: a calculation to
what it makes out, an action to what it makes; only an action that makes nothing but changes what
there is stands under its verb.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import count

from sopforge.language.domain.fields import Entity, Field, Role
from sopforge.language.domain.model import DomainModel, Tool, ToolKind
from sopforge.language.domain.values.types import ListType, SetType, TextType
from sopforge.morphology import pluralize_word

CALCULATIONS = "calculations"
SEARCHES = "searches"
_WORDS = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_PARTICLES = frozenset(("down", "in", "off", "on", "out", "over", "up"))
_MARKS = ("number", "id", "code", "key")
"""The words at the end of a field's name that say that it identifies a thing."""


@dataclass(frozen=True, slots=True)
class ApiPlace:
    """The method and path of a tool, and its parameters by where they are given."""

    method: str
    path: str
    tag: str
    in_path: tuple[str, ...]
    in_query: tuple[str, ...]
    in_body: tuple[str, ...]


def assign_places(model: DomainModel) -> dict[str, ApiPlace]:
    """Return the place of each tool; no two of them have the same method and path.

    Of tools that would stand at one place, the one that the procedure calls has it.
    """
    called = {step.call for step in model.steps.values()}
    found: dict[str, ApiPlace] = {}
    # A level's extra tools come last, so that the plain level's paths stay as they are.
    for tool in sorted(model.tools.values(), key=lambda tool: tool.name not in called):
        taken = {(place.method, place.path) for place in found.values()}
        place = _propose_place(model, tool)
        found[tool.name] = next(
            numbered
            for number in count(1)
            if ((numbered := _number_place(place, number)).method, numbered.path) not in taken
        )
    return {name: found[name] for name in model.tools}


def name_several(name: str) -> str:
    """Return what several of a name's things are called in a path: "bonus" stays as it is.

    >>> [name_several(name) for name in ("purchase_order", "delivery", "batch", "address", "bonus")]
    ['purchase-orders', 'deliveries', 'batches', 'addresses', 'bonus']
    """
    *before, last = re.split("[_-]", name)
    # Clients know such paths, so that a plural in "-uses" is not made of them.
    is_kept = last.endswith("s") and not last.endswith("ss")
    return "-".join([*before, last if is_kept else pluralize_word(last)])


def _propose_place(model: DomainModel, tool: Tool) -> ApiPlace:
    """Return where a tool stands if no other does."""
    entity = _find_entity(model, tool)
    key = (entity.key,) if entity else ()
    base = f"/{name_several(entity.name)}/{{{entity.key}}}" if entity else ""
    rest = tuple(name for name in tool.takes if name not in key)
    tag = entity.name if entity and tool.kind is not ToolKind.COMPUTE else CALCULATIONS
    verb, noun = _split_verb_and_noun(tool.name, entity)
    if tool.kind is ToolKind.LOOKUP and base and _is_flat(model, rest):
        return ApiPlace("get", _join_path(base, noun), tag, key, rest, ())
    words = _name_post_path(model, tool, verb, noun)
    return ApiPlace("post", _join_path(base, *words), tag, key, (), rest)


def _name_post_path(model: DomainModel, tool: Tool, verb: str, noun: str) -> tuple[str, ...]:
    """Return what stands below the record where a tool is called by POST."""
    match tool.kind:
        case ToolKind.LOOKUP:
            return (f"{noun}-{SEARCHES}" if noun else SEARCHES,)
        case ToolKind.COMPUTE:
            return (_name_calculation(tool, noun),)
        case ToolKind.ACTION:
            made = _name_created_thing(model, tool, noun)
            return (made,) if made else (noun, verb)


def _join_path(base: str, *words: str) -> str:
    return "/".join([base, *filter(None, words)])


def _number_place(place: ApiPlace, number: int) -> ApiPlace:
    """Return the place of the tool of that number among those that would stand at one."""
    path = place.path
    if number > 1 and path.endswith("}"):
        path, number = f"{path}/record", number - 1
    return replace(place, path=path if number == 1 else f"{path}-{number}")


def _find_entity(model: DomainModel, tool: Tool) -> Entity | None:
    """Return the entity of whose records a tool is about one."""
    about = (*model.list_entities_read(tool), *model.entities.values())
    return next((part for part in about if part.key in tool.takes), None)


def _name_calculation(tool: Tool, noun: str) -> str:
    """Return what a calculation makes out: the one value, or a calculation of several."""
    if len(tool.returns) == 1:
        return name_several(tool.returns[0])
    return f"{noun}-{CALCULATIONS}" if noun else CALCULATIONS


def _name_created_thing(model: DomainModel, tool: Tool, noun: str) -> str:
    """Return what an action makes, "" where it returns no identifier of such a thing."""
    new = [item for item in model.list_tool_results(tool) if _is_new_identifier(item, tool)]
    if not new:
        return ""
    words = new[0].name.split("_")
    thing = words[:-1] if len(words) > 1 and words[-1] in _MARKS else words
    return name_several(noun or "_".join(thing))


def _is_new_identifier(item: Field, tool: Tool) -> bool:
    is_new = item.role is Role.OBSERVED and item.name not in (*tool.takes, *tool.effects)
    return is_new and isinstance(item.type, TextType) and bool(item.type.pattern)


def _split_verb_and_noun(name: str, entity: Entity | None) -> tuple[str, str]:
    """Return what a tool does, and to what: "" where it is the entity itself."""
    words = _split_words(name)
    size = 2 if words[1:2] and words[1] in _PARTICLES else 1
    verb, noun = "-".join(words[:size]), "-".join(words[size:])
    if entity is None:
        return verb, noun
    own = entity.name.replace("_", "-")
    return verb, "" if noun in (own, name_several(own)) else noun.removeprefix(f"{own}-")


def _is_flat(model: DomainModel, names: tuple[str, ...]) -> bool:
    """Return whether a query can carry values of the fields."""
    return not any(isinstance(model.fields[name].type, ListType | SetType) for name in names)


def _split_words(name: str) -> list[str]:
    return [word.lower() for word in _WORDS.findall(name)]
