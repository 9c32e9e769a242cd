"""Amazon Bedrock's Converse API by boto3: models other than Claude, and shops that allow no more.

Answers are streamed, and an answer without its last event is known to be cut.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import boto3
from botocore.config import Config
from botocore.eventstream import ParserError as EventStreamParserError
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectTimeoutError,
    CredentialRetrievalError,
    EndpointConnectionError,
    EventStreamError,
    HTTPClientError,
    NoAuthTokenError,
    NoCredentialsError,
    NoRegionError,
    PartialCredentialsError,
    ProfileNotFound,
    ProxyConnectionError,
    SSOError,
    TokenRetrievalError,
)
from urllib3.exceptions import HTTPError

from sopforge.authors.providers.adapters.failures import (
    AWS_KEY_HINT,
    Reply,
    find_safe_cause,
    make_broken_off_error,
    make_no_key_error,
    make_no_region_error,
    make_reply_error,
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

MOST_CHARACTERS = 16_000_000
"""No model writes an answer near to this; one event of the stream holds 24 MB at most."""

_STOPS = {
    "end_turn": StopReason.END,
    "stop_sequence": StopReason.END,
    "tool_use": StopReason.END,
    "max_tokens": StopReason.TRUNCATED,
    "guardrail_intervened": StopReason.REFUSED,
    "content_filtered": StopReason.REFUSED,
    "model_context_window_exceeded": StopReason.CONTEXT_FULL,
}
# The statuses that Bedrock's errors would have elsewhere; within a stream they come without one.
_STATUSES = {
    "ThrottlingException": 429,
    "throttlingException": 429,
    "ModelNotReadyException": 429,
    "ServiceQuotaExceededException": 429,
    "AccessDeniedException": 403,
    "ResourceNotFoundException": 404,
    "UnrecognizedClientException": 401,
    "InvalidSignatureException": 401,
    "ExpiredTokenException": 401,
    "IncompleteSignatureException": 401,
    "MissingAuthenticationTokenException": 401,
    "ModelErrorException": 424,
    "modelStreamErrorException": 424,
    "ModelTimeoutException": 408,
    "internalServerException": 500,
    "serviceUnavailableException": 503,
}
_NO_KEY = (
    *(NoCredentialsError, PartialCredentialsError, CredentialRetrievalError),
    *(NoAuthTokenError, TokenRetrievalError, SSOError),
)
_NOT_CONNECTED = (EndpointConnectionError, ConnectTimeoutError, ProxyConnectionError)


class ConverseProvider:
    """Asks any model of Bedrock that converses; boto3's own retries are off."""

    name = "bedrock"
    family = "converse"

    def __init__(self, sdk: Any, timeouts: Timeouts, routes: Routes) -> None:  # noqa: ANN401 - boto3 makes it
        self.endpoint = remove_credentials(sdk.meta.endpoint_url)
        self._sdk = sdk
        self._timeouts = timeouts
        self._routes = routes

    def complete(self, request: Request) -> Completion:
        return self._routes.complete(request, self._attempt)

    def _attempt(self, request: Request, route: Route) -> Completion:
        with self._translate_errors(request.model):
            reply = self._sdk.converse_stream(**_build_arguments(request, route))
            answer = _Answer()
            with translate_shape_errors():
                answer.take(iterate_until_timeout(reply.get("stream") or (), self._timeouts.whole))
        request_id = reply["ResponseMetadata"].get("RequestId", "")
        return answer.build_completion(request, route, request_id)

    @contextmanager
    def _translate_errors(self, model: str) -> Iterator[None]:
        """Turn what boto3 raises into this project's errors."""
        try:
            yield
        except _NO_KEY as error:
            raise make_no_key_error(
                self.name, f"{without_secrets(str(error))}; {AWS_KEY_HINT}"
            ) from error
        except ClientError as error:
            raise self._translate_error(error, model) from find_safe_cause(error)
        except (BotoCoreError, HTTPClientError, HTTPError, EventStreamParserError) as error:
            # Whether a question arrived is not known once the line is dead.
            is_connected = not isinstance(error, _NOT_CONNECTED)
            reason = f"{type(error).__name__}: {without_secrets(str(error))}"
            raise PassingError(reason, may_be_billed=is_connected) from find_safe_cause(error)

    def _translate_error(self, error: ClientError, model: str) -> PassingError | ProviderError:
        details: Mapping[str, Any] = error.response.get("Error", {})
        metadata: Mapping[str, Any] = error.response.get("ResponseMetadata", {})
        code, message = str(details.get("Code", "")), str(details.get("Message", "") or error)
        status = _STATUSES.get(code, metadata.get("HTTPStatusCode", 400))
        reply = Reply(
            status if isinstance(status, int) else 400,
            f"{code}: {message}",
            retry_after(metadata.get("HTTPHeaders", {}).get("retry-after")),
            metadata.get("RequestId", ""),
            is_started=isinstance(error, EventStreamError),
        )
        return make_reply_error(reply, endpoint=self.endpoint, model=model)


def build_converse_provider(settings: Settings) -> ConverseProvider:
    """Return Bedrock's runtime for a region and a profile."""
    region = settings.region or os.environ.get("AWS_REGION")  # boto3 itself reads another one
    config = Config(
        connect_timeout=settings.timeouts.connect,
        read_timeout=settings.timeouts.read,
        # One for each question that may be open at once; boto3 itself keeps ten.
        max_pool_connections=max(settings.concurrency, 10),
        retries={"mode": "standard", "total_max_attempts": 1},
    )
    try:
        session = boto3.Session(profile_name=settings.profile, region_name=region)
        sdk = session.client("bedrock-runtime", endpoint_url=settings.base_url, config=config)
    except NoRegionError as error:
        raise make_no_region_error("no AWS region is set") from error
    except ProfileNotFound as error:
        raise make_no_key_error("bedrock", f"{error}; {AWS_KEY_HINT}") from error
    return ConverseProvider(sdk, settings.timeouts, Routes(settings.structured))


@dataclass(slots=True)
class _Answer:
    """The pieces of an answer, as they arrive."""

    texts: list[str] = field(default_factory=list)
    inputs: list[str] = field(default_factory=list)
    size: int = 0
    stop: str = ""
    usage: Mapping[str, int] = field(default_factory=dict)

    def take(self, events: Iterable[Mapping[str, Any]]) -> None:
        for event in events:
            delta = event.get("contentBlockDelta", {}).get("delta", {})
            self.texts.append(delta.get("text", ""))
            self.inputs.append(delta.get("toolUse", {}).get("input", ""))
            self._count(self.texts[-1], self.inputs[-1])
            self.stop = event.get("messageStop", {}).get("stopReason", self.stop)
            self.usage = event.get("metadata", {}).get("usage", self.usage)

    def _count(self, *pieces: str) -> None:
        self.size += sum(map(len, pieces))
        if self.size > MOST_CHARACTERS:
            reason = f"the endpoint sent more than {MOST_CHARACTERS / 1e6:g} MB for one answer"
            raise PassingError(reason, may_be_billed=True)

    def build_completion(self, request: Request, route: Route, request_id: str) -> Completion:
        stop = _STOPS.get(self.stop)
        # The counts of tokens come in the very last event: without them the answer was cut.
        if stop is None or not self.usage:
            raise make_broken_off_error(self.stop)
        usage = read_usage(
            input_=self.usage.get("inputTokens"),
            output=self.usage.get("outputTokens"),
            cache_read=self.usage.get("cacheReadInputTokens"),
            cache_write=self.usage.get("cacheWriteInputTokens"),
        )
        text = "".join(self.inputs) or "".join(self.texts)
        kind = "text" if request.schema is None else route
        # Converse does not say which model answered, only that the one asked did.
        return Completion(
            text, stop, usage, request.model, request_id, kind, _describe_refusal(self.stop)
        )


def _describe_refusal(stop: str) -> str:
    return stop if _STOPS[stop] is StopReason.REFUSED else ""


def _build_arguments(request: Request, route: Route) -> dict[str, Any]:
    output: dict[str, Any] = {"effort": request.effort} if request.effort else {}
    arguments: dict[str, Any] = {
        "modelId": request.model,
        "inferenceConfig": {"maxTokens": request.max_tokens},
        "messages": [
            {"role": message.role, "content": _convert_blocks(message.blocks)}
            for message in request.messages
        ],
    }
    if request.system:
        arguments["system"] = _convert_blocks(request.system)
    if request.schema is not None and route == "native":
        schema = json.dumps(request.schema, sort_keys=True)
        structure = {"jsonSchema": {"name": ANSWER, "schema": schema}}
        output["textFormat"] = {"type": "json_schema", "structure": structure}
    elif request.schema is not None:
        shape = {"json": dict(request.schema)}
        tool = {"name": ANSWER, "description": "Gives the answer.", "inputSchema": shape}
        arguments["toolConfig"] = {
            "tools": [{"toolSpec": tool}],
            "toolChoice": {"tool": {"name": ANSWER}},
        }
    return {**arguments, "outputConfig": output} if output else arguments


def _convert_blocks(blocks: Sequence[Block]) -> list[dict[str, Any]]:
    pieces: list[dict[str, Any]] = []
    for block in blocks:
        pieces.append({"text": block.text})
        if block.is_cached:
            pieces.append({"cachePoint": {"type": "default"}})
    return pieces
