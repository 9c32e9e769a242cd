"""Every deliberate error of SOPForge: what was found, where, and what to do about it.

This module imports nothing of the package, so that any part may raise its errors.
"""

from __future__ import annotations

import errno
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

LONGEST_LINE, LONGEST_TEXT = 2_000, 20_000
"""Characters of a message: what is longer quotes a value that nobody reads to its end."""
_HEAD, _TAIL = 200, 100


def shorten(text: str) -> str:
    """Return a text of a message with its over-long lines cut in the middle, then as a whole."""
    if len(text) <= LONGEST_LINE:
        return text
    return _cut_text(
        "\n".join(_cut_text(line, LONGEST_LINE) for line in text.split("\n")), LONGEST_TEXT
    )


def shorten_texts(message: DataclassInstance) -> None:
    """Cut the over-long texts of a fault or a finding, wherever it is shown or kept."""
    for item in fields(message):
        text = getattr(message, item.name)
        if isinstance(text, str) and len(text) > LONGEST_LINE:
            object.__setattr__(message, item.name, shorten(text))


def _cut_text(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    left_out = len(text) - _HEAD - _TAIL
    return f"{text[:_HEAD]} [… {left_out:,} characters …] {text[-_TAIL:]}"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong in a user's material.

    ``code`` is stable kebab-case; ``where`` is a place in the user's material
    (``briefs/claims.yaml:14, decisions.refund``); ``hint`` says what to do.
    """

    code: str
    message: str
    where: str = ""
    hint: str = ""

    def __post_init__(self) -> None:
        shorten_texts(self)

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        advice = f"\n  hint: {self.hint}" if self.hint else ""
        return f"{place}{self.code}: {self.message}{advice}"


class SopForgeError(Exception):
    """An error that a user can act on; it carries one fault or all faults of a document."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = faults


_ROOM = "free some space, then run the same command again"
_RIGHTS = ("permission is denied", "check its permissions, or name another {it}")
_NO_FOLDER = ("a part of the path is a file", "name another {it}")
_SYSTEM_ERRORS = {
    errno.ENOSPC: ("the disk is full", _ROOM),
    errno.EDQUOT: ("the disk quota is used up", _ROOM),
    errno.EROFS: ("the disk is read-only", "name a writable {it}"),
    errno.EACCES: _RIGHTS,
    errno.EPERM: _RIGHTS,
    # Said where a file stands in the place of a folder that is to be made.
    errno.EEXIST: _NO_FOLDER,
    errno.ENOTDIR: _NO_FOLDER,
    errno.ENOENT: ("it does not exist", "check the path, or name another {it}"),
    errno.ENAMETOOLONG: ("the name is too long", "choose a shorter name"),
    errno.EISDIR: (
        "it is a folder, but a file is expected here",
        "move the folder away, or name another {it}",
    ),
    errno.EFBIG: ("the file would be larger than the allowed size", "raise the limit (ulimit -f)"),
    errno.EMFILE: ("too many files are open", "raise the limit (ulimit -n)"),
    errno.EIO: ("the disk reports an error", "check the disk, then run the same command again"),
    errno.ENOTSUP: (
        "the file system does not support this operation",
        "name another {it}, on another file system",
    ),
}
_GO_ON = "fix the cause, then run the same command again; nothing is lost"


def describe_system_error(cause: OSError, it: str = "path") -> tuple[str, str]:
    """Return what the system refused and what to do about it; ``it`` is what the user names."""
    message, hint = _SYSTEM_ERRORS.get(cause.errno or 0, (cause.strerror or str(cause), _GO_ON))
    return message, hint.format(it=it)


class MaterialError(SopForgeError):
    """A brief, a patch or an argument is malformed; the command exits with 2."""


class DeclarationError(MaterialError):
    """What a model declares is wrong, so that nothing that reads it was looked at."""


class StoreError(SopForgeError):
    """The store refused: stale digest, second verdict, newer format, damaged artifact."""


class PackageRefusedError(StoreError):
    """A package fails the checks of what is published; no release was written."""


class ToolProcessError(SopForgeError):
    """A tools module misbehaved: it did not load, died, was too slow or answered no JSON."""


class SandboxError(SopForgeError):
    """Tools were not run: this machine cannot confine them as asked for."""


class WorkerError(SopForgeError):
    """A process that shared the work of this one died; the machine may have had no memory left."""


class ProviderError(SopForgeError):
    """A model's answer is not to be had: no access, an outage, a refusal, the end of the budget.

    Answers that came before are on record, so that the next run does not pay for them again.
    """


class ContinuationError(SopForgeError):
    """No run was started: the scheduler does not answer, or does not know what to run.

    What was decided stands, and whoever looks for domains that have something to do finds it.
    """


class PackageUnreadableError(SopForgeError):
    """A folder is not a package in the expected layout."""


def raise_gathered(faults: Sequence[Fault]) -> None:
    """Raise one ``MaterialError`` that carries all faults, if there are any."""
    if faults:
        raise MaterialError(*faults)
