"""What S3 says when it does not do what it is asked, and what can be done about it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    HTTPClientError,
    IncompleteReadError,
    NoCredentialsError,
    PartialCredentialsError,
)
from botocore.exceptions import ConnectionError as NoConnectionError

from sopforge.errors import Fault, StoreError

_LOGIN = re.compile(r"//[^/@\s]*@")
GO_ON = "run the same command again when the service answers; nothing is lost"
_SETTINGS = "check the AWS settings in the environment or in ~/.aws"
_KEYS = "set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
_RIGHTS = "allow the key to list, read, write and delete below the prefix"
_SIGN_IN = "sign in again, then run the same command again; nothing is lost"
_REGION = "set AWS_REGION to the region of the bucket"
_HINTS = {
    "NoSuchBucket": "create the bucket first, or name another one",
    "AccessDenied": _RIGHTS,
    "403": _RIGHTS,
    "InvalidAccessKeyId": "check AWS_ACCESS_KEY_ID or AWS_PROFILE",
    "SignatureDoesNotMatch": "check AWS_SECRET_ACCESS_KEY or AWS_PROFILE",
    "ExpiredToken": _SIGN_IN,
    "InvalidToken": _SIGN_IN,
    "TokenRefreshRequired": _SIGN_IN,
    "RequestTimeTooSkewed": "correct the clock of this machine",
    "PermanentRedirect": _REGION,
    "AuthorizationHeaderMalformed": _REGION,
    "IllegalLocationConstraintException": _REGION,
    "301": _REGION,
    "NotImplemented": "use a service that supports conditional writes, as S3 does",
}
_NOT_SO = "PreconditionFailed"
_CONFLICT = "ConditionalRequestConflict"
# A reply to HEAD has no body to name the error in, so that its code is the bare status.
_MISSING = {"NoSuchKey", "404"}


class ConditionError(Exception):
    """The object is not, or no longer, as the condition says."""


class ConflictError(Exception):
    """Another request about the same object was at work, so that this one has to be repeated."""


class MissingError(Exception):
    """There is no such object."""


@contextmanager
def convert_s3_errors(place: str) -> Iterator[None]:
    """Turn what the service, or what asks it, says of a place into an error of the store."""
    try:
        yield
    except ClientError as cause:
        code = cause.response["Error"]["Code"]
        known = {_NOT_SO: ConditionError, _CONFLICT: ConflictError}
        known |= dict.fromkeys(_MISSING, MissingError)
        if code in known:
            raise known[code] from cause
        raise make_s3_error(place, f"S3 refused: {code}", _HINTS.get(code, GO_ON)) from cause
    except (HTTPClientError, IncompleteReadError, NoConnectionError) as cause:
        raise make_s3_error(
            place, f"S3 cannot be reached: {_format_cause(cause)}", GO_ON
        ) from cause
    except (NoCredentialsError, PartialCredentialsError) as cause:
        raise make_s3_error(place, f"S3 needs credentials: {cause}", _KEYS) from cause
    except (BotoCoreError, ValueError) as cause:
        # For a malformed name or address, boto3 raises a plain ValueError.
        raise make_s3_error(
            place, f"S3 cannot be used: {_format_cause(cause)}", _SETTINGS
        ) from cause


def read_entry(reply: Mapping[str, Any], name: str, place: str) -> Any:  # noqa: ANN401 - boto3's own
    """Return what a reply says of something in a place.

    Raises:
        StoreError: it says nothing, as the page of a proxy does that the SDK took for a reply.
    """
    if name not in reply:
        message = f"S3 replied without '{name}', so this is no S3 service"
        hint = "check the address in AWS_ENDPOINT_URL, or in the profile"
        raise make_s3_error(place, message, hint)
    return reply[name]


def make_s3_error(place: str, message: str, hint: str) -> StoreError:
    """Return the error that says that the service cannot be used."""
    return StoreError(Fault("store-unusable", message, place, hint))


def _format_cause(cause: Exception) -> str:
    """Return what an error says, without what an address names before its host: a password."""
    return _LOGIN.sub("//", str(cause))
