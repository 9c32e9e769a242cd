"""Claude by the official SDK: Anthropic's own endpoint, and Amazon Bedrock's two for Claude.

Answers are always streamed, so that a long one is no special case, and an answer that ends before
its last event is known to be cut.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from json import JSONDecodeError
from typing import Any, TypeAlias

import anthropic
import httpx2
from anthropic.types import Message as Answer
from botocore.eventstream import ParserError as EventStreamParserError
from botocore.exceptions import BotoCoreError

from sopforge.authors.providers.adapters.body_limits import limit_body
from sopforge.authors.providers.adapters.failures import (
    AWS_KEY_HINT,
    Reply,
    describe_lost_line,
    find_message,
    find_safe_cause,
    make_broken_off_error,
    make_no_key_error,
    make_no_region_error,
    make_reply_error,
    map_status,
    remove_credentials,
    retry_after,
    translate_shape_errors,
    without_secrets,
)
from sopforge.authors.providers.completion import (
    Block,
    Completion,
    PassingError,
    Request,
    StopReason,
    read_usage,
)
from sopforge.authors.providers.settings import Settings
from sopforge.authors.providers.structured_answers import ANSWER, Route, Routes
from sopforge.authors.providers.timeouts import Timeouts, iterate_until_timeout
from sopforge.errors import ProviderError

Sdk: TypeAlias = (
    "anthropic.Anthropic | anthropic.AnthropicBedrock | anthropic.AnthropicBedrockMantle"
)

KEY_HINT = "set ANTHROPIC_API_KEY"

_FOREIGN = (
    anthropic.AnthropicError,
    httpx2.RequestError,
    BotoCoreError,
    EventStreamParserError,
    JSONDecodeError,
)
_NOT_CONNECTED = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)
_STOPS = {
    "end_turn": StopReason.END,
    "stop_sequence": StopReason.END,
    "tool_use": StopReason.END,
    "max_tokens": StopReason.TRUNCATED,
    "refusal": StopReason.REFUSED,
    "model_context_window_exceeded": StopReason.CONTEXT_FULL,
}


class ClaudeProvider:
    """Asks Claude through one of the SDK's clients, whose own retries are off."""

    family = "messages"

    def __init__(self, name: str, sdk: Sdk, timeouts: Timeouts, routes: Routes) -> None:
        self.name = name
        self.endpoint = remove_credentials(sdk.base_url)
        self._sdk = sdk
        self._timeouts = timeouts
        self._routes = routes

    def complete(self, request: Request) -> Completion:
        return self._routes.complete(request, self._attempt)

    def _attempt(self, request: Request, route: Route) -> Completion:
        with (
            self._translate_errors(request.model),
            self._sdk.messages.stream(**_build_arguments(request, route)) as stream,
        ):
            with translate_shape_errors():
                kinds = [
                    event.type for event in iterate_until_timeout(stream, self._timeouts.whole)
                ]
            # The SDK makes an answer of whatever came, also of a part.
            if "message_stop" not in kinds:
                raise PassingError("the answer ended early", may_be_billed=bool(kinds))
            return _build_completion(stream.get_final_message(), stream.request_id, request, route)

    @contextmanager
    def _translate_errors(self, model: str) -> Iterator[None]:
        """Turn what the SDK raises into this project's errors."""
        try:
            yield
        except _FOREIGN as error:
            raise self._translate_error(error, model) from find_safe_cause(error)
        except RuntimeError as error:  # The SDK's, where AWS credentials are not to be found.
            if "credentials" not in str(error):
                raise
            raise make_no_key_error(self.name, AWS_KEY_HINT) from error

    def _translate_error(self, error: Exception, model: str) -> PassingError | ProviderError:
        match error:
            case anthropic.APIStatusError():
                headers = error.response.headers
                message = error.api_message or find_message(error.body, error.message)
                reply = Reply(
                    map_status(headers.get("x-amzn-errortype", ""), error.status_code),
                    message,
                    retry_after(headers.get("retry-after")),
                    error.request_id or headers.get("x-amzn-requestid") or "",
                    # An error in the midst of a stream comes with the status of its beginning.
                    is_started=error.status_code == HTTPStatus.OK,
                )
                return make_reply_error(reply, endpoint=self.endpoint, model=model)
            case BotoCoreError() | anthropic.CredentialsError():
                return make_no_key_error(
                    self.name, f"{without_secrets(str(error))}; {AWS_KEY_HINT}"
                )
            case _:
                # Whether a question arrived is not known once the line is dead.
                is_connected = not isinstance(error.__cause__, _NOT_CONNECTED)
                return PassingError(describe_lost_line(error), may_be_billed=is_connected)


def build_anthropic_provider(settings: Settings) -> ClaudeProvider:
    """Return Anthropic's own endpoint; key and address come from the environment."""
    sdk = anthropic.Anthropic(
        base_url=settings.base_url,
        max_retries=0,
        timeout=_build_timeout(settings.timeouts),
        http_client=_build_http_client(),
    )
    if not (sdk.api_key or sdk.auth_token or sdk.credentials):
        raise make_no_key_error("anthropic", KEY_HINT)
    return ClaudeProvider("anthropic", sdk, settings.timeouts, Routes(settings.structured))


def build_mantle_provider(settings: Settings) -> ClaudeProvider:
    """Return Bedrock's endpoint that speaks the Messages API itself."""
    return _build_bedrock_provider(settings, anthropic.AnthropicBedrockMantle)


def build_invoke_provider(settings: Settings) -> ClaudeProvider:
    """Return Bedrock's runtime, which also takes inference profiles."""
    return _build_bedrock_provider(settings, anthropic.AnthropicBedrock)


def _build_bedrock_provider(
    settings: Settings,
    kind: type[anthropic.AnthropicBedrock | anthropic.AnthropicBedrockMantle],
) -> ClaudeProvider:
    try:
        sdk = kind(
            aws_region=settings.region,
            aws_profile=settings.profile,
            base_url=settings.base_url,
            max_retries=0,
            timeout=_build_timeout(settings.timeouts),
            http_client=_build_http_client(),
        )
    except (anthropic.AnthropicError, ValueError) as error:
        raise make_no_region_error(without_secrets(str(error))) from find_safe_cause(error)
    return ClaudeProvider("bedrock", sdk, settings.timeouts, Routes(settings.structured))


def _build_http_client() -> httpx2.Client:
    return anthropic.DefaultHttpxClient(event_hooks={"response": [limit_body]})


def _build_timeout(timeouts: Timeouts) -> httpx2.Timeout:
    return httpx2.Timeout(timeouts.read, connect=timeouts.connect)


def _build_arguments(request: Request, route: Route) -> dict[str, Any]:
    config: dict[str, Any] = {"effort": request.effort} if request.effort else {}
    arguments: dict[str, Any] = {
        "model": request.model,
        "max_tokens": request.max_tokens,
        "messages": [
            {"role": message.role, "content": _convert_blocks(message.blocks)}
            for message in request.messages
        ],
    }
    if request.system:
        arguments["system"] = _convert_blocks(request.system)
    if request.schema is not None:
        # The endpoint refuses limits such as `minimum`. This moves them into descriptions; whether
        # the answer keeps them is seen when it is read.
        schema = anthropic.transform_schema(dict(request.schema))
        if route == "native":
            config["format"] = {"type": "json_schema", "schema": schema}
        else:
            description = "Gives the answer."
            tool = {"name": ANSWER, "description": description, "input_schema": schema}
            arguments["tools"] = [tool]
            arguments["tool_choice"] = {"type": "tool", "name": ANSWER}
    return {**arguments, "output_config": config} if config else arguments


def _convert_blocks(blocks: Sequence[Block]) -> list[dict[str, Any]]:
    mark = {"cache_control": {"type": "ephemeral"}}
    return [
        {"type": "text", "text": block.text, **(mark if block.is_cached else {})}
        for block in blocks
    ]


def _build_completion(
    answer: Answer, request_id: str | None, request: Request, route: Route
) -> Completion:
    stop = _STOPS.get(answer.stop_reason or "")
    if stop is None:
        raise make_broken_off_error(answer.stop_reason or "")
    usage = answer.usage
    return Completion(
        _extract_text(answer),
        stop,
        read_usage(
            input_=usage.input_tokens,
            output=usage.output_tokens,
            cache_read=usage.cache_read_input_tokens,
            cache_write=usage.cache_creation_input_tokens,
        ),
        answer.model,
        request_id or "",
        "text" if request.schema is None else route,
        answer.stop_details.explanation or "" if answer.stop_details else "",
    )


def _extract_text(answer: Answer) -> str:
    """Return the answer's text; the input of a forced tool is written as the JSON that it was."""
    inputs = [block.input for block in answer.content if block.type == "tool_use"]
    if inputs:
        return json.dumps(inputs[0], ensure_ascii=False)
    return "".join(block.text for block in answer.content if block.type == "text")
