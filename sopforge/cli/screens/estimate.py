"""What a model author has still to be asked, in calls, tokens and dollars."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from sopforge.cli.output import Parts, make_table

if TYPE_CHECKING:
    from sopforge.authors.writers.estimating import Question
    from sopforge.language.domain.documents.schema import AuthorDocument

ASSUMED = (
    "This is an upper estimate: one token for every 2 bytes of a question and every 3 bytes of new"
    " text, at list price, without the provider's cache. It does not include what a model thinks"
    " before it answers."
)


@dataclass(frozen=True, slots=True)
class Sum:
    """What questions come to; ``cost`` in US dollars, None where a price is not known."""

    calls: int
    on_record: int
    tokens_in: int
    tokens_out: int
    cost: Decimal | None

    def as_record(self) -> dict[str, object]:
        """Return the sum ready for JSON."""
        return {
            "calls": self.calls,
            "on_record": self.on_record,
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "cost_usd": None if self.cost is None else f"{self.cost:.2f}",
        }


def estimate_stages(
    questions: Sequence[Question], writer: AuthorDocument, prices: Path | None
) -> dict[str, Sum]:
    """Return what each stage is still to be asked, and under names of their own what all are.

    ``repairs`` is what all rounds of repair would add, ``at most`` all with these.
    """
    from sopforge.authors.providers.pricing import read_prices

    known, today = read_prices(prices), datetime.now(UTC).date()

    def compute_cost(question: Question) -> Decimal | None:
        reader = writer.second_reader if question.to_second else writer
        price = known.find(reader.name, str(reader.model), today, question.prompt)
        return price.compute_highest_cost(question.prompt, question.answer) if price else None

    def sum_questions(asked: Iterable[Question]) -> Sum:
        every = list(asked)
        paid = [question for question in every if not question.is_on_record]
        costs = [compute_cost(question) for question in paid]
        priced = [amount for amount in costs if amount is not None]
        return Sum(
            len(paid),
            len(every) - len(paid),
            sum(question.prompt for question in paid),
            sum(question.answer for question in paid),
            sum(priced, Decimal(0)) if len(priced) == len(costs) else None,
        )

    first = [question for question in questions if not question.repair]
    repairs = list(_select_repair_round(questions)) * writer.rounds
    stages = dict.fromkeys(question.stage for question in first)
    return {
        **{name: sum_questions(item for item in first if item.stage == name) for name in stages},
        "together": sum_questions(first),
        "repairs": sum_questions(repairs),
        "at most": sum_questions([*first, *repairs]),
    }


def build_estimate_record(
    questions: Sequence[Question], writer: AuthorDocument, prices: Path | None
) -> dict[str, object]:
    """Return what :func:`estimated` does, ready for JSON; nothing where nobody is asked."""
    sums = estimate_stages(questions, writer, prices) if questions else {}
    return {name.replace(" ", "_"): found.as_record() for name, found in sums.items()}


def lay_out_estimate(
    questions: Sequence[Question], writer: AuthorDocument, prices: Path | None
) -> Parts:
    """Yield what each stage is still to be asked, and what all rounds of repair would add."""
    from sopforge.authors.providers.pricing import render_price_row

    sums = estimate_stages(questions, writer, prices)
    rows = [
        (
            *(name, found.calls, found.on_record, f"{found.tokens_in:,}", f"{found.tokens_out:,}"),
            "unknown" if found.cost is None else f"{found.cost:.2f}",
        )
        for name, found in sums.items()
    ]
    numbers = ("calls", "on record", "tokens in", "tokens out", "USD")
    yield make_table("model calls still to be made", ["stage"], rows, numbers)
    yield ASSUMED
    rounds = f"{writer.rounds} round{'s' * (writer.rounds != 1)}"
    yield (
        "Repairs are needed only if checks find errors. The table counts"
        f" {rounds} for each of {', '.join(writer.stages)}, as if each round rewrote the whole"
        " stage."
    )
    if sums["at most"].cost is None:
        model, today = str(writer.model), datetime.now(UTC).date()
        yield f"No price is known for '{model}' at {writer.name}. Add one with --prices FILE,"
        yield f"in US dollars per million tokens:\n{render_price_row(writer.name, model, today)}"


def _select_repair_round(questions: Iterable[Question]) -> Iterable[Question]:
    """Yield what one round at each stage would ask: its own question, else all of the stage's."""
    from dataclasses import replace

    asked = list(questions)
    own = {question.stage for question in asked if question.repair}
    for question in asked:
        if question.repair or question.stage not in own:
            yield replace(question, is_on_record=False)
