"""What a run has spent on models, and when it may spend no more."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from inspect_ai.model import ModelUsage

from sopforge.authors.providers.completion import Usage, read_usage
from sopforge.authors.providers.pricing import Price, Prices

_HOSTS = {"bedrock": "bedrock", "openai": "openai", "openai-api": "openai"}


class RunBudgetSpentError(Exception):
    """The run has spent what it may; nothing is asked any more."""


@dataclass(slots=True)
class Purse:
    """What a run spends; ``limit`` is in US dollars, None where there is none.

    ``perhaps_spent`` is the highest cost of calls that were cut off or not counted; it counts like
    what was spent.
    """

    prices: Prices
    today: date
    limit: Decimal | None = None
    spent: Decimal = Decimal(0)
    perhaps_spent: Decimal = Decimal(0)

    def require(self) -> None:
        """Go on only while there is money left.

        Raises:
            RunBudgetSpentError: there is none.
        """
        if self.limit is not None and self.spent + self.perhaps_spent >= self.limit:
            raise RunBudgetSpentError(f"${self.spent:.2f} of ${self.limit:.2f} are spent")

    def pay(self, model: str, usage: Usage) -> Decimal | None:
        """Return what a reply costs, None where its price is not known, and count it as spent."""
        price = self._find_price(model, usage.prompt)
        if price is None:
            return None
        cost = price.compute_cost(usage)
        self.spent += cost
        return cost

    def count_perhaps(self, model: str, prompt: int, output: int) -> Decimal | None:
        """Return what a call costs at most, None where its price is not known, and count it so."""
        price = self._find_price(model, prompt)
        if price is None:
            return None
        most = price.compute_highest_cost(prompt, output)
        self.perhaps_spent += most
        return most

    def _find_price(self, model: str, prompt: int) -> Price | None:
        provider, name = _name_priced(model)
        return self.prices.find(provider, name, self.today, prompt)


def read_model_usage(usage: ModelUsage | None) -> Usage | None:
    """Return the tokens that a provider counted, nothing where it did not, or counted nonsense."""
    if usage is None:
        return None
    return read_usage(
        input_=usage.input_tokens,
        output=usage.output_tokens,
        cache_read=usage.input_tokens_cache_read,
        cache_write=usage.input_tokens_cache_write,
    )


def _name_priced(model: str) -> tuple[str, str]:
    """Return provider and model as prices name them: ``anthropic/bedrock/X`` is Bedrock's X."""
    parts = model.split("/")
    hosts = [_HOSTS[part] for part in parts[:-1] if part in _HOSTS]
    return (hosts[-1] if hosts else parts[0]), parts[-1]
