"""``sopforge publish``: write the release of an approved domain."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

from sopforge.cli.options import (
    DEFAULT_STORE,
    Domain,
    Sandbox,
    StorePlace,
    known_domain,
    use_sandbox,
)
from sopforge.cli.output import console, say, table

if TYPE_CHECKING:
    from rich.console import Console


def publish(domain: Domain, store: StorePlace = DEFAULT_STORE, sandbox: Sandbox = None) -> None:
    """Write one package per complexity level, checked as their users would use them."""
    from sopforge.stages import publishing
    from sopforge.stages.briefs import kept_brief
    from sopforge.store.opening import open_store

    use_sandbox(sandbox)
    opened, screen = open_store(store), console()
    done = publishing.publish(opened, kept_brief(opened, known_domain(opened, domain)))
    verb = "Published" if done.is_new else "Already published as"
    say(screen, f"{verb} {domain} {done.version} in {done.place}")
    shown = table("", "level", "tasks", "tools", "inputs", "SOP words", "package")
    for level, place in done.packages.items():
        size = json.loads(done.text(level, "grader/profile.json"))
        cells = [str(size[name]) for name in ("tasks", "tools", "inputs", "sop_words")]
        shown.add_row(level, *cells, place.rpartition("/")[2])
    screen.print(shown)
    first = next(iter(done.packages))
    _print_outcomes(screen, done.text(first, "grader/coverage.json"))
    if publishing.CHANGES in done.files and done.version != publishing.FIRST_VERSION:
        say(screen, f"What changed: {done.place}/{publishing.CHANGES}")
    say(screen, f"Prove it: sopforge run-oracle {shlex.quote(done.packages[first])}")


def _print_outcomes(screen: Console, text: str) -> None:
    """Print how the answers are spread, and how many goals of the coverage are met."""
    coverage = json.loads(text)
    answers = ", ".join(f"{name} {count}" for name, count in coverage["outcomes"].items())
    say(screen, f"Answers: {answers}. Paths: {len(coverage['paths'])}.")
    goals = coverage["counts"]["all"]
    open_or_shown = goals["asked"] - goals["impossible"]
    say(
        screen,
        f"Coverage goals met: {goals['shown']} of {open_or_shown};"
        f" {goals['impossible']} more are proved impossible.",
    )
