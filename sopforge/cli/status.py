"""``sopforge status``: where every domain stands."""

from __future__ import annotations

from typing import Annotated

import typer

from sopforge.cli.options import DEFAULT_STORE, Store, known_domain, store_option
from sopforge.cli.output import console, say, table


def status(
    domain: Annotated[str, typer.Argument(help="A domain; all of them if left out.")] = "",
    store: Store = DEFAULT_STORE,
) -> None:
    """Show which version of each stage is there, what waits at a gate, and the releases."""
    from sopforge.stages.gates import current_version
    from sopforge.store.decisions import AuditLog
    from sopforge.store.local import LocalStore
    from sopforge.workspace import STAGE_NAMES

    opened, screen = LocalStore(store), console()
    names = [known_domain(opened, domain)] if domain else opened.domains()
    if not names:
        start = f"sopforge generate BRIEF{store_option(store)}"
        say(screen, f"nothing generated in {store} yet; start with: {start}")
        return
    for name in names:
        log = AuditLog(opened, name)
        shown = table(name, "stage", "version", "digest", "findings", "gate")
        for stage in STAGE_NAMES:
            version = current_version(opened, name, stage)
            if version is None:
                continue
            manifest = version.manifest
            cells = (stage, str(version.number), manifest.content[:12], str(len(manifest.findings)))
            state = str(log.state(version)) if version.is_intact else "files were changed"
            shown.add_row(*cells, state)
        screen.print(shown)
        releases = [path.name for path in opened.releases(name)]
        say(screen, f"releases: {', '.join(releases) or 'none'}\n")
