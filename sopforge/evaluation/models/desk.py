"""Where a model agent works: it asks its model, calls tools, and says how its attempt ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import anyio
from anyio.to_thread import run_sync
from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput
from inspect_ai.tool import ToolInfo
from inspect_ai.util import LimitExceededError

from sopforge.authors.providers.budget import BYTES_PER_TOKEN
from sopforge.authors.providers.completion import Usage
from sopforge.evaluation.agents.agent import AttemptEndedError
from sopforge.evaluation.models.failed_calls import hear_failed_calls, may_be_billed
from sopforge.evaluation.models.prompts import AgentPrompts
from sopforge.evaluation.models.replies import Replies
from sopforge.evaluation.models.settings import ModelSettings
from sopforge.evaluation.models.spending import Purse, read_model_usage
from sopforge.evaluation.runs.rows import Spent
from sopforge.harness.environment.events import Reply
from sopforge.harness.environment.session import Session
from sopforge.harness.grading.grades import Stop
from sopforge.harness.layers.queue.queued import has_filed
from sopforge.sandbox.answers import JSONValue
from sopforge.store.digests import digest_value

_LONGEST_SAID = 500


@dataclass(frozen=True, slots=True)
class Counter:
    """What a run shares: its model, its replies so far, its purse, and the line to the tools."""

    model: Model
    settings: ModelSettings
    replies: Replies
    purse: Purse
    config: GenerateConfig
    line: anyio.Lock


@dataclass(slots=True)
class Desk:
    """One attempt of a model agent: ``session`` has its calls, the rest what it took.

    ``filed_at`` is the turn at which it filed its last case, where a session has several.
    ``uncertain`` are the highest costs of calls that were cut off or not counted, None where the
    price is not known.
    """

    key: str
    session: Session[Any] = field(repr=False)
    counter: Counter = field(repr=False)
    messages: list[ChatMessage] = field(default_factory=list, repr=False)
    tokens_in: int = 0
    tokens_out: int = 0
    turns: int = 0
    filed_at: int = 0
    cost: Decimal | None = None
    uncertain: list[Decimal | None] = field(default_factory=list)

    @property
    def spent(self) -> Spent:
        """What the attempt took so far, replies included that were paid for before."""
        known = [cost for cost in self.uncertain if cost is not None]
        return Spent(
            self.turns,
            self.tokens_in,
            self.tokens_out,
            None if self.cost is None else float(self.cost),
            cut_off=len(self.uncertain),
            cut_off_most=float(sum(known)),
            cut_off_unpriced=len(self.uncertain) - len(known),
        )

    async def ask(self, tools: Sequence[ToolInfo] = (), stops: Sequence[str] = ()) -> ModelOutput:
        """Have the model add the next message to those so far, and return its output.

        What it replied to the same messages before the run was killed is taken again, unpaid.

        Raises:
            AttemptEndedError: it may be asked no more, it refuses, or its provider fails.
            RunBudgetSpentError: the run may ask nothing any more.
        """
        self._require_room()
        self.turns += 1
        asked = _digest_asked(self.messages, tools, stops)
        replies = self.counter.replies
        if (kept := replies.find(self.key, self.turns, asked)) is not None:
            output = ModelOutput.model_validate_json(kept)
        else:
            self.counter.purse.require()
            output = await self._generate(tools, stops)
            replies.add(self.key, self.turns, asked, _write_output(output))
        self._count(read_model_usage(output.usage), tools)
        if output.stop_reason == "content_filter":
            raise AttemptEndedError(Stop.REFUSED, output.completion[:_LONGEST_SAID])
        self.messages.append(output.message)
        return output

    @property
    def is_heard(self) -> bool:
        """Whether a message that neither calls nor ends the case is answered."""
        return self.counter.settings.canned_reply or self.session.has_user

    def say(self, text: str, prompts: AgentPrompts) -> str:
        """Return what a message is answered: by the user, or in words that are the same always."""
        if self.session.has_user:
            return self.session.say(text) or ""
        if text.strip():
            self.session.note(text)
        return prompts.write("nobody_to_ask")

    async def call(self, tool: str, arguments: Mapping[str, JSONValue]) -> Reply:
        """Return what a tool replies; the tools answer one call at a time."""
        async with self.counter.line:
            reply = await run_sync(self.session.call, tool, arguments)
        if has_filed(tool, reply):
            self.filed_at = self.turns
        return reply

    async def _generate(self, tools: Sequence[ToolInfo], stops: Sequence[str]) -> ModelOutput:
        config = self.counter.config.merge(GenerateConfig(stop_seqs=list(stops) or None))

        def hear(cause: BaseException) -> None:
            if may_be_billed(cause):
                self._count_perhaps(tools)

        try:
            with hear_failed_calls(hear):
                return await self.counter.model.generate(
                    self.messages, tools=list(tools), config=config
                )
        except LimitExceededError:
            raise
        except Exception as cause:
            said = " ".join(str(cause).split())[:_LONGEST_SAID]
            message = f"{type(cause).__name__}: {said}"
            raise AttemptEndedError(Stop.PROVIDER, message) from cause

    def _require_room(self) -> None:
        settings = self.counter.settings
        # The papers' caps are of one case.
        if settings.cap and self.turns - self.filed_at >= settings.cap:
            raise AttemptEndedError(Stop.CAP, f"no answer after {settings.cap} turns")
        used = self.tokens_in + self.tokens_out
        if settings.token_budget and used >= settings.token_budget:
            message = f"no answer after {used:,} tokens"
            raise AttemptEndedError(Stop.BUDGET, message)

    def _count(self, usage: Usage | None, tools: Sequence[ToolInfo]) -> None:
        if usage is None:
            self._count_perhaps(tools)
            return
        self.tokens_in += usage.prompt
        self.tokens_out += usage.output
        cost = self.counter.purse.pay(self.counter.settings.model, usage)
        if cost is not None:
            self.cost = (self.cost or Decimal(0)) + cost

    def _count_perhaps(self, tools: Sequence[ToolInfo]) -> None:
        """Count a call at its highest cost, which may be billed at any."""
        settings = self.counter.settings
        said = [item.model_dump_json() for item in (*self.messages, *tools)]
        prompt = sum(len(text.encode(errors="replace")) for text in said) // BYTES_PER_TOKEN
        purse = self.counter.purse
        self.uncertain.append(purse.count_perhaps(settings.model, prompt, settings.max_tokens))


def _write_output(output: ModelOutput) -> str:
    """Return a reply as JSON.

    Raises:
        AttemptEndedError: it has half a character, which no JSON can hold.
    """
    try:
        return output.model_dump_json(exclude_none=True)
    except ValueError as cause:
        says = f"its model wrote what is no text: {type(cause).__name__}"
        raise AttemptEndedError(Stop.FAILED, says) from cause


def _digest_asked(
    messages: Sequence[ChatMessage], tools: Sequence[ToolInfo], stops: Sequence[str]
) -> str:
    """Return a digest of what a model is asked; the ids of messages are drawn, and left out."""
    said = [message.model_dump(mode="json", exclude={"id"}) for message in messages]
    return digest_value([said, [tool.name for tool in tools], list(stops)])
