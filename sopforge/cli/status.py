"""``sopforge status``: where every domain stands."""

from __future__ import annotations

from typing import Annotated

import typer

from sopforge.cli.options import DEFAULT_STORE, Store, domain_name
from sopforge.cli.output import console, table


def status(
    domain: Annotated[str, typer.Argument(help="A domain; all of them if left out.")] = "",
    store: Store = DEFAULT_STORE,
) -> None:
    """Show which version of each stage is there, what waits at a gate, and the releases."""
    from sopforge.store.decisions import AuditLog
    from sopforge.store.local import LocalStore
    from sopforge.workspace import STAGE_NAMES

    opened, screen = LocalStore(store), console()
    names = [domain_name(domain)] if domain else opened.domains()
    if not any(name in opened.domains() for name in names):
        screen.print(f"nothing generated in {store} yet; start with: sopforge generate BRIEF")
        return
    for name in names:
        log = AuditLog(opened, name)
        shown = table(name, "stage", "version", "digest", "findings", "gate")
        for stage in STAGE_NAMES:
            versions = opened.versions(name, stage)
            if not versions:
                continue
            version = versions[-1]
            manifest = version.manifest
            cells = (stage, str(version.number), manifest.content[:12], str(len(manifest.findings)))
            shown.add_row(*cells, str(log.state(version)))
        screen.print(shown)
        releases = [path.name for path in opened.releases(name)]
        screen.print(f"releases: {', '.join(releases) or 'none'}\n")
