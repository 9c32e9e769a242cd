"""What a provider is asked, what it answers, and how it fails: the same words for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, Literal, Protocol, TypeAlias

Role: TypeAlias = Literal["user", "assistant"]
Effort: TypeAlias = Literal["low", "medium", "high", "xhigh", "max"]
JsonSchema: TypeAlias = Mapping[str, Any]

# More than any model reads or writes at once.
MOST_TOKENS = 100_000_000


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of text; ``is_cached`` says that all up to its end will be asked with again."""

    text: str
    is_cached: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of the conversation."""

    role: Role
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Request:
    """A question to a model; equal requests are answered from one record.

    ``replicate`` distinguishes two wanted answers to the same question.
    """

    model: str
    system: tuple[Block, ...]
    messages: tuple[Message, ...]
    max_tokens: int
    schema: JsonSchema | None = None
    effort: Effort | None = None
    replicate: int = 0


class StopReason(StrEnum):
    """Why the model stopped."""

    END = "end"
    TRUNCATED = "truncated"
    REFUSED = "refused"
    CONTEXT_FULL = "context-full"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as they are billed: ``input`` leaves out what the cache took or gave."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    @property
    def prompt(self) -> int:
        """All tokens of the question."""
        return self.input + self.cache_read + self.cache_write


def read_usage(
    *, input_: object, output: object, cache_read: object = None, cache_write: object = None
) -> Usage | None:
    """Return the counts, or nothing where they are no numbers of tokens that an answer can have.

    Those of the cache may be left out; an answer to nothing is none.
    """
    counts = map(_read_count, (input_, output, cache_read or 0, cache_write or 0))
    known = [count for count in counts if count is not None]
    return Usage(*known) if len(known) == len(fields(Usage)) and any(known) else None


def _read_count(value: object) -> int | None:
    return value if type(value) is int and 0 <= value <= MOST_TOKENS else None


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's answer: its text, or what it gave for a schema, read and found to fit.

    ``model`` is the one that answered; ``route`` says how the schema was put to it; ``usage`` is
    absent where the endpoint does not count.
    """

    text: str
    stop: StopReason
    usage: Usage | None
    model: str
    request_id: str = ""
    route: Literal["text", "native", "tool"] = "text"
    detail: str = ""
    value: Any = field(default=None, compare=False)


class PassingError(Exception):
    """An attempt failed, and another one may succeed.

    ``retry_after`` is the wait in seconds that the provider asked for, ``is_throttled`` says that
    it wants fewer requests, and ``may_be_billed`` that it may have written an answer all the same.
    """

    def __init__(
        self,
        reason: str,
        *,
        retry_after: float | None = None,
        is_throttled: bool = False,
        may_be_billed: bool = False,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retry_after = retry_after
        self.is_throttled = is_throttled
        self.may_be_billed = may_be_billed


class Provider(Protocol):
    """A source of answers; each adapter is one file."""

    @property
    def name(self) -> str:
        """The provider as prices name it: anthropic, bedrock, openai."""

    @property
    def family(self) -> str:
        """The API's form, which is part of a request's identity."""

    @property
    def endpoint(self) -> str:
        """The address that limits are counted by."""

    def complete(self, request: Request) -> Completion:
        """Return the answer of one attempt.

        Raises:
            PassingError: the attempt failed, and another one may not.
            ProviderError: no further attempt would do better.
        """
