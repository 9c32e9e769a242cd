"""The briefs of a domain, each parsed once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sopforge.errors import Fault, StoreError
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.briefs.brief_files import list_kept_versions
from sopforge.pipeline.stages.stage import Stage
from sopforge.store.digests import digest_value
from sopforge.store.objects import read_text
from sopforge.store.versions import Store, Version


def load_newest_brief(store: Store, domain: str) -> Brief:
    """Return the brief from which a domain was last generated.

    Raises:
        StoreError: the store has none.
    """
    kept = list_kept_versions(store, domain)
    if not kept:
        raise make_unknown_domain_error(store, domain)
    return _load_brief(store, domain, kept[-1])


def find_source_brief(store: Store, domain: str, made: Sequence[tuple[Stage, Version]]) -> Brief:
    """Return the newest brief that says of stages what versions were made from, else the newest."""
    for number in reversed(list_kept_versions(store, domain)):
        brief = _load_brief(store, domain, number)
        parts = [digest_value(stage.select_brief_part(brief)) for stage, _ in made]
        if parts == [version.manifest.inputs.get("brief") for _, version in made]:
            return brief
    return load_newest_brief(store, domain)


def make_unknown_domain_error(store: Store, domain: str) -> StoreError:
    """Return the error that says that a store has no such domain."""
    message = f"the store has no domain '{domain}'"
    hint = f"make it with: sopforge generate BRIEF --store {store.place}"
    return StoreError(Fault("unknown-domain", message, store.place, hint))


def _load_brief(store: Store, domain: str, number: str) -> Brief:
    folder = f"{domain}/briefs/{number}"
    texts = [read_text(store.objects, f"{folder}/{file}") for file in ("brief.yaml", "draft.md")]
    return _parse_brief(texts[0], f"{store.place}/{folder}/brief.yaml", texts[1])


@lru_cache(maxsize=64)
def _parse_brief(text: str, source: str, draft: str) -> Brief:
    return read_brief(text, source, draft)
