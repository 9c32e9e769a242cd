"""Failures of endpoints in this project's words: which pass, which do not, and what to do.

No text that an endpoint sent is repeated with a secret in it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlsplit, urlunsplit

from sopforge.authors.providers.completion import PassingError
from sopforge.errors import Fault, ProviderError

# What these hold is a secret, wherever it turns up.
SECRET_VARIABLES = (
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_AWS_API_KEY",
    "AWS_ACCESS_KEY_ID",
    "AWS_BEARER_TOKEN_BEDROCK",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "OPENAI_API_KEY",
)
AWS_KEY_HINT = (
    "set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; or sign in with aws"
)
HIDDEN = "[secret]"
# An endpoint without keys is given any text for one. If that is `x`, no word must be hidden for it.
SHORTEST_SECRET = 6
LONGEST_MESSAGE = 500

_PASSING_STATUSES = {408, 409, 424, 425, 429}
# 529 is what Anthropic says when it is overloaded.
_THROTTLED_STATUSES = {429, 529}
_FIRST_OF_SERVERS = 500


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back instead of an answer, or, where it ``is_started``, in the midst of one."""

    status: int
    message: str
    retry_after: float | None = None
    request_id: str = ""
    is_started: bool = False


# What AWS calls a key that it does not know, whatever the status it comes with.
_KEY_CODES = {
    "UnrecognizedClientException",
    "InvalidSignatureException",
    "ExpiredTokenException",
    "IncompleteSignatureException",
    "MissingAuthenticationTokenException",
}


def map_status(code: str, status: int) -> int:
    """Return the status that an error of AWS by this code would have elsewhere."""
    return HTTPStatus.UNAUTHORIZED if code.partition(":")[0] in _KEY_CODES else status


def find_message(body: object, otherwise: str) -> str:
    """Return the message in an error's body, which some libraries show with all around it."""
    part = body.get("error", body) if isinstance(body, dict) else body
    message = part.get("message") if isinstance(part, dict) else None
    return message if isinstance(message, str) and message else otherwise


def make_reply_error(reply: Reply, *, endpoint: str, model: str) -> PassingError | ProviderError:
    """Return what a reply with an error means."""
    message = without_secrets(reply.message)
    is_passing = reply.status in _PASSING_STATUSES or reply.status >= _FIRST_OF_SERVERS
    # An answer that had begun shows that nothing was wrong with the question.
    if is_passing or reply.is_started:
        return PassingError(
            f"{reply.status}: {message}",
            retry_after=reply.retry_after,
            is_throttled=reply.status in _THROTTLED_STATUSES,
            may_be_billed=reply.is_started,
        )
    # Bedrock calls the name of a model that it does not have an invalid one.
    is_unknown = reply.status == HTTPStatus.BAD_REQUEST and "model identifier" in message
    reported = f"{endpoint} says {reply.status}: {message}"
    reported += f" (request {reply.request_id})" if reply.request_id else ""
    status = HTTPStatus.NOT_FOUND if is_unknown else reply.status
    return ProviderError(_make_status_fault(status, reported, model))


def remove_credentials(url: object) -> str:
    """Return an address without the name and password that it may hold."""
    parts = urlsplit(str(url))
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def make_no_key_error(provider: str, hint: str) -> ProviderError:
    """Return the error that there is nothing to identify the user with."""
    return ProviderError(Fault("model-key-missing", f"there is no key for '{provider}'", "", hint))


def make_no_region_error(message: str) -> ProviderError:
    """Return the error that AWS cannot be reached without a region."""
    hint = "set AWS_REGION, or `region` in the settings"
    return ProviderError(Fault("model-region-missing", message, "", hint))


def make_broken_off_error(reason: str) -> PassingError:
    """Return the error that an answer ended for an unknown reason, or for none."""
    ended = f"the answer ended for '{reason}'" if reason else "the answer ended early"
    return PassingError(ended, may_be_billed=True)


@contextmanager
def translate_shape_errors() -> Iterator[None]:
    """Have an answer of a shape that its library or its adapter stumbles over fail in passing.

    Put it around reading an answer and nothing else: it cannot distinguish a stranger's
    fault from ours, which its cause names.
    """
    try:
        yield
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        reason = f"the answer has an unknown form ({type(error).__name__})"
        raise PassingError(reason, may_be_billed=True) from find_safe_cause(error)


def retry_after(text: str | None) -> float | None:
    """Return the seconds of a ``retry-after`` header, if it names seconds."""
    try:
        seconds = float(text or "")
    except ValueError:  # A date, or nothing: the wait is then ours to choose.
        return None
    return seconds if seconds >= 0 else None


def without_secrets(text: str) -> str:
    """Return the text without the values of keys, and not longer than a message should be."""
    # Before the text is cut, which could leave a half of a secret that nothing matches any more.
    for name in SECRET_VARIABLES:
        secret = os.environ.get(name, "")
        if len(secret) >= SHORTEST_SECRET:
            text = text.replace(secret, HIDDEN)
    return text if len(text) <= LONGEST_MESSAGE else f"{text[:LONGEST_MESSAGE]}..."


def describe_lost_line(error: Exception) -> str:
    """Return what an error of a library says, and what it was caused by, which says more."""
    said = f"{type(error).__name__}: {error}"
    said += f" ({error.__cause__})" if error.__cause__ is not None else ""
    return without_secrets(said)


def find_safe_cause(error: Exception) -> Exception | None:
    """Return the error as a cause to name, or nothing where its own words hold a secret."""
    text = f"{error} {vars(error).get('body', '')}"
    return error if HIDDEN not in without_secrets(text) else None


def _make_status_fault(status: int, message: str, model: str) -> Fault:
    match status:
        case 401:
            hint = "check the key in the environment; docs/providers.md names the variables"
            return Fault("model-key-refused", message, "", hint)
        case 403:
            who = "this key, and on Bedrock for this account and region"
            hint = f"ask for access to '{model}' with {who}; or name another model"
            return Fault("model-access-denied", message, "", hint)
        case 404:
            hint = f"check the name '{model}', the region and the base URL"
            return Fault("model-unknown", message, "", hint)
        case _:
            hint = "correct what the message says; docs/providers.md lists the settings"
            return Fault("model-request-refused", message, "", hint)
