"""What tokens cost: dated rows from a file, exact decimals, and no guess where no row fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fnmatch import fnmatchcase
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from sopforge.authors.providers.completion import Usage
from sopforge.errors import Fault, MaterialError
from sopforge.language.domain.documents.schema import AuthorName
from sopforge.language.domain.documents.validation import validate
from sopforge.language.domain.documents.yaml_documents import read_document
from sopforge.untrusted.plain_files import RefusedFileError, read_named

MILLION = Decimal(1_000_000)
LARGEST_BYTES = 1_000_000

Amount = Annotated[Decimal, Field(ge=0, le=MILLION)]


class Price(BaseModel):
    """The prices of a model per million tokens, for the days and prompts that it holds for."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    provider: AuthorName
    model: str
    valid_from: date
    valid_to: date | None = None
    prompt_up_to: int | None = None
    currency: Literal["USD"]
    input: Amount
    output: Amount
    cache_write: Amount
    cache_read: Amount
    checked_on: date

    def holds(self, provider: str, model: str, on: date, prompt: int) -> bool:
        """Whether the row is for this model, day and length of prompt."""
        return (
            self.provider == provider
            and fnmatchcase(model, self.model)
            and self.valid_from <= on <= (self.valid_to or on)
            and (self.prompt_up_to is None or prompt <= self.prompt_up_to)
        )

    def compute_cost(self, usage: Usage) -> Decimal:
        """Return what the tokens cost, in US dollars."""
        total = (
            self.input * usage.input
            + self.output * usage.output
            + self.cache_write * usage.cache_write
            + self.cache_read * usage.cache_read
        )
        return total / MILLION

    def compute_highest_cost(self, prompt: int, output: int) -> Decimal:
        """Return the most that a prompt and an answer of at most so many tokens can cost."""
        return (max(self.input, self.cache_write) * prompt + self.output * output) / MILLION


class PriceDocument(BaseModel):
    """The file of prices."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal[1]
    prices: tuple[Price, ...]


@dataclass(frozen=True, slots=True)
class Prices:
    """All rows, in the order in which they count."""

    rows: Sequence[Price]

    def find(self, provider: str, model: str, on: date, prompt: int) -> Price | None:
        """Return the first row that holds, or nothing where the price is not known."""
        held = (row for row in self.rows if row.holds(provider, model, on, prompt))
        return next(held, None)


def read_prices(own: Path | None = None) -> Prices:
    """Return the user's own rows, then those shipped.

    Raises:
        MaterialError: the user's file is not there or not in form, with its faults by line.
    """
    shipped = (files("sopforge.authors.providers") / "prices.yaml").read_text(encoding="utf-8")
    return Prices((*_read_own_rows(own), *_parse_rows(shipped, "prices.yaml")))


def render_price_row(provider: str, model: str, on: date) -> str:
    """Return a file of prices for a model, with the amounts left to fill in."""
    amounts = ", ".join(f"{name}: ?" for name in ("input", "output", "cache_write", "cache_read"))
    dates = f"valid_from: {on}, currency: USD, {amounts}, checked_on: {on}"
    return f'format: 1\nprices:\n  - {{provider: {provider}, model: "{model}", {dates}}}'


def _read_own_rows(path: Path | None) -> tuple[Price, ...]:
    if path is None:
        return ()
    try:
        text = read_named(path, LARGEST_BYTES).decode()
    except (OSError, RefusedFileError, UnicodeDecodeError) as cause:
        hint = "name a file of prices in the form that docs/providers.md shows"
        message = f"the file of prices cannot be read: {cause}"
        raise MaterialError(Fault("prices-not-read", message, str(path), hint)) from cause
    return _parse_rows(text, str(path))


def _parse_rows(text: str, source: str) -> tuple[Price, ...]:
    return validate(read_document(text, source), PriceDocument).prices
