"""The briefs of a domain, each parsed once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sopforge.briefs.files import kept_versions
from sopforge.domain.reading import Brief, read_brief
from sopforge.errors import Fault, StoreError
from sopforge.stages.stage import Stage
from sopforge.store.digests import digest_of
from sopforge.store.objects import read_text
from sopforge.store.versions import Store, Version


def newest_brief(store: Store, domain: str) -> Brief:
    """Return the brief from which a domain was last generated.

    Raises:
        StoreError: the store has none.
    """
    kept = kept_versions(store, domain)
    if not kept:
        raise unknown_domain(store, domain)
    return _kept(store, domain, kept[-1])


def brief_of(store: Store, domain: str, made: Sequence[tuple[Stage, Version]]) -> Brief:
    """Return the newest brief that says of stages what versions were made from, else the newest."""
    for number in reversed(kept_versions(store, domain)):
        brief = _kept(store, domain, number)
        parts = [digest_of(stage.brief_part(brief)) for stage, _ in made]
        if parts == [version.manifest.inputs.get("brief") for _, version in made]:
            return brief
    return newest_brief(store, domain)


def unknown_domain(store: Store, domain: str) -> StoreError:
    """Return the error that says that a store has no such domain."""
    message = f"the store has no domain '{domain}'"
    hint = f"make it with: sopforge generate BRIEF --store {store.place}"
    return StoreError(Fault("unknown-domain", message, store.place, hint))


def _kept(store: Store, domain: str, number: str) -> Brief:
    folder = f"{domain}/briefs/{number}"
    texts = [read_text(store.objects, f"{folder}/{file}") for file in ("brief.yaml", "draft.md")]
    return _parsed(texts[0], f"{store.place}/{folder}/brief.yaml", texts[1])


@lru_cache(maxsize=64)
def _parsed(text: str, source: str, draft: str) -> Brief:
    return read_brief(text, source, draft)
