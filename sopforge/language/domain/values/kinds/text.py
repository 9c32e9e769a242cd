"""Text: carried and shown as it is, and compared for equality only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sopforge.language.domain.values.kinds.value_type import AtomType, Value
from sopforge.language.domain.values.likeness import Likeness
from sopforge.session.score import compose_raw


@dataclass(frozen=True, slots=True)
class TextType(AtomType):
    """Text of a pattern, from a pool or like something, compared for equality only.

    Free text is not even that.
    """

    name: ClassVar[str] = "text"
    noun: ClassVar[str] = "text"
    sort: ClassVar[str] = "text"
    condition_hint: ClassVar[str] = (
        "compare a field with it: status == 'A', or status in ['A', 'B']"
    )

    pattern: str = ""
    pool: tuple[str, ...] = ()
    is_free: bool = False
    like: Likeness | None = None

    def encode(self, raw: object) -> str:
        return str(compose_raw(raw))

    def to_cell(self, value: Value) -> str:
        return str(value)
