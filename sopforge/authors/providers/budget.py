"""A limit on what is spent: each question is let through only if its dearest answer still fits."""

from __future__ import annotations

import json
from decimal import Decimal
from threading import Condition

from sopforge.authors.providers.completion import Request
from sopforge.errors import Fault, ProviderError

# Tokens are counted from above: English has about four bytes to a token, figures and code two.
BYTES_PER_TOKEN = 2
TOKENS_PER_MESSAGE = 50
CENT = Decimal("0.01")


class Budget:
    """What may be spent, what was, and what questions that are still open may yet cost.

    ``perhaps_spent`` is the highest cost of attempts that were cut off: nobody knows whether they
    are billed, and it counts like what was spent.
    """

    def __init__(self, limit: Decimal | None = None) -> None:
        self.limit = limit
        self.spent = Decimal(0)
        self.perhaps_spent = Decimal(0)
        self._open = Decimal(0)
        self._changed = Condition()

    def reserve(self, most: Decimal | None, model: str) -> Decimal:
        """Return the sum set aside for a question that costs at most so much.

        Where it would fit but for questions that are open, it waits for what they come to.

        Raises:
            ProviderError: it could pass the limit, or its price is not known while there is one.
        """
        if self.limit is None:
            return Decimal(0)
        if most is None:
            raise ProviderError(_make_price_fault(model))
        with self._changed:
            # Open questions count in full, for all of them may be answered at their dearest.
            while self._counted + self._open + most > self.limit:
                if self._counted + most > self.limit:
                    raise ProviderError(self._make_budget_fault(self.limit, most))
                self._changed.wait()
            self._open += most
        return most

    def settle(self, reserved: Decimal, cost: Decimal | None) -> None:
        """Put the cost in the place of what was set aside; an unknown cost counts as all of it."""
        with self._changed:
            self._open -= reserved
            if cost is None:
                self.perhaps_spent += reserved
            else:
                self.spent += cost
            self._changed.notify_all()

    @property
    def _counted(self) -> Decimal:
        return self.spent + self.perhaps_spent

    def _make_budget_fault(self, limit: Decimal, most: Decimal) -> Fault:
        message = (
            f"the budget is {_format_dollars(limit)}, {_format_dollars(self.spent)} of it is spent"
        )
        if self.perhaps_spent:
            perhaps = _format_dollars(self.perhaps_spent)
            message += f", {perhaps} may be spent on attempts that were cut off or not counted"
        message += f", {_format_dollars(self._open)} is set aside" if self._open else ""
        message += f", and the next question could cost {_format_dollars(most)}"
        hint = "raise the budget and run again; earlier answers are recorded and cost nothing"
        return Fault("budget-reached", message, "", hint)


def estimate_prompt(request: Request) -> int:
    """Return a number of tokens that the question has hardly more of."""
    texts = [block.text for block in request.system]
    texts += [block.text for message in request.messages for block in message.blocks]
    if request.schema is not None:
        texts.append(json.dumps(request.schema, ensure_ascii=False))
    size = sum(len(text.encode()) for text in texts)
    return size // BYTES_PER_TOKEN + TOKENS_PER_MESSAGE * (len(request.messages) + 1)


def _make_price_fault(model: str) -> Fault:
    message = f"the price of '{model}' is unknown, so the budget cannot be enforced"
    hint = (
        "state the price with --prices FILE (docs/providers.md shows its form), or run without"
        " --budget"
    )
    return Fault("price-unknown", message, "", hint)


def _format_dollars(amount: Decimal) -> str:
    """Return the amount to the cent, or further where it is less than one."""
    return f"${amount:.2f}" if amount == 0 or amount >= CENT else f"${amount.normalize():f}"
