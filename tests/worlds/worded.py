"""Versions as a language model writes them, without one: what waits, under a model's name."""

from __future__ import annotations

from dataclasses import replace

from sopforge.pipeline.stages.building.gate_entry import note_course
from sopforge.store.digests import digest_text
from sopforge.store.versions import Store, Version


def let_worded_wait(store: Store, domain: str) -> Version:
    """Have what waits be a language model's: such a version can be asked in words for changes."""
    version = store.get_domain(domain).find_waiting_version()
    assert version is not None
    manifest = version.manifest
    worded = replace(manifest, author="anthropic played", key=digest_text(manifest.key))
    made = store.get_domain(domain).save(worded, version.files, {})
    store.get_domain(domain).set_waiting(made)
    note_course(store.get_domain(domain), made, is_last=True)
    return made
