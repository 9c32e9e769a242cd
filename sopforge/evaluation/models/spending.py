"""What a run has spent on models, and when it may spend no more."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from inspect_ai.model import ModelUsage

from sopforge.providers.completion import Usage
from sopforge.providers.pricing import Prices

_HOSTS = {"bedrock": "bedrock", "openai": "openai", "openai-api": "openai"}


class RunBudgetSpentError(Exception):
    """The run has spent what it may; nothing is asked any more."""


@dataclass(slots=True)
class Purse:
    """What a run spends; ``limit`` is in US dollars, None where there is none."""

    prices: Prices
    today: date
    limit: Decimal | None = None
    spent: Decimal = Decimal(0)
    unpriced: int = 0

    def require(self) -> None:
        """Go on only while there is money left.

        Raises:
            RunBudgetSpentError: there is none.
        """
        if self.limit is not None and self.spent >= self.limit:
            raise RunBudgetSpentError(f"${self.spent:.2f} of ${self.limit:.2f} are spent")

    def pay(self, model: str, usage: ModelUsage) -> Decimal | None:
        """Return what a reply costs, None where its price is not known, and count it as spent."""
        cost = self.compute_cost(model, usage)
        if cost is None:
            self.unpriced += 1
        else:
            self.spent += cost
        return cost

    def compute_cost(self, model: str, usage: ModelUsage) -> Decimal | None:
        """Return what tokens cost, None where the price is not known."""
        provider, name = _name_priced(model)
        cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
        price = self.prices.find(provider, name, self.today, usage.input_tokens + cached)
        if price is None:
            return None
        tokens = Usage(
            input=usage.input_tokens,
            output=usage.output_tokens,
            cache_write=usage.input_tokens_cache_write or 0,
            cache_read=usage.input_tokens_cache_read or 0,
        )
        return price.compute_cost(tokens)


def _name_priced(model: str) -> tuple[str, str]:
    """Return provider and model as prices name them: ``anthropic/bedrock/X`` is Bedrock's X."""
    parts = model.split("/")
    hosts = [_HOSTS[part] for part in parts[:-1] if part in _HOSTS]
    return (hosts[-1] if hosts else parts[0]), parts[-1]
