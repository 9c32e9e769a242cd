"""Calls of a model that failed: heard one by one, also those that inspect repeats by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from http import HTTPStatus
from typing import Any

from inspect_ai.model import Model

# By name, for each provider brings a library of its own.
_NOT_CONNECTED = {
    *("ConnectError", "ConnectTimeout", "PoolTimeout", "ClientConnectorError"),
    *("EndpointConnectionError", "ConnectTimeoutError", "ProxyConnectionError"),
}

Hear = Callable[[BaseException], None]
_heard: ContextVar[Hear | None] = ContextVar("heard", default=None)


def report_failed_calls(model: Model) -> Model:
    """Return a model of which each call that fails is reported, one that is cancelled too."""
    generate = model.api.generate

    async def generate_and_report(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - inspect's own
        try:
            result = await generate(*arguments, **named)
        except BaseException as cause:
            _report(cause)
            raise
        # Some providers return what they failed with.
        output = result[0] if isinstance(result, tuple) else result
        if isinstance(output, Exception):
            _report(output)
        return result

    setattr(model.api, "generate", generate_and_report)  # noqa: B010 - a method, to mypy
    return model


@contextmanager
def hear_failed_calls(hear: Hear) -> Iterator[None]:
    """Hear of the failed calls that this task makes meanwhile."""
    token = _heard.set(hear)
    try:
        yield
    finally:
        _heard.reset(token)


def may_be_billed(error: BaseException) -> bool:
    """Return whether a provider may have begun to answer before a call failed.

    It has not where it replied with an error, or was never reached.
    """
    cause: BaseException | None = error
    while cause is not None:
        if _find_status(cause) >= HTTPStatus.BAD_REQUEST or type(cause).__name__ in _NOT_CONNECTED:
            return False
        cause = cause.__cause__
    return True


def _find_status(error: BaseException) -> int:
    status = getattr(error, "status_code", None)
    response = getattr(error, "response", None)
    if status is None and isinstance(response, dict):  # as botocore has it
        status = response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    return status if isinstance(status, int) else 0


def _report(cause: BaseException) -> None:
    hear = _heard.get()
    if hear is not None:
        hear(cause)
