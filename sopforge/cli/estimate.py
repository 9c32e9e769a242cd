"""What a model author has still to be asked, told in calls, tokens and dollars."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from sopforge.cli.output import say, table

if TYPE_CHECKING:
    from rich.console import Console

    from sopforge.authors.estimating import Question
    from sopforge.domain.schema import AuthorDocument

ASSUMED = (
    "Estimated from above: a token for every 2 bytes of a question and every 3 bytes of what is"
    " worded anew, at list price, without the provider's cache. What a model thinks before it"
    " answers comes on top."
)


def show_estimate(
    screen: Console, questions: Sequence[Question], writer: AuthorDocument, prices: Path | None
) -> None:
    """Print what each stage is still to be asked, and what all rounds of repair would add."""
    from sopforge.providers.pricing import price_row, read_prices

    known, model, today = read_prices(prices), str(writer.model), datetime.now(UTC).date()

    def cost(question: Question) -> Decimal | None:
        price = known.find(writer.name, model, today, question.prompt)
        return price.most(question.prompt, question.answer) if price else None

    shown = table("still to be asked", "stage", numbers=_NUMBERS)
    first = [question for question in questions if not question.repair]
    for stage in dict.fromkeys(question.stage for question in first):
        shown.add_row(*_row(stage, [item for item in first if item.stage == stage], cost))
    shown.add_row(*_row("together", first, cost))
    repairs = list(_round_of_repair(questions)) * writer.rounds
    shown.add_row(*_row("repairs", repairs, cost))
    shown.add_row(*_row("at most", [*first, *repairs], cost))
    screen.print(shown)
    say(screen, ASSUMED)
    rounds = f"{writer.rounds} round{'s' * (writer.rounds != 1)}"
    told = f"{rounds} at each of {', '.join(writer.stages)}, each as the whole stage written again"
    say(screen, f"Repairs are asked for only where checks find errors; counted are {told}.")
    if any(cost(question) is None for question in questions):
        say(
            screen, f"No price is known for '{model}' at {writer.name}. With --prices FILE you give"
        )
        say(
            screen,
            f"one, in US dollars per million tokens:\n{price_row(writer.name, model, today)}",
        )


_NUMBERS = ("calls", "on record", "tokens in", "tokens out", "USD")


def _round_of_repair(questions: Iterable[Question]) -> Iterable[Question]:
    """Yield what one round at each stage would ask: its own question, else all of the stage's."""
    from dataclasses import replace

    asked = list(questions)
    own = {question.stage for question in asked if question.repair}
    for question in asked:
        if question.repair or question.stage not in own:
            yield replace(question, is_on_record=False)


def _row(
    name: str, questions: Sequence[Question], cost: Callable[[Question], Decimal | None]
) -> tuple[str, ...]:
    asked = [question for question in questions if not question.is_on_record]
    costs = [cost(question) for question in asked]
    known = [amount for amount in costs if amount is not None]
    return (
        name,
        str(len(asked)),
        str(len(questions) - len(asked)),
        f"{sum(question.prompt for question in asked):,}",
        f"{sum(question.answer for question in asked):,}",
        f"{sum(known, Decimal(0)):.2f}" if len(known) == len(costs) else "unknown",
    )
