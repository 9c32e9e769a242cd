"""Any endpoint that speaks OpenAI's chat completions, by the official SDK.

Answers are streamed, and an answer without its finish reason is known to be cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from json import JSONDecodeError
from typing import Any

import httpx2
import openai

from sopforge.authors.providers.adapters.body_limits import limit_body
from sopforge.authors.providers.adapters.failures import (
    Reply,
    describe_lost_line,
    find_message,
    find_safe_cause,
    make_broken_off_error,
    make_no_key_error,
    make_reply_error,
    remove_credentials,
    retry_after,
    translate_shape_errors,
)
from sopforge.authors.providers.completion import (
    Block,
    Completion,
    PassingError,
    Request,
    StopReason,
    Usage,
    read_usage,
)
from sopforge.authors.providers.settings import Settings
from sopforge.authors.providers.structured_answers import ANSWER, Route, Routes
from sopforge.authors.providers.timeouts import Timeouts, iterate_until_timeout
from sopforge.errors import ProviderError

KEY_HINT = "set OPENAI_API_KEY; for an endpoint that needs no key, set it to any text"

_NOT_CONNECTED = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)
_STOPS = {
    "stop": StopReason.END,
    "tool_calls": StopReason.END,
    "length": StopReason.TRUNCATED,
    "content_filter": StopReason.REFUSED,
}


class OpenAiProvider:
    """Asks a model by chat completions; the SDK's own retries are off."""

    name = "openai"
    family = "chat"

    def __init__(self, sdk: openai.OpenAI, timeouts: Timeouts, routes: Routes) -> None:
        self.endpoint = remove_credentials(sdk.base_url)
        self._sdk = sdk
        self._timeouts = timeouts
        self._routes = routes

    def complete(self, request: Request) -> Completion:
        return self._routes.complete(request, self._attempt)

    def _attempt(self, request: Request, route: Route) -> Completion:
        answer = _Answer()
        with (
            self._translate_errors(request.model),
            self._sdk.chat.completions.create(**_build_arguments(request, route)) as stream,
            translate_shape_errors(),
        ):
            answer.take(iterate_until_timeout(stream, self._timeouts.whole))
        return answer.build_completion(request, route)

    @contextmanager
    def _translate_errors(self, model: str) -> Iterator[None]:
        """Turn what the SDK raises into this project's errors."""
        try:
            yield
        except (openai.OpenAIError, httpx2.RequestError, JSONDecodeError) as error:
            raise self._translate_error(error, model) from find_safe_cause(error)

    def _translate_error(self, error: Exception, model: str) -> PassingError | ProviderError:
        if isinstance(error, openai.APIStatusError):
            wait = retry_after(error.response.headers.get("retry-after"))
            message = find_message(error.body, error.message)
            reply = Reply(error.status_code, message, wait, error.request_id or "")
            return make_reply_error(reply, endpoint=self.endpoint, model=model)
        # Whether a question arrived is not known once the line is dead.
        is_connected = not isinstance(error.__cause__, _NOT_CONNECTED)
        return PassingError(describe_lost_line(error), may_be_billed=is_connected)


def build_openai_provider(settings: Settings) -> OpenAiProvider:
    """Return the endpoint that the settings or OPENAI_BASE_URL name."""
    timeouts = settings.timeouts
    timeout = httpx2.Timeout(timeouts.read, connect=timeouts.connect)
    try:
        sdk = openai.OpenAI(
            base_url=settings.base_url,
            max_retries=0,
            timeout=timeout,
            http_client=openai.DefaultHttpxClient(event_hooks={"response": [limit_body]}),
        )
    except openai.OpenAIError as error:
        raise make_no_key_error("openai", KEY_HINT) from error
    return OpenAiProvider(sdk, timeouts, Routes(settings.structured))


@dataclass(slots=True)
class _Answer:
    """The pieces of an answer, as they arrive."""

    texts: list[str] = field(default_factory=list)
    inputs: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    stop: str = ""
    model: str = ""
    request_id: str = ""
    usage: Usage | None = None

    def take(self, chunks: Iterable[Any]) -> None:
        for chunk in chunks:
            self.model, self.request_id = chunk.model or self.model, chunk.id or self.request_id
            if chunk.usage is not None:
                self.usage = _convert_usage(chunk.usage)
            for choice in chunk.choices:
                self.stop = choice.finish_reason or self.stop
                self._add_piece(choice.delta)

    def _add_piece(self, delta: Any) -> None:  # noqa: ANN401 - compatible endpoints leave fields out
        self.texts.append(delta.content or "")
        self.refusals.append(getattr(delta, "refusal", None) or "")
        for call in delta.tool_calls or ():
            self.inputs.append(call.function.arguments or "")

    def build_completion(self, request: Request, route: Route) -> Completion:
        refusal = "".join(self.refusals)
        stop = StopReason.REFUSED if refusal else _STOPS.get(self.stop)
        if stop is None:
            raise make_broken_off_error(self.stop)
        text = "".join(self.inputs) or "".join(self.texts)
        kind = "text" if request.schema is None else route
        return Completion(text, stop, self.usage, self.model, self.request_id, kind, refusal)


def _convert_usage(usage: Any) -> Usage | None:  # noqa: ANN401 - compatible endpoints leave fields out
    details = getattr(usage, "prompt_tokens_details", None)
    found = read_usage(
        input_=usage.prompt_tokens,
        output=usage.completion_tokens,
        cache_read=getattr(details, "cached_tokens", None),
    )
    if found is None or found.cache_read > found.input:
        return None
    # These endpoints count what the cache gave among the tokens of the prompt; `Usage` does not.
    return replace(found, input=found.input - found.cache_read)


def _build_arguments(request: Request, route: Route) -> dict[str, Any]:
    arguments: dict[str, Any] = {
        "model": request.model,
        "max_completion_tokens": request.max_tokens,
        "messages": [
            *(
                [{"role": "system", "content": _join_blocks(request.system)}]
                if request.system
                else []
            ),
            *(
                {"role": turn.role, "content": _join_blocks(turn.blocks)}
                for turn in request.messages
            ),
        ],
        "stream": True,
        # Unless it is asked for, a stream counts no tokens, and no cost would be known.
        "stream_options": {"include_usage": True},
    }
    if request.effort:
        arguments["reasoning_effort"] = request.effort
    if request.schema is not None and route == "native":
        shape = {"name": ANSWER, "schema": dict(request.schema), "strict": True}
        arguments["response_format"] = {"type": "json_schema", "json_schema": shape}
    elif request.schema is not None:
        tool = {"name": ANSWER, "parameters": dict(request.schema)}
        arguments["tools"] = [{"type": "function", "function": tool}]
        arguments["tool_choice"] = {"type": "function", "function": {"name": ANSWER}}
    return arguments


def _join_blocks(blocks: Sequence[Block]) -> str:
    """Return the blocks as one text; these endpoints cache a repeated beginning by themselves."""
    return "\n\n".join(block.text for block in blocks)
