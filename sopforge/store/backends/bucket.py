"""A store in an S3 bucket, below a prefix: objects written on conditions that the service checks.

A new object is put under the condition that there is none of its name, a changed one under the
condition that it is still the one that was read. A lock is an object that its holder keeps
renewing; one that was not renewed in time may be taken over, and who was held up for so long is
kept from writing below it.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from operator import itemgetter
from threading import local
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import IncompleteReadError, ResponseStreamingError
from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_random_exponential

from sopforge.errors import Fault, StoreError
from sopforge.proxies import refuse_faulty_proxies
from sopforge.store.backends.lease import Lease, read_lease_note, read_lease_seconds
from sopforge.store.backends.leftovers import is_left, is_lock
from sopforge.store.backends.s3_troubles import (
    GO_ON,
    ConditionError,
    ConflictError,
    MissingError,
    convert_s3_errors,
    make_s3_error,
    read_entry,
)
from sopforge.store.objects import ExistsError

LEASE_SECONDS = 15.0
WAIT_SECONDS = 30.0
READ_SECONDS = 30
ATTEMPTS = 4
_LISTED = ("Key", "Size", "ETag", "LastModified")
_MOST_APPENDS = 20
_WRITER = "writer"
_TRIES = 5
# A service reports whole seconds, and its parts may differ a little.
_CLOCK_SECONDS = 5.0


@dataclass(frozen=True)
class BucketObjects:
    """Named bytes as objects below ``prefix`` in a bucket; the client is boto3's own.

    ``wait_seconds`` is how long one other may hold a lock before this one gives up.
    """

    bucket: str
    prefix: str = ""
    endpoint_url: str | None = None
    lease_seconds: float = LEASE_SECONDS
    wait_seconds: float = WAIT_SECONDS
    _client: Any = field(init=False, repr=False, compare=False)
    _leases: local = field(default_factory=local, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        refuse_faulty_proxies()
        # The library waits a minute for each connection and each reply unless it is limited, and
        # then tries again: whoever typed a command would take it for dead.
        config = Config(
            retries={"mode": "standard", "total_max_attempts": ATTEMPTS},
            connect_timeout=5,
            read_timeout=READ_SECONDS,
        )
        with convert_s3_errors(self.place):
            client = boto3.client("s3", endpoint_url=self.endpoint_url, config=config)
        object.__setattr__(self, "_client", client)

    @property
    def place(self) -> str:
        return f"s3://{self.bucket}/{self.prefix}".rstrip("/")

    def read(self, name: str) -> bytes | None:
        found = self.read_tagged(name)
        return None if found is None else found[0]

    def list_names(self, prefix: str) -> list[str]:
        return list(self.map_sizes(prefix))

    def map_sizes(self, prefix: str) -> dict[str, int]:
        found = self._map_all_sizes(prefix)
        start = len(prefix)
        # Only below the prefix: whoever lists `.completions` by its name means what is in it.
        return {name: size for name, size in found.items() if not _is_hidden(name[start:])}

    def list_children(self, prefix: str) -> list[str]:
        start = len(self._build_key(_normalize_folder(prefix)))
        found = []
        for page in self._iterate_pages(prefix, delimiter="/"):
            there = self._locate_object(prefix)
            keys = [read_entry(entry, "Key", there) for entry in page.get("Contents", ())]
            folders = page.get("CommonPrefixes", ())
            found += [key[start:] for key in keys]
            found += [read_entry(entry, "Prefix", there)[start:-1] for entry in folders]
        return sorted(name for name in found if name and not name.startswith("."))

    def create(self, name: str, data: bytes) -> None:
        self._refuse_lost(name)
        if not self.put_if(name, data, uuid.uuid4().hex, IfNoneMatch="*"):
            raise ExistsError(self._locate_object(name))

    def create_all(self, prefix: str, files: Mapping[str, bytes], last: str) -> None:
        # Before anything is cleared away: what is complete is nobody's leftover.
        if self.read(f"{prefix}/{last}") is not None:
            raise ExistsError(self._locate_object(prefix))
        there = self._clear_leftovers(prefix, files)
        for name, data in files.items():
            if name != last and name not in there:
                self.create(f"{prefix}/{name}", data)
        # At the end: until it is there, nobody counts the rest (ADR 0011).
        self.create(f"{prefix}/{last}", files[last])

    def replace(self, name: str, data: bytes) -> None:
        self._refuse_lost(name)
        with self._convert_errors(name):
            self._client.put_object(Bucket=self.bucket, Key=self._build_key(name), Body=data)

    def append(self, name: str, line: bytes) -> None:
        for _ in range(_MOST_APPENDS):
            if self._try_append(name, line):
                return
        raise make_s3_error(self._locate_object(name), "other processes keep writing to it", GO_ON)

    def delete(self, name: str) -> None:
        self._refuse_lost(name)
        with self._convert_errors(name):
            self._client.delete_object(Bucket=self.bucket, Key=self._build_key(name))

    def delete_if(self, name: str, tag: str) -> None:
        """Drop an object if it is still the one of the tag."""
        self._refuse_lost(name)
        # Gone, or changed by another: in either case it is no longer ours to drop.
        with suppress(ConditionError, MissingError), self._convert_errors(name):
            self._client.delete_object(Bucket=self.bucket, Key=self._build_key(name), IfMatch=tag)

    def drop_all(self, prefix: str, first: str) -> None:
        # Cut off after this, what is left is not taken for a whole.
        self.delete(f"{prefix}/{first}")
        for name in self._map_all_sizes(prefix):
            self.delete(name)

    def drop_left(self, prefix: str, *, is_trial: bool = False) -> dict[str, int]:
        found = {}
        for name, entry in self._map_entries(prefix).items():
            if is_lock(name) and is_left(entry["LastModified"]):
                found[name] = entry["Size"]
                if not is_trial:
                    # Only as it was listed: somebody may have renewed it or taken it over since.
                    self.delete_if(name, entry["ETag"])
        return found

    @contextmanager
    def hold_lock(self, name: str, *, wait: float | None = None) -> Iterator[None]:
        lease = Lease(self, _name_lock(name), self.lease_seconds)
        if not lease.take_within(self.wait_seconds if wait is None else wait):
            message, hint = (
                f"another run is working on '{name}'",
                "wait until it ends, then try again",
            )
            raise StoreError(Fault("domain-locked", message, self.place, hint))
        self._held[name] = lease
        try:
            yield
        finally:
            del self._held[name]
            lease.drop()

    def is_locked(self, name: str) -> bool:
        return self.read_holder(name) is not None

    def note_holder(self, name: str, note: str) -> None:
        lease = self._held.get(name)
        if lease is not None:
            # With its next renewal: no request is made for the note's sake.
            lease.note = note

    def read_holder(self, name: str) -> str | None:
        # Whoever takes a lock over has watched it for as long as it may last. Whoever only asks
        # goes by the service's own clock, for else a lock of the dead would look held for ever.
        lock = _name_lock(name)
        try:
            with self._convert_errors(lock):
                found = self._client.get_object(Bucket=self.bucket, Key=self._build_key(lock))
                data = found["Body"].read()
        except MissingError:
            return None
        lasts = read_lease_seconds(data, self.lease_seconds)
        reported = found["ResponseMetadata"]["HTTPHeaders"].get("date", "")
        modified = read_entry(found, "LastModified", self._locate_object(lock))
        age = _compute_seconds_between(modified, reported)
        # Without a date nobody knows. Then it counts as held, so that no second run is started.
        is_held = age is None or age <= max(2 * lasts, lasts + _CLOCK_SECONDS)
        return read_lease_note(data) if is_held else None

    @property
    def _held(self) -> dict[str, Lease]:
        """The locks that this thread holds."""
        # By thread: the review app writes in many, and what one lost must stop no other.
        held: dict[str, Lease] = self._leases.__dict__.setdefault("held", {})
        return held

    def _refuse_lost(self, name: str) -> None:
        """Raise where the lock under which something is to be written was lost."""
        for lock, lease in self._held.items():
            if name.startswith(f"{lock}/") and not lease.is_held:
                message = f"this run was delayed, so another run may be working on '{lock}' now"
                hint = "nothing is lost; run the same command again"
                raise StoreError(Fault("lock-lost", message, self._locate_object(name), hint))

    def _clear_leftovers(self, prefix: str, files: Mapping[str, bytes]) -> set[str]:
        """Drop what a dead process left below a prefix; return the names of what is as wanted.

        That stays where it is: to drop it late could take it from a run that took the lock over.
        """
        there = set()
        for left in self.list_names(prefix):
            found, name = self.read_tagged(left), left[len(prefix) + 1 :]
            if found is not None and found[0] == files.get(name):
                there.add(name)
            elif found is not None:
                self.delete_if(left, found[1])
        return there

    def _try_append(self, name: str, line: bytes) -> bool:
        writer, found = uuid.uuid4().hex, self.read_tagged(name)
        if found is None:
            data, is_put = line, self.put_if(name, line, writer, IfNoneMatch="*")
        else:
            data, tag = found[0] + line, found[1]
            is_put = self.put_if(name, data, writer, IfMatch=tag)
        # The reply to a put may be lost, and others may have written after it since.
        return is_put or (self.read(name) or b"").startswith(data)

    def put_if(self, name: str, data: bytes, writer: str, **condition: str) -> bool:
        """Put an object on a condition; return whether it held.

        A put that was repeated because its reply was lost meets itself, so that the writer counts
        where the condition fails.
        """
        try:
            self._put(name, data, writer, condition)
        # Where an object is gone, S3 answers a put with IfMatch by 404, and not by 412.
        except (ConditionError, MissingError):
            return self._find_writer(name) == writer
        except ConflictError as cause:
            raise make_s3_error(
                self._locate_object(name), "other processes keep writing to it", GO_ON
            ) from cause
        return True

    def _put(self, name: str, data: bytes, writer: str, condition: Mapping[str, str]) -> None:
        for attempt in _make_retrying(ConflictError):
            with attempt, self._convert_errors(name):
                self._client.put_object(
                    Bucket=self.bucket,
                    Key=self._build_key(name),
                    Body=data,
                    Metadata={_WRITER: writer},
                    **condition,
                )

    def read_tagged(self, name: str) -> tuple[bytes, str] | None:
        """Return an object with the tag of its content, or nothing."""
        try:
            with self._convert_errors(name):
                return self._download_object(name)
        except MissingError:
            return None

    def _download_object(self, name: str) -> tuple[bytes, str]:
        """Return an object and its tag, also where the connection broke in the middle of it."""

        def download() -> tuple[bytes, str]:
            found = self._client.get_object(Bucket=self.bucket, Key=self._build_key(name))
            tag = str(read_entry(found, "ETag", self._locate_object(name)))
            return found["Body"].read(), tag

        # The SDK repeats requests, but not a body that breaks off while it is read.
        return _make_retrying(ResponseStreamingError, IncompleteReadError)(download)

    def _find_writer(self, name: str) -> str:
        try:
            with self._convert_errors(name):
                found = self._client.head_object(Bucket=self.bucket, Key=self._build_key(name))
        except MissingError:
            return ""
        return str(found["Metadata"].get(_WRITER, ""))

    def _iterate_pages(self, prefix: str, delimiter: str) -> Iterator[Any]:
        pages = self._client.get_paginator("list_objects_v2")
        with self._convert_errors(prefix):
            yield from pages.paginate(
                Bucket=self.bucket,
                Prefix=self._build_key(_normalize_folder(prefix)),
                Delimiter=delimiter,
            )

    def _map_all_sizes(self, prefix: str) -> dict[str, int]:
        """Return all names below a prefix with their sizes, sorted, hidden ones too."""
        return {name: entry["Size"] for name, entry in self._map_entries(prefix).items()}

    def _map_entries(self, prefix: str) -> dict[str, Any]:
        """Return what the service lists of each object below a prefix, by their names, sorted."""
        pages, start = self._iterate_pages(prefix, delimiter=""), len(self._build_key(""))
        entries = [
            {known: read_entry(entry, known, self._locate_object(prefix)) for known in _LISTED}
            for page in pages
            for entry in page.get("Contents", ())
        ]
        return dict(sorted(((entry["Key"][start:], entry) for entry in entries), key=itemgetter(0)))

    def _build_key(self, name: str) -> str:
        return f"{_normalize_folder(self.prefix)}{name}"

    def _locate_object(self, name: str) -> str:
        return f"{self.place}/{name}"

    def _convert_errors(self, name: str) -> AbstractContextManager[None]:
        return convert_s3_errors(self._locate_object(name))


def _make_retrying(*kinds: type[Exception]) -> Retrying:
    return Retrying(
        retry=retry_if_exception_type(kinds),
        stop=stop_after_attempt(_TRIES),
        wait=wait_random_exponential(multiplier=0.1, max=2),
        reraise=True,
    )


def _name_lock(name: str) -> str:
    """Return the object that is the lock of a name."""
    folder, _, last = name.rpartition("/")
    return f"{_normalize_folder(folder)}.{last}.lock"


def _compute_seconds_between(earlier: datetime, later: str) -> float | None:
    """Return the seconds from a time to another one as HTTP writes it, None where it is none."""
    try:
        return (parsedate_to_datetime(later) - earlier).total_seconds()
    except (TypeError, ValueError):
        return None


def _normalize_folder(prefix: str) -> str:
    return f"{prefix.rstrip('/')}/" if prefix else ""


def _is_hidden(rest: str) -> bool:
    return any(part.startswith(".") for part in rest.split("/"))
