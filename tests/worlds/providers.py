"""What tests of providers share: a request, an environment with keys, and the adapters by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from sopforge.authors.providers.completion import (
    Block,
    Completion,
    Message,
    Provider,
    Request,
    StopReason,
    Usage,
)
from sopforge.authors.providers.ledger import read_events
from sopforge.authors.providers.retrying import Patience, RetryLoop
from sopforge.authors.providers.selection import build_provider
from sopforge.authors.providers.settings import Settings
from sopforge.authors.providers.timeouts import Timeouts
from sopforge.authors.providers.watching import Event
from sopforge.store.backends.folder import FolderObjects
from tests.servers.model_server import ModelServer, model_server


def events_in(path: Path) -> list[Event]:
    """Return the lines of a log in a file."""
    return read_events(FolderObjects(path.parent), path.name)


SECRET = "sk-test-0123456789-must-not-be-seen"  # noqa: S105 - it opens nothing

# The author, the model, and what the base URL ends in.
ADAPTERS = {
    "anthropic": ("anthropic", "claude-test-1", ""),
    "mantle": ("bedrock", "anthropic.claude-test-1", ""),
    "invoke": ("bedrock", "eu.anthropic.claude-test-1-v1:0", ""),
    "converse": ("bedrock", "qwen.qwen-test-1:0", ""),
    "openai": ("openai", "some-model", "/v1"),
}
INSTALLED = [name for name in ADAPTERS if name != "openai" or find_spec("openai")]

SHORT = Timeouts(connect=2, read=2, whole=10)

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "people": {"type": "integer", "minimum": 1}},
    "required": ["city", "people"],
    "additionalProperties": False,
}

REQUEST = Request(
    model="claude-test-1",
    system=(Block("You name cities.", is_cached=True),),
    messages=(Message("user", (Block("A long document.", is_cached=True), Block("Which city?"))),),
    max_tokens=1000,
)


def set_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a key for each provider into the environment, and take away what else it may hold."""
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_BEARER_TOKEN_BEDROCK", "AWS_REGION"):
        monkeypatch.delenv(name, raising=False)
    for name in ("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    for name in ("ANTHROPIC_API_KEY", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, SECRET)
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-test-1")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/dev/null")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@contextmanager
def asked_at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """Have Anthropic's API be a server on loopback, which is asked again without a wait."""
    with model_server() as server:
        set_keys(monkeypatch)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        loop = partial(RetryLoop, patience=Patience(shortest=0, longest=0))
        monkeypatch.setattr("sopforge.authors.providers.selection.RetryLoop", loop)
        yield server


def adapter_at(name: str, url: str, timeouts: Timeouts = SHORT) -> Provider:
    """Return an adapter that asks the server at ``url``."""
    author, model, path = ADAPTERS[name]
    return build_provider(author, model, Settings(base_url=url + path, timeouts=timeouts))


def request_for(name: str, **changes: Any) -> Request:  # noqa: ANN401 - fields of a request
    """Return the request with the adapter's model."""
    return replace(REQUEST, model=ADAPTERS[name][1], **changes)


class FakeTime:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


class ScriptedProvider:
    """A provider of canned answers and errors, one for each question."""

    name = "anthropic"
    family = "messages"
    endpoint = "scripted"

    def __init__(self, *script: Completion | BaseException) -> None:
        self.script = list(script)
        self.asked: list[Request] = []

    def complete(self, request: Request) -> Completion:
        self.asked.append(request)
        step = self.script.pop(0)
        if isinstance(step, BaseException):
            raise step
        return step


def answer(text: str, stop: StopReason = StopReason.END, **more: Any) -> Completion:  # noqa: ANN401 - fields of a completion
    """Return an answer of 1,000 tokens to a question of 2,000."""
    fields: dict[str, Any] = {"usage": Usage(2000, 1000), "model": "claude-test-1", **more}
    return Completion(text, stop, **fields)
