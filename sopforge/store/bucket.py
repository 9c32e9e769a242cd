"""A store in an S3 bucket, below a prefix: objects written on conditions that the service checks.

A new object is put under the condition that there is none of its name, a changed one under the
condition that it is still the one that was read. A lock is an object that its holder keeps
renewing; one that was not renewed in time may be taken over.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from sopforge.errors import Fault, StoreError
from sopforge.store.lease import Lease
from sopforge.store.objects import ExistsError

LEASE_SECONDS = 15.0
WAIT_SECONDS = 30.0
_MOST_APPENDS = 20
_WRITER = "writer"
_LATER = {"PreconditionFailed", "ConditionalRequestConflict"}
_MISSING = {"NoSuchKey", "404"}
_HINTS = {
    "NoSuchBucket": "make the bucket first, or name another one",
    "AccessDenied": "see that the key may list, read, write and delete below the prefix",
    "InvalidAccessKeyId": "see to AWS_ACCESS_KEY_ID or AWS_PROFILE",
    "SignatureDoesNotMatch": "see to AWS_SECRET_ACCESS_KEY or AWS_PROFILE",
}
_GO_ON = "nothing is lost; run the same command again when the service answers"


@dataclass(frozen=True)
class BucketObjects:
    """Named bytes as objects below ``prefix`` in a bucket; the client is boto3's own."""

    bucket: str
    prefix: str = ""
    endpoint_url: str | None = None
    lease_seconds: float = LEASE_SECONDS
    wait_seconds: float = WAIT_SECONDS
    _client: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        config = Config(
            retries={"mode": "standard", "total_max_attempts": 4},
            connect_timeout=5,
            read_timeout=30,
        )
        with self._told(""):
            client = boto3.client("s3", endpoint_url=self.endpoint_url, config=config)
        object.__setattr__(self, "_client", client)

    @property
    def place(self) -> str:
        return f"s3://{self.bucket}/{self.prefix}".rstrip("/")

    def read(self, name: str) -> bytes | None:
        found = self.tagged(name)
        return None if found is None else found[0]

    def names(self, prefix: str) -> list[str]:
        pages = self._listed(prefix, delimiter="")
        keys = [entry["Key"] for page in pages for entry in page.get("Contents", ())]
        start = len(self._key(""))
        named = [(key[start:], key[len(self._key(prefix)) :]) for key in keys]
        return sorted(name for name, rest in named if not _is_hidden(rest))

    def children(self, prefix: str) -> list[str]:
        start = len(self._key(_folder(prefix)))
        found = []
        for page in self._listed(prefix, delimiter="/"):
            found += [entry["Key"][start:] for entry in page.get("Contents", ())]
            found += [entry["Prefix"][start:-1] for entry in page.get("CommonPrefixes", ())]
        return sorted(name for name in found if name and not name.startswith("."))

    def create(self, name: str, data: bytes) -> None:
        if not self.put_if(name, data, uuid.uuid4().hex, IfNoneMatch="*"):
            raise ExistsError(name)

    def create_all(self, prefix: str, files: Mapping[str, bytes], last: str) -> None:
        if self.read(f"{prefix}/{last}") is not None:
            raise ExistsError(prefix)
        for left in self.names(prefix):
            self.delete(left)
        for name, data in files.items():
            if name != last:
                self.replace(f"{prefix}/{name}", data)
        self.create(f"{prefix}/{last}", files[last])

    def replace(self, name: str, data: bytes) -> None:
        with self._told(name):
            self._client.put_object(Bucket=self.bucket, Key=self._key(name), Body=data)

    def append(self, name: str, line: bytes) -> None:
        for _ in range(_MOST_APPENDS):
            if self._appended(name, line):
                return
        raise self._trouble(name, "others keep writing to it", _GO_ON)

    def delete(self, name: str) -> None:
        with self._told(name):
            self._client.delete_object(Bucket=self.bucket, Key=self._key(name))

    def delete_if(self, name: str, tag: str) -> None:
        """Drop an object if it is still the one of the tag."""
        with suppress(_ConditionError, _MissingError), self._told(name):
            self._client.delete_object(Bucket=self.bucket, Key=self._key(name), IfMatch=tag)

    @contextmanager
    def locked(self, name: str, *, wait: float | None = None) -> Iterator[None]:
        folder, _, last = name.rpartition("/")
        lease = Lease(self, f"{_folder(folder)}.{last}.lock", self.lease_seconds)
        if not lease.taken_within(self.wait_seconds if wait is None else wait):
            message, hint = f"another run works on '{name}'", "wait for it, then try again"
            raise StoreError(Fault("domain-locked", message, self.place, hint))
        try:
            yield
        finally:
            lease.drop()

    def _appended(self, name: str, data: bytes) -> bool:
        writer, found = uuid.uuid4().hex, self.tagged(name)
        if found is None:
            return self.put_if(name, data, writer, IfNoneMatch="*")
        before, tag = found
        return self.put_if(name, before + data, writer, IfMatch=tag)

    def put_if(self, name: str, data: bytes, writer: str, **condition: str) -> bool:
        """Put an object on a condition; tell whether it held.

        A put that was repeated because its reply was lost meets itself, so that the writer counts
        where the condition fails.
        """
        put = self._client.put_object
        try:
            with self._told(name):
                put(
                    Bucket=self.bucket,
                    Key=self._key(name),
                    Body=data,
                    Metadata={_WRITER: writer},
                    **condition,
                )
        except (_ConditionError, _MissingError):
            return self._writer(name) == writer
        return True

    def tagged(self, name: str) -> tuple[bytes, str] | None:
        """Return an object with the tag of its content, or nothing."""
        try:
            with self._told(name):
                found = self._client.get_object(Bucket=self.bucket, Key=self._key(name))
                return found["Body"].read(), found["ETag"]
        except _MissingError:
            return None

    def _writer(self, name: str) -> str:
        try:
            with self._told(name):
                found = self._client.head_object(Bucket=self.bucket, Key=self._key(name))
        except _MissingError:
            return ""
        return str(found["Metadata"].get(_WRITER, ""))

    def _listed(self, prefix: str, delimiter: str) -> Iterator[Any]:
        pages = self._client.get_paginator("list_objects_v2")
        with self._told(prefix):
            yield from pages.paginate(
                Bucket=self.bucket, Prefix=self._key(_folder(prefix)), Delimiter=delimiter
            )

    def _key(self, name: str) -> str:
        return f"{_folder(self.prefix)}{name}"

    @contextmanager
    def _told(self, name: str) -> Iterator[None]:
        """Tell what the service says as an error of the store."""
        try:
            yield
        except ClientError as cause:
            code = cause.response["Error"]["Code"]
            if code in _LATER:
                raise _ConditionError from cause
            if code in _MISSING:
                raise _MissingError from cause
            raise self._trouble(name, f"S3 refused: {code}", _HINTS.get(code, _GO_ON)) from cause
        except BotoCoreError as cause:
            raise self._trouble(name, f"S3 cannot be reached: {cause}", _GO_ON) from cause

    def _trouble(self, name: str, message: str, hint: str) -> StoreError:
        return StoreError(Fault("store-unusable", message, f"{self.place}/{name}", hint))


class _ConditionError(Exception):
    """The object is not, or no longer, as the condition says."""


class _MissingError(Exception):
    """There is no such object."""


def _folder(prefix: str) -> str:
    return f"{prefix.rstrip('/')}/" if prefix else ""


def _is_hidden(rest: str) -> bool:
    return any(part.startswith(".") for part in rest.split("/"))
