"""``sopforge publish``: write the release of an approved domain."""

from __future__ import annotations

from sopforge.cli.options import DEFAULT_STORE, Domain, Store, domain_name
from sopforge.cli.output import console


def publish(domain: Domain, store: Store = DEFAULT_STORE) -> None:
    """Write one package per complexity level, checked as their users would use them."""
    from sopforge.stages import publishing
    from sopforge.stages.briefs import kept_brief
    from sopforge.store.local import LocalStore

    opened, screen = LocalStore(store), console()
    done = publishing.publish(opened, kept_brief(opened, domain_name(domain)))
    verb = "Published" if done.is_new else "Already published as"
    screen.print(f"{verb} [bold]{domain} {done.version}[/bold] in {done.folder}")
    for level, folder in done.packages.items():
        screen.print(f"  {level}  {folder}")
    first = next(iter(done.packages.values()))
    screen.print(f"Prove it: sopforge run-oracle {first}")
