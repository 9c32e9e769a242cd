"""Edits by people: what a file was and what they made of it, kept under the digest of both."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sopforge.errors import StoreError
from sopforge.store.digests import digest_value
from sopforge.store.entries import DecisionVerdict
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.objects import ExistsError, make_damage_error, read_text
from sopforge.store.versions import DomainStore, Store

FORMAT = 1


@dataclass(frozen=True, slots=True)
class LineReading:
    """A line that a person worded anew, and the derived line that a language model reads it as."""

    text: str
    read_as: str
    read_by: str


@dataclass(frozen=True, slots=True)
class Edit:
    """A file of a stage's artifact before and after a person edited it.

    ``readings`` has those of its new lines that no check can read, but a language model could.
    """

    stage: str
    file: str
    before: str
    after: str
    readings: tuple[LineReading, ...] = ()

    @property
    def digest(self) -> str:
        """The digest of the edit, under which it is kept."""
        return digest_value(self.as_record())

    def as_record(self) -> dict[str, Any]:
        """Return the edit as plain values; one without readings has none, as before there were."""
        record = asdict(self)
        if not self.readings:
            del record["readings"]
        return record


def keep_edit(domain: DomainStore, edit: Edit) -> None:
    """Keep an edit; a decision of the audit log then says whose it is and of which version."""
    text = json.dumps({"format": FORMAT, **edit.as_record()}, indent=1, ensure_ascii=False) + "\n"
    try:
        domain.objects.create(_name_edit_file(domain.name, edit.digest), text.encode())
    except ExistsError:
        return  # The same edit, of the same bytes.


def list_edits(
    domain: DomainStore, stage: str, log: AuditLog | None = None
) -> list[tuple[str, Edit]]:
    """Return who made which edit of a stage, oldest first, by ``log`` if it was read before.

    Raises:
        StoreError: an edit is missing or was changed, or the audit log is broken.
    """
    decisions = (log or AuditLog(domain)).list_standing(stage)
    made = [item for item in decisions if item.verdict is DecisionVerdict.EDIT]
    return [(item.by, _read_edit(domain, item.edit)) for item in made]


def _read_edit(domain: DomainStore, digest: str) -> Edit:
    name = _name_edit_file(domain.name, digest)
    try:
        value = json.loads(read_text(domain.objects, name))
        del value["format"]
        edit = _parse_edit(value)
    except (KeyError, TypeError, ValueError) as cause:
        raise _make_changed_error(domain.store, name) from cause
    if edit.digest != digest:
        raise _make_changed_error(domain.store, name)
    return edit


def _parse_edit(value: Mapping[str, Any]) -> Edit:
    readings = tuple(LineReading(**item) for item in value.get("readings", ()))
    return Edit(**{**value, "readings": readings})


def _make_changed_error(store: Store, name: str) -> StoreError:
    return make_damage_error(store.objects, name, "the edit differs from the recorded one")


def _name_edit_file(domain: str, digest: str) -> str:
    return f"{domain}/edits/{digest}.json"
