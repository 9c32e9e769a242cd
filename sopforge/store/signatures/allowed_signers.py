"""Allowed signers: who may sign with which key, for what and when, in OpenSSH's own format.

A line is ``NAMES [OPTIONS] KEY``. Whether a signature holds, ``ssh-keygen`` decides; lines are read
here to refuse a faulty file, and to say why a signature was refused.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from sopforge.errors import Fault, MaterialError, StoreError
from sopforge.store.format import mark_format
from sopforge.store.objects import Objects

OWN_FILE = "allowed-signers"
"""The store's own, at its root; with a hyphen, which no domain's name has."""
_LARGEST = 1_000_000
_WORD = re.compile(r'(?:[^\s"]|"(?:[^"\\]|\\.)*")+')
_OPTION = re.compile(r'(?:[^,"]|"(?:[^"\\]|\\.)*")+')
_KEY_TYPE = re.compile(r"(?:ssh-|ecdsa-|sk-)[\w@.-]+")
_TIME = re.compile(r"(\d{8})(\d{2}\d{2}(?:\d{2})?)?Z?")
_TIMES = ("valid-after", "valid-before")
_HINT = (
    "write the line in the format of OpenSSH: NAME[,NAME] [OPTIONS] KEY-TYPE KEY; see man"
    " ssh-keygen"
)


@dataclass(frozen=True, slots=True)
class SignerLine:
    """A line of allowed signers; ``options`` have their values, "" where they have none."""

    number: int
    names: tuple[str, ...]
    options: Mapping[str, str]
    key_type: str
    key: bytes

    @property
    def public_key(self) -> str:
        """The key as it is written."""
        return f"{self.key_type} {base64.b64encode(self.key).decode()}"

    @property
    def valid_after(self) -> datetime | None:
        """From when on the key signs for these names."""
        return _parse_time(self.options.get("valid-after", ""))

    @property
    def valid_before(self) -> datetime | None:
        """Until when the key signs for these names."""
        return _parse_time(self.options.get("valid-before", ""))

    def is_of(self, name: str) -> bool:
        """Return whether the line is about somebody; names may be patterns, and ``!`` excludes."""
        if any(_fits(pattern[1:], name) for pattern in self.names if pattern.startswith("!")):
            return False
        return any(_fits(pattern, name) for pattern in self.names)

    def allows(self, namespace: str) -> bool:
        """Return whether the key may sign this kind of thing."""
        listed = self.options.get("namespaces", "*").split(",")
        return any(_fits(pattern, namespace) for pattern in listed)


@dataclass(frozen=True)
class AllowedSigners:
    """Allowed signers, and where they are kept, as a person writes it."""

    text: str
    place: str

    @cached_property
    def lines(self) -> tuple[SignerLine, ...]:
        """The lines that name keys."""
        return tuple(_read_lines(self.text, self.place))


def read_signers(path: Path) -> AllowedSigners:
    """Return the allowed signers of a file.

    Raises:
        MaterialError: it cannot be read, or a line is not as OpenSSH reads it.
    """
    hint = "name a file of allowed signers in the format of ssh-keygen"
    if not path.is_file():
        message = "it is not a regular file" if path.exists() else "there is no such file"
        raise MaterialError(Fault("signers-not-found", message, str(path), hint))
    if path.stat().st_size > _LARGEST:
        message = f"the file has more than {_LARGEST:,} bytes"
        raise MaterialError(Fault("signers-malformed", message, str(path), hint))
    return _read(path.read_bytes(), str(path))


def read_own_signers(objects: Objects) -> AllowedSigners | None:
    """Return the allowed signers that a store keeps, if it does.

    Raises:
        StoreError: they are not as OpenSSH reads them.
    """
    data = objects.read(OWN_FILE)
    try:
        return None if data is None else _read(data, f"{objects.place}/{OWN_FILE}")
    except MaterialError as refused:
        raise StoreError(*refused.faults) from refused


def find_signers(objects: Objects, given: Path | None) -> AllowedSigners | None:
    """Return the allowed signers of a file, or the store's own where none is given; raises so."""
    return read_signers(given) if given is not None else read_own_signers(objects)


def keep_signers(objects: Objects, signers: AllowedSigners) -> None:
    """Keep allowed signers in a store, in the place of those that it had."""
    # This may be the first write to the store, which says its format before all else.
    mark_format(objects)
    objects.replace(OWN_FILE, signers.text.encode())


def _read(data: bytes, place: str) -> AllowedSigners:
    try:
        # Editors on some systems begin a file with a mark, which OpenSSH takes for a letter.
        found = AllowedSigners(data.decode("utf-8-sig"), place)
    except UnicodeDecodeError as cause:
        fault = Fault("signers-malformed", "the file is not UTF-8", place, "save it as UTF-8")
        raise MaterialError(fault) from cause
    _ = found.lines  # raises where one is faulty
    return found


def _read_lines(text: str, place: str) -> Iterator[SignerLine]:
    # Not by splitlines: it ends lines where OpenSSH reads on, so that both would read other lines.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            yield _read_line(number, line)
        except ValueError as cause:
            fault = Fault("signers-malformed", str(cause), f"{place}:{number}", _HINT)
            raise MaterialError(fault) from cause


def _read_line(number: int, line: str) -> SignerLine:
    """Return what a line says; raises ``ValueError`` with what is wrong."""
    names, *words = _WORD.findall(line)
    options = "" if not words or _KEY_TYPE.fullmatch(words[0]) else words.pop(0)
    if len(words) < 2 or not _KEY_TYPE.fullmatch(words[0]):  # noqa: PLR2004 - type and key
        raise ValueError("the line lacks names, a key type or a key")
    listed = tuple(name for name in _strip_quotes(names).split(",") if name)
    if not listed:
        raise ValueError("the line names no person")
    if not all(map(str.isprintable, listed)):
        raise ValueError("a name contains invisible characters")
    key = _parse_key(words[0], words[1])
    return SignerLine(number, listed, _parse_options(options), words[0], key)


def _parse_key(key_type: str, text: str) -> bytes:
    try:
        key = base64.b64decode(text, validate=True)
    except binascii.Error as cause:
        raise ValueError("its key is incomplete") from cause
    # A key begins with the length of its type, then that.
    if not key[4:].startswith(key_type.encode()):
        raise ValueError(f"its key type is not {key_type}")
    return key


def _parse_options(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for option in _OPTION.findall(text):
        name, _, value = option.partition("=")
        name = name.lower()
        if name not in {"cert-authority", "namespaces", *_TIMES}:
            raise ValueError(f"there is no option '{name}'")
        if name in found:
            raise ValueError(f"the option {name} is given twice")
        found[name] = _strip_quotes(value)
        if name in _TIMES and _parse_time(found[name]) is None:
            raise ValueError(
                f"'{found[name]}' is not a valid time for {name}; write it like 20271231"
            )
    return found


def _strip_quotes(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def _parse_time(text: str) -> datetime | None:
    """Return a time as OpenSSH writes it, None where the text is none."""
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    digits = (match[1] + (match[2] or "")).ljust(14, "0")
    try:
        return datetime.strptime(digits, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return None


def _fits(pattern: str, text: str) -> bool:
    """Return whether a text fits a pattern of OpenSSH: ``*`` is anything, ``?`` any letter."""
    escaped = re.escape(pattern).replace(r"\*", ".*").replace(r"\?", ".")
    return re.fullmatch(escaped, text, re.DOTALL) is not None
