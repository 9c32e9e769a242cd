"""The terms of which the shapes of documents are made."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

_NAME = r"^[a-z][a-z0-9_]{0,47}$"
_TOOL_NAME = r"^[a-z][A-Za-z0-9]{0,63}$"
_PATH = r"^[a-z][a-z0-9_]{0,47}(\.[a-z][a-z0-9_]{0,47}){0,3}$"
_IDENTIFIER = r"^[A-Za-z][A-Za-z0-9_.-]{0,47}$"
# Offices stand in the SOP's sentences, where each figure is looked for among the model's.
_OFFICE = r"^[^\s\d|\"()][^\d|\"()]{0,79}$"
_DAY = r"^\d{4}-\d{2}-\d{2}$"
_CELL = r"^[^\s|\"][^|\"\n]{0,79}$"
_QUESTION = r"^q-[0-9a-f]{12}$"
PATTERN_WORDS = {
    _NAME: "at most 48 lowercase letters, digits and _, starting with a letter",
    _PATH: "at most four names joined by full stops, such as payer.balance",
    _TOOL_NAME: "at most 64 letters and digits, starting with a lowercase letter",
    _IDENTIFIER: "at most 48 letters, digits, _ . and -, starting with a letter",
    _OFFICE: "words without figures, brackets, bars and quotation marks, at most 80 characters",
    _CELL: "one line without bars and quotation marks, at most 80 characters",
    _QUESTION: "q- and twelve digits or letters from a to f",
}
PATTERN_FORMS = {
    _NAME: "lowercase letters, digits and _, starting with a letter, at most 48 characters",
    _PATH: "one to four names joined by full stops, such as payer.balance",
    _TOOL_NAME: "letters and digits, starting with a lowercase letter, at most 64 characters",
    _IDENTIFIER: "letters, digits, _, . and -, starting with a letter, at most 48 characters",
    _OFFICE: "no digits, parentheses, vertical bars or double quotes, at most 80 characters",
    _DAY: "YYYY-MM-DD",
    _CELL: "one line without vertical bars or double quotes, at most 80 characters",
    _QUESTION: "q- and 12 digits or letters from a to f",
}
"""The same for the reference, in which the type precedes the form."""

Name = Annotated[str, Field(pattern=_NAME)]
DottedName = Annotated[str, Field(pattern=_PATH)]
ToolName = Annotated[str, Field(pattern=_TOOL_NAME)]
Identifier = Annotated[str, Field(pattern=_IDENTIFIER)]
Office = Annotated[str, Field(pattern=_OFFICE)]
Cell = Annotated[str, Field(pattern=_CELL)]
QuestionId = Annotated[str, Field(pattern=_QUESTION)]
Day = Annotated[str, Field(pattern=_DAY)]
# Strict, for true and false would pass as 1 and 0.
Whole = Annotated[int, Field(strict=True)]
Sentence = Annotated[str, Field(min_length=1, max_length=100_000)]
Label = Annotated[str, Field(min_length=1, max_length=80)]
Unit = Annotated[str, AfterValidator(lambda unit: "percent" if unit == "per cent" else unit)]
"""A unit; all texts spell it alike."""
Condition = Annotated[
    str, BeforeValidator(lambda raw: str(raw).lower() if isinstance(raw, bool) else raw)
]
"""An expression; true, which YAML reads as a boolean, is answered as the text it is."""
Percent = Annotated[Whole, Field(ge=0, le=100)]
Role = Literal["input", "told", "observed", "derived", "outcome", "distractor", "secret", "session"]
Raw = str | int | bool | Decimal
Result = Raw | tuple[Label, ...]
"""What a rule, a row, an effect or an end gives; labels in a list are a set."""


class Strict(BaseModel):
    """A document part in which an unknown key is a fault."""

    model_config = ConfigDict(extra="forbid", frozen=True)
