"""Seals: the digest of every file of a domain that decides what comes out of it.

``DOMAIN/seal.json`` holds them, and a digest of itself. Of each file it knows the content that was
written last and those that were announced since: a command announces a write, writes, and settles
what it wrote, so that one that dies in between leaves nothing that looks forged. Whoever takes the
domain's lock next settles what the dead wrote.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from sopforge.errors import Fault, StoreError
from sopforge.store.digests import digest_bytes, is_as_written, with_digest
from sopforge.store.objects import Objects, make_damage_error
from sopforge.store.places import store_option

FORMAT = 1
SEAL = "seal.json"
CHANGED = "the file was changed after it was written"
GONE = "the file is missing"
UNKNOWN = "no command of SOPForge wrote this file"
WAITING = "pending.json"
ABSENT = ""
"""What stands for the digest of a file that is not there."""
_MOST_ANNOUNCED = 2
"""Of a file; more than two commands in a row that died in the middle of its write are forgotten."""

# Of a version these two alone: its manifest holds the digest of its other files.
_SEALED = re.compile(
    r"([a-z][a-z0-9_]{0,47})/("
    r"briefs/\d+/[^/]+"
    r"|stages/[^/]+/\d+/(?:manifest|run)\.json"
    r"|decisions/\d+\.json"
    r"|signatures/[^/]+\.sig"
    r"|releases/[^/]+/release\.json(?:\.sig)?"
    r"|(?:current|drawing|last_run|pending)\.json"
    r"|given\.yaml"
    r")",
    re.ASCII,
)
KEPT_WHOLE = frozenset({"briefs", "decisions", "releases", "signatures"})
"""Folders of a domain from which nothing is ever dropped."""
_VERSIONS = "stages/"
_HINTS = {
    _VERSIONS: "restore it, or delete the version's folder and generate again",
    WAITING: "generate again to rewrite it",
    "decisions/": "restore it from a copy; each release has one of the entries up to it, in its"
    " audit_log",
}
"""What helps where a file follows from others, or nothing else does."""


def split_sealed(name: str) -> tuple[str, str] | None:
    """Return the domain of a file that is under a seal and its name there, or nothing."""
    match = _SEALED.fullmatch(name)
    return (match[1], match[2]) if match else None


def list_sealed_names(objects: Objects, domain: str) -> list[str]:
    """Return the names, below the domain, of all files that belong under its seal."""
    found = (split_sealed(name) for name in objects.list_names(f"{domain}/"))
    return [item[1] for item in found if item]


Contents: TypeAlias = Mapping[str, bytes | None]
"""What files are to hold; None drops one."""


@dataclass(frozen=True, slots=True)
class Seal:
    """Of each file of a domain the digests it may have, of which the first was settled last."""

    files: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def fits(self, name: str, data: bytes | None) -> bool:
        """Return whether a file may hold this, or be absent where it is None."""
        return _digest_data(data) in self._get_digests(name)

    def must_be_there(self, name: str) -> bool:
        """Return whether a file cannot be absent, for no command was about to drop it."""
        return ABSENT not in self._get_digests(name)

    def list_unsettled_names(self) -> list[str]:
        """Return the files of which a write was announced, and not settled."""
        return [name for name, digests in self.files.items() if len(digests) > 1]

    def with_announced(self, contents: Contents) -> Seal:
        """Return the seal of a domain whose files are about to hold this."""
        return self._with_entries(
            {name: self._list_announced_digests(name, contents[name]) for name in contents}
        )

    def with_settled(self, contents: Contents) -> Seal:
        """Return the seal of a domain whose files hold this now."""
        return self._with_entries(
            {
                name: (_digest_data(data), *self._list_other_digests(name, data))
                for name, data in contents.items()
            }
        )

    def without_announced(self, contents: Contents) -> Seal:
        """Return the seal of a domain without what was announced last, and then not written."""
        return self._with_entries(
            {
                name: (self._get_digests(name)[0], *self._list_other_digests(name, data))
                for name, data in contents.items()
            }
        )

    def _with_entries(self, entries: Mapping[str, tuple[str, ...]]) -> Seal:
        files = {**self.files, **entries}
        # A file without an entry has to be absent as well, so that none is needed for that.
        return Seal({name: found for name, found in files.items() if found != (ABSENT,)})

    def _list_announced_digests(self, name: str, data: bytes | None) -> tuple[str, ...]:
        first, digest = self._get_digests(name)[0], _digest_data(data)
        announced = [*self._list_other_digests(name, data), *([] if digest == first else [digest])]
        return (first, *announced[-_MOST_ANNOUNCED:])

    def _list_other_digests(self, name: str, data: bytes | None) -> list[str]:
        """Return what else was announced of a file."""
        return [item for item in self._get_digests(name)[1:] if item != _digest_data(data)]

    def _get_digests(self, name: str) -> tuple[str, ...]:
        return self.files.get(name, (ABSENT,))


def seal_domain(objects: Objects, domain: str) -> None:
    """Seal all that is there, as it is; call it under the domain's lock."""
    names = list_sealed_names(objects, domain)
    found = {name: (_digest_data(objects.read(f"{domain}/{name}")),) for name in names}
    write_seal(objects, domain, Seal(found))


def read_seal(objects: Objects, domain: str) -> Seal | None:
    """Return the seal of a domain, None where there is none.

    Raises:
        StoreError: it is not as it was written, or belongs to another domain.
    """
    name = f"{domain}/{SEAL}"
    data = objects.read(name)
    if data is None:
        return None
    try:
        value = json.loads(data)
        is_whole = is_as_written(value) and value["domain"] == domain
        files = {str(key): tuple(map(str, items)) for key, items in value["files"].items()}
    # RecursionError: a file that somebody nested without end is damage, and no fault of ours.
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as cause:
        raise make_damage_error(
            objects, name, "the file is not a seal", _format_hint(objects, domain)
        ) from cause
    if not is_whole or not all(files.values()):
        message = "the file was changed after it was written, or belongs to another domain"
        raise make_damage_error(objects, name, message, _format_hint(objects, domain))
    return Seal(files)


def write_seal(objects: Objects, domain: str, seal: Seal) -> None:
    """Keep a seal in the place of the one before; call it under the domain's lock."""
    value = {"format": FORMAT, "domain": domain, "files": dict(sorted(seal.files.items()))}
    text = json.dumps(with_digest(value), indent=1) + "\n"
    objects.replace(f"{domain}/{SEAL}", text.encode())


def make_missing_seal_error(objects: Objects, domain: str) -> StoreError:
    """Return the error that a domain with files has no seal."""
    name = f"{domain}/{SEAL}"
    message = "the domain has no seal, so nothing in it can be verified"
    return StoreError(
        Fault("seal-missing", message, f"{objects.place}/{name}", _format_hint(objects, domain))
    )


def make_broken_seal_error(
    objects: Objects, domain: str, names: Iterable[str], message: str
) -> StoreError:
    """Return the error that files of a domain do not fit its seal."""
    faults = []
    for name in names:
        hints = (hint for start, hint in _HINTS.items() if name.startswith(start))
        hint = next(hints, _format_hint(objects, domain, is_new=message == UNKNOWN))
        faults.append(Fault("seal-broken", message, f"{objects.place}/{domain}/{name}", hint))
    return StoreError(*faults)


def is_remakable(name: str) -> bool:
    """Return whether a file that is gone is made again as it was: a version is, from its inputs."""
    return name.startswith(_VERSIONS)


def _format_hint(objects: Objects, domain: str, *, is_new: bool = False) -> str:
    accept = f"sopforge store check {domain} --accept{store_option(objects.place)}"
    first = "remove it" if is_new else "restore it from a copy"
    return f"{first}; or examine the change and accept it: {accept}"


def _digest_data(data: bytes | None) -> str:
    return ABSENT if data is None else digest_bytes(data)
