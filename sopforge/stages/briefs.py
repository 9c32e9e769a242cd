"""Briefs as files: read with the draft SOP that they name, and kept in the store."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

from sopforge.domain.reading import Brief, read_brief, refuse_draft
from sopforge.domain.schema import suggest
from sopforge.errors import Fault, MaterialError, StoreError
from sopforge.store.files import read_text, replace_file
from sopforge.store.local import LocalStore

LARGEST_BYTES = 6_000_000


def load_brief(path: Path) -> Brief:
    """Return the brief in a file with its draft, which is looked for from the brief's folder.

    Raises:
        MaterialError: a file is missing or unreadable, or the brief has faults.
    """
    brief = read_brief(_read_text(path, "brief-not-found", str(path)), str(path))
    draft = brief.parts.draft_sop
    if draft is None:
        return brief
    where = brief.document.where(("draft_sop",))
    text = read_beside(
        path.parent, draft, where, missing="draft-not-found", outside="draft-outside"
    )
    refuse_draft(text, draft)
    return replace(brief, draft=text)


def read_beside(folder: Path, name: str, where: str, *, missing: str, outside: str) -> str:
    """Return the text of a file that a brief names, which lies below the brief's own folder.

    Raises:
        MaterialError: with the codes given, or because the file cannot be read.
    """
    if not (folder / name).resolve().is_relative_to(folder.resolve()):
        # What the brief names is published with it.
        message = f"'{name}' lies outside of the brief's folder"
        raise MaterialError(Fault(outside, message, where, "put it beside the brief"))
    return _read_text(folder / name, missing, where)


def keep_brief(store: LocalStore, brief: Brief) -> None:
    """Keep a brief and its draft in the store, in the place of the domain's earlier ones."""
    domain = brief.parts.domain
    with store.locked(domain):
        replace_file(_kept_folder(store, domain) / "brief.yaml", brief.text)
        replace_file(_kept_folder(store, domain) / "draft.md", brief.draft)


def kept_brief(store: LocalStore, domain: str) -> Brief:
    """Return the brief from which a domain was last generated.

    Raises:
        StoreError: the store has none.
    """
    path = _kept_folder(store, domain) / "brief.yaml"
    if not path.exists():
        message = f"nothing was generated for '{domain}' in {store.root}"
        hint = "generate it first: sopforge generate BRIEF"
        raise StoreError(Fault("unknown-domain", message, domain, hint))
    return read_brief(read_text(path), str(path), read_text(path.with_name("draft.md")))


def _kept_folder(store: LocalStore, domain: str) -> Path:
    return store.folder(domain) / "brief"


def _read_text(path: Path, missing: str, where: str) -> str:
    try:
        _refuse_odd(path, where)
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as cause:
        fault = Fault(missing, f"there is no file '{path}'", where, _nearest(path))
        raise MaterialError(fault) from cause
    except IsADirectoryError as cause:
        hint = "name a file in it"
        raise MaterialError(Fault("not-a-file", f"'{path}' is a folder", where, hint)) from cause
    except UnicodeDecodeError as cause:
        message = f"'{path}' is not UTF-8 from byte {cause.start} on"
        hint = "save it as UTF-8 text"
        raise MaterialError(Fault("not-utf-8", message, where, hint)) from cause
    except OSError as cause:
        message = f"'{path}' cannot be read: {cause.strerror}"
        raise MaterialError(Fault("not-readable", message, where)) from cause


def _refuse_odd(path: Path, where: str) -> None:
    """Raise for a device, or a file that is too large to be a brief or a draft."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):
        raise MaterialError(Fault("not-a-file", f"'{path}' is no plain file", where))
    if status.st_size > LARGEST_BYTES:
        message = f"'{path}' has {status.st_size} bytes; at most {LARGEST_BYTES} are read"
        hint = "leave out what belongs to no brief"
        raise MaterialError(Fault("file-too-large", message, where, hint))


def _nearest(path: Path) -> str:
    beside = sorted(item.name for item in path.parent.glob(f"*{path.suffix}"))
    return suggest(path.name, beside)
