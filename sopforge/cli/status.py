"""``sopforge status``: where every domain stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.options import DEFAULT_STORE, StorePlace, known_domain, store_option
from sopforge.cli.output import console, say, table

if TYPE_CHECKING:
    from sopforge.findings import Finding


def status(
    domain: Annotated[str, typer.Argument(help="A domain; all of them if left out.")] = "",
    store: StorePlace = DEFAULT_STORE,
) -> None:
    """Show which version of each stage is there, what waits at a gate, and the releases."""
    from sopforge.stages.gates import current_version, told_state
    from sopforge.store.opening import open_store
    from sopforge.workspace import STAGE_NAMES

    opened, screen = open_store(store), console()
    names = [known_domain(opened, domain)] if domain else opened.domains()
    if not names:
        start = f"sopforge generate BRIEF{store_option(store)}"
        say(screen, f"nothing generated in {store} yet; start with: {start}")
        return
    for name in names:
        shown = table(name, "stage", "version", "digest", "findings", "gate")
        for stage in STAGE_NAMES:
            version = current_version(opened, name, stage)
            if version is None:
                continue
            manifest = version.manifest
            found = _by_severity(manifest.findings)
            cells = (stage, str(version.number), manifest.content[:12], found)
            state = told_state(opened, version) if version.is_intact else "files were changed"
            shown.add_row(*cells, state)
        screen.print(shown)
        releases = opened.releases(name)
        say(screen, f"releases: {', '.join(releases) or 'none'}\n")


def _by_severity(findings: Sequence[Finding]) -> str:
    """Return how many findings there are of each severity, the worst first."""
    from sopforge.findings import Severity

    counts = {kind: sum(item.severity is kind for item in findings) for kind in Severity}
    told = [f"{n} {kind}{'s' * (n != 1)}" for kind, n in counts.items() if n]
    return ", ".join(told) or "none"
