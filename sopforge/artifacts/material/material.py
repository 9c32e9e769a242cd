"""Material: what was written for one domain, from which operators draw before their pools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, ClassVar

from pydantic import ConfigDict, TypeAdapter, ValidationError

from sopforge.errors import Fault, MaterialError


@dataclass(frozen=True, slots=True)
class Detail:
    """A field on which no case turns: with the labels in ``values``, or a whole number."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    name: str
    description: str
    values: tuple[str, ...] = ()
    lowest: int = 0
    highest: int = 0


@dataclass(frozen=True, slots=True)
class Service:
    """A look-up of the trade that is of no use to a case; it returns one detail."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    tool: str
    description: str
    shows: Detail


@dataclass(frozen=True, slots=True)
class Twin:
    """Another name and description for a tool that steps call."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    same_as: str
    tool: str
    description: str


@dataclass(frozen=True, slots=True)
class Earlier:
    """A value that a constant of the policy had, as a person writes it, and why it was changed."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    constant: str
    value: str
    why: str


@dataclass(frozen=True, slots=True)
class Rejected:
    """One thing that was written and is not used, and why."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    part: str
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Material:
    """What an author wrote for one domain; nothing of it where operators keep to their pools.

    ``written`` counts all that was written: what is kept and what is ``rejected`` add up to it.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    lead_ins: tuple[str, ...] = ()
    tangents: tuple[str, ...] = ()
    twins: tuple[Twin, ...] = ()
    earlier: tuple[Earlier, ...] = ()
    services: tuple[Service, ...] = ()
    form_details: tuple[Detail, ...] = ()
    record_details: tuple[Detail, ...] = ()
    roles: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    papers: tuple[str, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    written: int = 0

    @property
    def kept(self) -> int:
        """How many things operators can draw."""
        return sum(len(getattr(self, part)) for part in PARTS)

    def without_items(self, reasons: Mapping[tuple[str, str], str]) -> Material:
        """Return the material with some of its items rejected, by part and text."""
        gone = tuple(Rejected(part, text, why) for (part, text), why in reasons.items())
        left: dict[str, Any] = {
            part: tuple(
                item for item in getattr(self, part) if (part, format_item(item)) not in reasons
            )
            for part in PARTS
        }
        return replace(self, **left, rejected=(*self.rejected, *gone))

    def as_json(self) -> str:
        """Return the text of ``material.json``."""
        return _build_adapter().dump_json(self, indent=1).decode() + "\n"


NOTHING = Material()
PARTS = tuple(item.name for item in fields(Material) if item.name not in {"rejected", "written"})
"""What can be written, by the names of its parts."""
NAMES = ("roles", "systems", "papers")
"""The parts that are names of the trade, as a brief declares them under ``setting``."""


def format_item(item: object) -> str:
    """Return an item in words: a sentence as it is, else what it is called and says."""
    match item:
        case Detail():
            return f"{item.name}: {item.description}"
        case Service() | Twin():
            return f"{item.tool}: {item.description}"
        case Earlier():
            return f"{item.constant} was {item.value}: {item.why}"
        case _:
            return str(item)


def build_material(answer: Mapping[str, Any]) -> Material:
    """Return the material in an answer of the form that was asked for: some of the parts."""
    return _build_adapter().validate_python(dict(answer))


def read_material(text: str, source: str) -> Material:
    """Return the material in a text; an empty one holds nothing.

    Raises:
        MaterialError: it is not of the form that ``as_json`` writes.
    """
    if not text:
        return NOTHING
    try:
        return _build_adapter().validate_json(text)
    except ValidationError as cause:
        first = cause.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        message = f"{place}: {first['msg']}"
        fault = Fault("own-material", message, source, "generate the stage again")
        raise MaterialError(fault) from cause


@cache
def _build_adapter() -> TypeAdapter[Material]:
    return TypeAdapter(Material)
