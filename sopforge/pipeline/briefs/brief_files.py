"""Briefs as files: read with the draft SOP that they name, and kept in the store."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from sopforge.errors import Fault, MaterialError, StoreError, describe_system_error
from sopforge.language.domain.documents.schema import suggest
from sopforge.language.domain.reading import Brief, read_brief, refuse_draft
from sopforge.language.domain.values.composing import compose
from sopforge.store.digests import digest_text
from sopforge.store.objects import read_text
from sopforge.store.places import store_option
from sopforge.store.versions import DomainStore, Store
from sopforge.untrusted.plain_files import RefusedFileError, read_below, read_named

LARGEST_BYTES = 6_000_000
BRIEF = "brief.yaml"
"""The file of a kept brief that is written last."""
_DRAFT = "draft.md"
_GIVEN = "given.yaml"


def load_brief(path: Path) -> Brief:
    """Return the brief in a file with its draft, which is looked for from the brief's folder.

    Raises:
        MaterialError: a file is missing or unreadable, or the brief has faults.
    """
    brief = read_brief(read_users_file(path, "brief-not-found", str(path)), str(path))
    draft = brief.parts.draft_sop
    if draft is None:
        return brief
    where = brief.document.locate_part(("draft_sop",))
    text = read_beside(
        path.parent, draft, where, missing="draft-not-found", outside="draft-outside"
    )
    refuse_draft(text, draft)
    return replace(brief, draft=text)


def read_beside(folder: Path, name: str, where: str, *, missing: str, outside: str) -> str:
    """Return the text of a file that a brief names, which lies below the brief's own folder.

    What the brief names is published with it: no link is followed out of the folder or within.

    Raises:
        MaterialError: with the codes given, or because the file cannot be read.
    """
    inside = os.path.relpath(folder / name, folder)
    if Path(inside).parts[:1] == ("..",):
        message = f"'{name}' is outside the brief's folder"
        raise MaterialError(Fault(outside, message, where, "move it into the brief's folder"))
    path = folder / name
    return _read_text(path, missing, where, lambda: read_below(folder, inside, LARGEST_BYTES))


def keep_brief(store: Store, brief: Brief, base: str | None = None) -> int:
    """Keep a brief and its draft in the store, as the domain's newest; the earlier ones stay.

    One that was read from there is kept already: it takes the place of none that somebody added
    meanwhile. ``base`` is the digest of the text that it was made from, which must be the newest.
    Returns the number under which it is kept.

    Raises:
        StoreError: the brief was changed since ``base``, or the store cannot be used.
    """
    domain = store.get_domain(brief.parts.domain)
    with domain.lock():
        if base is not None:
            _refuse_other(domain, base)
        return _keep(domain, brief)


def keep_changed(domain: DomainStore, change: Callable[[], Brief]) -> Brief:
    """Keep what a change makes of a domain's newest brief, and return it as it is kept.

    ``change`` reads the newest brief itself. Nobody else keeps one meanwhile, so that of two
    changes at once neither is lost. Where there is no such domain, nothing is written.

    Raises:
        StoreError: the store has none.
    """
    # Before the lock is taken, for that leaves a file, and may be the first write to the store.
    _refuse_unknown(domain, list_kept_versions(domain))
    with domain.lock():
        number = _keep(domain, change())
    return read_kept_brief(domain, f"{number:04d}")


def keep_given(domain: DomainStore, brief: Brief, settle: Callable[[], Brief]) -> Brief:
    """Keep what is made of a brief from a file, note what the file says, and return what is kept.

    ``settle`` reads the newest brief itself; nobody else keeps one meanwhile.
    """
    with domain.lock():
        settled = settle()
        number = _keep(domain, settled)
        domain.objects.replace(f"{domain}/{_GIVEN}", brief.text.encode())
    return replace(settled, kept=number)


def read_given(domain: DomainStore) -> str:
    """Return what the file of a domain's brief said when it was last taken.

    Where that was never noted, it is the first brief, for that came from a file.
    """
    noted = domain.objects.read(f"{domain}/{_GIVEN}")
    if noted is None:
        first = list_kept_versions(domain)[0]
        return read_text(domain.objects, f"{domain}/briefs/{first}/{BRIEF}")
    return noted.decode()


def _keep(domain: DomainStore, brief: Brief) -> int:
    """Keep a brief as the newest, unless it is kept; call it under the domain's lock."""
    files = {_DRAFT: brief.draft.encode(), BRIEF: brief.text.encode()}
    kept = list_kept_versions(domain)
    # The second is the number under which it was read: a run that goes on from an older brief must
    # not make that the newest again, over one that somebody has added meanwhile.
    for number in (*kept[-1:], f"{brief.kept:04d}"):
        if number in kept and _read_kept_files(domain, number) == files:
            return int(number)
    added = int(kept[-1]) + 1 if kept else 1
    domain.objects.create_all(f"{domain}/briefs/{added:04d}", files, last=BRIEF)
    return added


def _refuse_other(domain: DomainStore, base: str) -> None:
    """Raise where the newest brief is not the one of a digest."""
    kept = list_kept_versions(domain)
    newest = _read_kept_files(domain, kept[-1])[BRIEF] if kept else None
    if newest is None or digest_text(newest.decode()) != base:
        message = "the brief has changed since you opened this page"
        hint = "review the difference again, then keep your change"
        raise StoreError(Fault("brief-changed", message, domain.name, hint))


def list_kept_versions(domain: DomainStore) -> list[str]:
    """Return the numbers of the briefs from which a domain was generated, oldest first."""
    found = [name for name in domain.objects.list_children(f"{domain}/briefs") if name.isdecimal()]
    places = {name: f"{domain}/briefs/{name}/{BRIEF}" for name in found}
    whole = [name for name, place in places.items() if domain.objects.read(place) is not None]
    return sorted(whole, key=int)


def load_latest_brief(domain: DomainStore, before: int = 0) -> Brief:
    """Return the brief from which a domain was last generated, or one of those ``before`` it.

    Raises:
        StoreError: the store has none.
    """
    kept = list_kept_versions(domain)
    kept = kept[: len(kept) - before]
    _refuse_unknown(domain, kept)
    return read_kept_brief(domain, kept[-1])


def _refuse_unknown(domain: DomainStore, kept: Sequence[str]) -> None:
    """Raise where no brief of a domain is kept."""
    if not kept:
        message = f"nothing has been generated for '{domain}' in {domain.place}"
        make = f"generate it first: sopforge generate BRIEF{store_option(domain.place)}"
        hint = suggest(domain.name, domain.store.list_domains()) or make
        raise StoreError(Fault("unknown-domain", message, domain.name, hint))


def read_kept_brief(domain: DomainStore, number: str) -> Brief:
    """Return the brief that is kept under a number."""
    folder = f"{domain}/briefs/{number}"
    texts = [read_text(domain.objects, f"{folder}/{file}") for file in (BRIEF, _DRAFT)]
    read = _parse_kept_brief(texts[0], f"{domain.place}/{folder}/{BRIEF}", texts[1])
    return replace(read, kept=int(number))


# A run, and each page of the review app, asks for the same briefs again and again.
@lru_cache(maxsize=64)
def _parse_kept_brief(text: str, source: str, draft: str) -> Brief:
    return read_brief(text, source, draft)


def _read_kept_files(domain: DomainStore, number: str) -> dict[str, bytes | None]:
    folder = f"{domain}/briefs/{number}"
    return {file: domain.objects.read(f"{folder}/{file}") for file in (_DRAFT, BRIEF)}


def read_users_file(path: Path, missing: str, where: str) -> str:
    """Return the text of a file of a user's; ``missing`` is the code if there is none.

    Raises:
        MaterialError: it is missing, too large, no plain file, or not UTF-8.
    """
    return _read_text(path, missing, where, lambda: read_named(path, LARGEST_BYTES))


def _read_text(path: Path, missing: str, where: str, read: Callable[[], bytes]) -> str:
    try:
        return _decode_text(read())
    except RefusedFileError as refused:
        raise MaterialError(refused.make_fault_at(f"'{path}'", where)) from refused
    except FileNotFoundError as cause:
        fault = Fault(missing, f"there is no file '{path}'", where, _suggest_file(path))
        raise MaterialError(fault) from cause
    except UnicodeDecodeError as cause:
        message = f"'{path}' is not valid UTF-8 at byte {cause.start}"
        hint = "save the file as UTF-8 text"
        raise MaterialError(Fault("not-utf-8", message, where, hint)) from cause
    except OSError as cause:
        trouble, hint = describe_system_error(cause, "file")
        message = f"'{path}' cannot be read: {trouble}"
        raise MaterialError(Fault("not-readable", message, where, hint)) from cause


def _decode_text(content: bytes) -> str:
    """Return a text with plain line ends and composed letters."""
    return compose(content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n"))


def _suggest_file(path: Path) -> str:
    """Return which file may be meant: the same name one folder below, or one like it beside.

    A name without an ending may be that of a domain, whose brief has it.
    """
    name = path.name if path.suffix else f"{path.name}*"
    below = sorted(str(item) for item in path.parent.glob(f"*/{name}") if item.is_file())
    if below:
        return f"did you mean '{below[0]}'?"
    beside = sorted(item.name for item in path.parent.glob(f"*{path.suffix}"))
    return suggest(path.name, beside)
