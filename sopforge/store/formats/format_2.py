"""From format 1 to 2: every brief is kept beside the earlier ones, where only the newest was.

``DOMAIN/brief/`` becomes ``DOMAIN/briefs/0001/``. All else stays as it is: versions, decisions
and releases were written once, and the entries of the audit log are chained by their bytes.
"""

from __future__ import annotations

from sopforge.store.objects import Objects

FORMAT = 2
_BRIEF, _DRAFT = "brief.yaml", "draft.md"
_OLD_LOCKS = ".completions/.locks"


def is_older(objects: Objects) -> bool:
    """Return whether a domain has a brief where only format 1 kept one."""
    return any(_read_brief(objects, name) is not None for name in _list_domains(objects))


def write(objects: Objects) -> None:
    """Keep each domain's brief as its first, unless it is already among those kept."""
    for domain in _list_domains(objects):
        brief = _read_brief(objects, domain)
        if brief is not None:
            with objects.hold_lock(domain):
                _keep(objects, domain, brief)


def drop(objects: Objects) -> None:
    """Drop the briefs in their old place, and the locks that stood in the domains."""
    for domain in _list_domains(objects):
        objects.delete(f"{domain}/.lock")
        objects.drop_all(f"{domain}/brief", first=_DRAFT)
    for name in objects.list_names(_OLD_LOCKS):
        objects.delete(name)


def _list_domains(objects: Objects) -> list[str]:
    return [name for name in objects.list_children("") if "brief" in objects.list_children(name)]


def _read_brief(objects: Objects, domain: str) -> bytes | None:
    return objects.read(f"{domain}/brief/{_BRIEF}")


def _keep(objects: Objects, domain: str, brief: bytes) -> None:
    folder = f"{domain}/briefs"
    files = {_DRAFT: objects.read(f"{domain}/brief/{_DRAFT}") or b"", _BRIEF: brief}
    kept = [
        {file: objects.read(f"{folder}/{number}/{file}") for file in files}
        for number in objects.list_children(folder)
    ]
    whole = [found for found in kept if found[_BRIEF] is not None]
    if files not in whole:
        # A program of format 2 that did not look may have kept later ones.
        number = "0000" if whole else "0001"
        objects.create_all(f"{folder}/{number}", files, last=_BRIEF)
