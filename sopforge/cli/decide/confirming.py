"""What a decision on a terminal is about: shown first, and then decided on as it was shown."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import typer
from rich.console import RenderableType

from sopforge.cli.options import require_digest_start
from sopforge.cli.output import ask, make_console, print_findings, print_parts, say
from sopforge.errors import Fault, MaterialError

if TYPE_CHECKING:
    from sopforge.store.versions import DomainStore, Version

_DIGITS = 12


def choose_digest(
    domain: DomainStore,
    stage: str,
    given: str | None,
    verb: str,
    *,
    is_quiet: bool,
    refuse: Callable[[Version], None] = lambda _: None,
) -> str:
    """Return the digest of what is to be decided on: the one given, or the one that was shown.

    Where none is given, a person at a terminal sees what waits, and confirms. Whatever waits in
    its place by the time of the decision has another digest, so that it is refused. Nobody is asked
    about a version for which ``refuse`` raises.
    """
    if given is not None or not is_asked(is_quiet=is_quiet):
        return require_digest_start(given)
    from sopforge.findings import format_finding_count, sort_by_severity
    from sopforge.pipeline.gates.gate import require_waiting_version

    version = require_waiting_version(domain, stage, "")
    refuse(version)
    manifest, screen = version.manifest, make_console()
    about = f"{domain} {stage}, version {version.number}, {manifest.content[:_DIGITS]}"
    say(screen, f"{about}: {format_finding_count(manifest.findings)}")
    print_findings(screen, sort_by_severity(manifest.findings))
    confirm(f"{verb} {stage} {manifest.content[:_DIGITS]}?")
    return manifest.content


def is_asked(*, is_quiet: bool) -> bool:
    """Return whether somebody sits at a terminal who can be asked."""
    return sys.stdin.isatty() and not is_quiet


def confirm(question: str, done: str = "decided") -> None:
    """End the command, and say that nothing was ``done``, unless a person says yes."""
    if not ask(question):
        say(make_console(), f"Nothing was {done}.")
        raise typer.Exit


def require_yes(
    question: str,
    what: str,
    hint: str,
    *,
    is_quiet: bool,
    done: str = "deleted",
    parts: Iterable[RenderableType] = (),
) -> None:
    """End the command unless a person at a terminal says yes to ``what`` it shows in ``parts``.

    Raises:
        MaterialError: nobody can be asked.
    """
    if not is_asked(is_quiet=is_quiet):
        message = f"{what} needs a confirmation, but there is no terminal"
        raise MaterialError(Fault("not-confirmed", message, "", hint))
    print_parts(make_console(), parts)
    confirm(question, done)
