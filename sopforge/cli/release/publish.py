"""``sopforge publish``: write the release of an approved domain."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.decide.confirming import confirm, is_asked
from sopforge.cli.options import (
    DEFAULT_STORE,
    AsJson,
    Domain,
    Sandbox,
    StorePlace,
    require_domain,
    use_sandbox,
)
from sopforge.cli.output import (
    build_finding_records,
    make_console,
    make_table,
    print_findings,
    print_json,
    say,
)
from sopforge.cli.signing import SignersFile, SigningKey, load_signers, make_signer

if TYPE_CHECKING:
    from rich.console import Console

    from sopforge.releases.publishing import Plan, Published

WithWords = Annotated[
    bool,
    typer.Option("--with-words", help="Also publish the comments of reviewers in the audit log."),
]


def publish(
    domain: Domain,
    place: StorePlace = DEFAULT_STORE,
    sandbox: Sandbox = None,
    with_words: WithWords = False,
    signing_key: SigningKey = None,
    allowed_signers: SignersFile = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Publish without asking for confirmation.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check and publish a release of a domain, with one package for each complexity level.

    On a terminal, the command shows what it would publish, and asks.
    """
    from sopforge.briefs.brief_files import load_latest_brief
    from sopforge.releases import publishing
    from sopforge.releases.signatures import load_release_signature
    from sopforge.store.opening import open_store

    use_sandbox(sandbox)
    opened = open_store(place)
    name, shown = require_domain(opened, domain), None
    key = make_signer(opened, signing_key, allowed_signers)
    signers = load_signers(opened, allowed_signers)
    if not yes and is_asked(is_quiet=as_json):
        brief = load_latest_brief(opened, name)
        shown = publishing.plan_release(opened, brief, with_words=with_words, signers=signers)
        _confirm(name, shown)
    done = publishing.publish(
        opened,
        load_latest_brief(opened, name),
        with_words=with_words,
        signers=signers,
        signer=key,
        shown=shown,
    )
    signed = load_release_signature(opened, domain, done.version, signers)
    if as_json:
        print_json({**build_release_record(domain, done), "signature": signed.as_record()})
    else:
        _show(domain, done)
        say(make_console(), f"The release is {signed.summary}.")


def _confirm(domain: str, shown: Plan) -> None:
    """Show a release that is not there yet, and end the command unless a person says yes."""
    if not shown.entry:
        return
    screen = make_console()
    say(screen, shown.entry.strip())
    stages = ", ".join(f"{stage} {digest[:12]}" for stage, digest in shown.source.contents.items())
    say(screen, f"\nMade from: {stages}")
    confirm(f"Publish {domain} {shown.version}?")


def build_release_record(domain: str, done: Published) -> dict[str, object]:
    """Return a release as a value for programs."""
    coverage = json.loads(done.read_text(next(iter(done.packages)), "grader/coverage.json"))
    counts = {name: kinds["all"] for name, kinds in coverage["counts"].items()}
    return {
        "domain": domain,
        "version": done.version,
        "is_new": done.is_new,
        "place": done.place,
        "digest": done.digest,
        "packages": {
            level: {"place": place, **_read_size(done, level)}
            for level, place in done.packages.items()
        },
        "outcomes": coverage["outcomes"],
        "paths": len(coverage["paths"]),
        **counts,
        "findings": build_finding_records(done.findings),
    }


def _read_size(done: Published, level: str) -> dict[str, int]:
    size = json.loads(done.read_text(level, "grader/profile.json"))
    return {name: size[name] for name in ("tasks", "tools", "inputs", "sop_words")}


def _show(domain: str, done: Published) -> None:
    from sopforge.changes.changes import FIRST_VERSION
    from sopforge.releases import publishing

    screen = make_console()
    verb = "Published" if done.is_new else "Already published as"
    say(screen, f"{verb} {domain} {done.version} in {done.place}")
    print_findings(screen, done.findings)
    show_release(screen, done)
    if publishing.CHANGES in done.files and done.version != FIRST_VERSION:
        say(screen, f"What changed: {done.place}/{publishing.CHANGES}")


def show_release(screen: Console, done: Published) -> None:
    """Print what is in a release, and how it is verified and proved."""
    shown = make_table("", "level", "tasks", "tools", "inputs", "SOP words", "package")
    for level, place in done.packages.items():
        cells = [str(number) for number in _read_size(done, level).values()]
        shown.add_row(level, *cells, place.rpartition("/")[2])
    screen.print(shown)
    first = next(iter(done.packages))
    _print_coverage(screen, done, first)
    say(screen, f"Digest to announce: {done.digest}")
    say(screen, f"Verify it: sopforge verify {shlex.quote(done.place)} --digest {done.digest}")
    say(screen, f"Prove it: sopforge run-oracle {shlex.quote(done.packages[first])}")


def _print_coverage(screen: Console, done: Published, level: str) -> None:
    """Print how the answers are spread, and what the tasks show, in all answers and in one."""
    from sopforge.dataset.coverage.coverage import read_coverage
    from sopforge.dataset.coverage.coverage_text import describe_coverage

    text = done.read_text(level, "grader/coverage.json")
    report = json.loads(text)
    answers = ", ".join(f"{name} {count}" for name, count in report["outcomes"].items())
    say(screen, f"Answers: {answers}. Paths: {len(report['paths'])}.")
    for line in describe_coverage(read_coverage(text), f"'{report['primary']}'"):
        say(screen, line)
