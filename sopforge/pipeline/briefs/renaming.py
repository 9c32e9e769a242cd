"""Renaming a domain: its newest brief starts another one, where all is built and decided anew.

The name stands in artifacts, in entries of the log and in releases, which are written once.
"""

from __future__ import annotations

from typing import Any

from sopforge.errors import Fault, StoreError
from sopforge.language.domain.documents.changing import change_document
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.briefs.brief_files import keep_given, list_kept_versions, load_latest_brief
from sopforge.store.digests import digest_value
from sopforge.store.places import store_option
from sopforge.store.versions import DomainStore, Store


def load_renamed_brief(domain: DomainStore, name: str) -> Brief:
    """Return the newest brief of a domain with another name in the domain's place.

    Raises:
        StoreError: the store has another domain of this name, or something in the domain does not
            fit its seal.
    """
    domain.require_intact_seal()
    brief = load_latest_brief(domain)
    whole: Any = brief.document.value
    text = change_document(brief.text, {**whole, "domain": name})
    renamed = read_brief(text, brief.document.source, brief.draft)
    _refuse_taken(domain.store, renamed)
    return renamed


def rename_domain(domain: DomainStore, name: str, digest: str = "") -> Brief:
    """Keep the newest brief of a domain as the first of another, and leave the domain as it is.

    ``digest`` is that of the renamed brief as it was shown, or empty.

    Raises:
        StoreError: as ``load_renamed_brief``, or the brief was changed since it was shown.
    """

    def settle() -> Brief:
        brief = load_renamed_brief(domain, name)
        if not digest_brief(brief).startswith(digest):
            message = f"the brief of '{domain}' has changed since it was shown"
            again = f"sopforge rename {domain} {name}{store_option(domain.place)}"
            raise StoreError(Fault("stale-decision", message, domain.name, f"look again: {again}"))
        return brief

    # Before the lock is taken, for that leaves a file.
    return keep_given(domain.store.get_domain(name), load_renamed_brief(domain, name), settle)


def digest_brief(brief: Brief) -> str:
    """Return the digest of a brief with its draft."""
    return digest_value([brief.text, brief.draft])


def _refuse_taken(store: Store, renamed: Brief) -> None:
    """Raise where the new name is taken; a command that was killed may have kept this brief."""
    name = renamed.parts.domain
    is_begun = bool(list_kept_versions(store.get_domain(name)))
    is_same = is_begun and digest_brief(load_latest_brief(store.get_domain(name))) == digest_brief(
        renamed
    )
    if name in store.list_domains() or (is_begun and not is_same):
        message = f"the store has a domain '{name}' already"
        hint = f"choose another name; or delete it: sopforge delete {name}"
        hint += store_option(store.place)
        raise StoreError(Fault("domain-taken", message, name, hint))
