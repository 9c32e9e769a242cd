"""Material: the names of a trade that an author wrote for one domain, sifted name by name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar

from pydantic import ConfigDict, TypeAdapter, ValidationError

from sopforge.errors import Fault, MaterialError
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import EnumType, SetType
from sopforge.language.english.prose.binding import may_bind

NAMES = ("roles", "systems", "papers")
"""What is named, as a brief declares it under ``setting``."""
_MOST_WORDS = 5
_SHORTEST, _LONGEST = 3, 60
_ARTICLES = frozenset({"the", "a", "an", "our", "this", "each", "every"})
_MARKS = frozenset(" '\u2019-")
_COMMANDS = frozenset(
    (
        *("ignore", "disregard", "skip", "forget", "do", "you", "your"),
        *("answer", "answers", "rule", "rules", "instruction", "instructions"),
    )
)
"""Words by which a text speaks to its reader, or of what is decided."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A name that was written and is not used, and why."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    part: str
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Material:
    """The names that were written for one domain, and those that are not used."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    roles: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    papers: tuple[str, ...] = ()
    rejected: tuple[Rejected, ...] = ()

    def with_names(self, part: str, names: tuple[str, ...]) -> Material:
        """Return the material with other names in one of its parts."""
        changed: dict[str, Any] = {part: names}
        return replace(self, **changed)

    def with_rejected(self, part: str, text: str, reason: str) -> Material:
        """Return the material with one more name that is not used."""
        return replace(self, rejected=(*self.rejected, Rejected(part, text, reason)))

    def as_json(self) -> str:
        """Return the text of ``material.json``."""
        return _build_adapter().dump_json(self, indent=1).decode() + "\n"


NOTHING = Material()


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


def sift_names(
    written: Mapping[str, tuple[str, ...]], model: DomainModel, before: Material = NOTHING
) -> Material:
    """Return what was kept before with those names that may stand in a text; the rest is rejected.

    Each is judged on its own, in order, so that one bad name costs no good one.
    """
    found = before
    for part in NAMES:
        for name in written.get(part, ()):
            known = getattr(found, part)
            if reason := _find_name_fault(name, model, found):
                found = found.with_rejected(part, name, reason)
            else:
                found = found.with_names(part, (*known, name))
    return found


def find_unsound_names(material: Material, model: DomainModel) -> tuple[Rejected, ...]:
    """Return which names of a material sifting would not have kept."""
    return sift_names({part: getattr(material, part) for part in NAMES}, model).rejected


def _find_name_fault(name: str, model: DomainModel, kept: Material) -> str:
    """Say why a name may not be used, or nothing.

    Strict rather than clever: a good name that is refused costs nothing, for the case's own takes
    its place.
    """
    lower = name.lower()
    if lower in {other.lower() for part in NAMES for other in getattr(kept, part)}:
        return "is there twice"
    return (
        _find_form_fault(name)
        or ("speaks as a rule does" if may_bind(name) or _COMMANDS & {*lower.split()} else "")
        or _find_known_word(lower, model)
    )


def _find_form_fault(name: str) -> str:
    words = name.split()
    strange = next((letter for letter in name if not _is_plain(letter)), "")
    if strange:
        what = repr(strange) if strange.isprintable() else f"U+{ord(strange):04X}"
        return f"has {what}; letters, blanks, dashes and apostrophes are taken"
    if name != " ".join(words) or not _SHORTEST <= len(name) <= _LONGEST:
        return f"is not {_SHORTEST} to {_LONGEST} characters with one blank between words"
    if len(words) > _MOST_WORDS:
        return f"has {len(words)} words; up to {_MOST_WORDS} are taken"
    return f"begins with '{words[0]}'" if words[0].lower() in _ARTICLES else ""


def _is_plain(letter: str) -> bool:
    is_latin = letter.isalpha() and unicodedata.name(letter, "").startswith("LATIN ")
    return is_latin or letter in _MARKS


def _find_known_word(lower: str, model: DomainModel) -> str:
    """Say which answer or tool a name holds, or nothing."""
    kinds = (item.type for item in model.outcomes)
    answers = {
        x.lower() for kind in kinds if isinstance(kind, EnumType | SetType) for x in kind.values
    }
    for answer in sorted(answers):
        if re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", lower):
            return f"names an answer: '{answer}'"
    tool = next((tool for tool in model.tools if tool.lower() in lower.split()), "")
    return f"names '{tool}'" if tool else ""


@cache
def _build_adapter() -> TypeAdapter[Material]:
    return TypeAdapter(Material)
