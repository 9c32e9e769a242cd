"""Versions as a language model writes them, without one: what waits, under a model's name."""

from __future__ import annotations

from dataclasses import replace

from sopforge.pipeline.gates.gate import find_waiting_version
from sopforge.pipeline.stages.building.gate_entry import note_course
from sopforge.store.digests import digest_text
from sopforge.store.versions import Store, Version


def let_worded_wait(store: Store, domain: str) -> Version:
    """Have what waits be a language model's: such a version can be asked in words for changes."""
    version = find_waiting_version(store, domain)
    assert version is not None
    manifest = version.manifest
    worded = replace(manifest, author="anthropic played", key=digest_text(manifest.key))
    made = store.save(worded, version.files, {})
    store.set_waiting(domain, made)
    note_course(store, made, is_last=True)
    return made
