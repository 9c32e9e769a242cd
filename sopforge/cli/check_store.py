"""``sopforge check-store``: is everything in a store still what was written?"""

from __future__ import annotations

from dataclasses import asdict

import typer

from sopforge.cli.options import (
    DEFAULT_STORE,
    AnyDomain,
    AsJson,
    StorePlace,
    known_domain,
    no_domains,
)
from sopforge.cli.output import EXIT_FINDINGS, console, print_faults, print_json, say


def check_store(
    domain: AnyDomain = None,
    as_json: AsJson = False,
    store: StorePlace = DEFAULT_STORE,
) -> None:
    """Hold versions, decisions, edits and releases against their digests; change nothing."""
    from sopforge.stages.store_damage import damage
    from sopforge.store.opening import open_store

    opened, screen = open_store(store), console()
    names = opened.domains() if domain is None else [known_domain(opened, domain)]
    found = {name: damage(opened, name) for name in names}
    if as_json:
        record = {name: [asdict(fault) for fault in faults] for name, faults in found.items()}
        print_json(record)
    else:
        for name, faults in found.items():
            count = f"{len(faults)} thing{'s' * (len(faults) != 1)} damaged" if faults else "whole"
            say(screen, f"{name}: {count}", "red" if faults else "")
            print_faults(faults)
        if not names:
            say(screen, no_domains(opened))
    if any(found.values()):
        raise typer.Exit(EXIT_FINDINGS)
