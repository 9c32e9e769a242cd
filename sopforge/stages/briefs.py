"""Briefs as files: read with the draft SOP that they name, and kept in the store."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sopforge.domain.reading import Brief, read_brief
from sopforge.domain.schema import suggest
from sopforge.errors import Fault, MaterialError, StoreError
from sopforge.store.files import read_text, replace_file
from sopforge.store.local import LocalStore


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
    return replace(brief, draft=_read_text(path.parent / draft, "draft-not-found", where))


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


def _nearest(path: Path) -> str:
    beside = sorted(item.name for item in path.parent.glob(f"*{path.suffix}"))
    return suggest(path.name, beside)
