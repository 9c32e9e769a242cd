"""``sopforge publish``: write the release of an approved domain."""

from __future__ import annotations

import json
import shlex
from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.decide.confirming import confirm, is_asked
from sopforge.cli.options import AsJson, Sandbox, StoredDomain, use_sandbox
from sopforge.cli.output import (
    Parts,
    Result,
    build_finding_records,
    list_findings,
    make_console,
    make_table,
    say,
)
from sopforge.cli.signing import SignersFile, SigningKey, load_signers, make_signer
from sopforge.store.versions import DomainStore

if TYPE_CHECKING:
    from sopforge.pipeline.releases.publishing import Plan, Published

WithWords = Annotated[
    bool,
    typer.Option("--with-words", help="Also publish the comments of reviewers in the audit log."),
]


def publish(
    asked: StoredDomain,
    sandbox: Sandbox = None,
    with_words: WithWords = False,
    signing_key: SigningKey = None,
    allowed_signers: SignersFile = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Publish without asking for confirmation.")
    ] = False,
    as_json: AsJson = False,
) -> Result:
    """Check and publish a release of a domain, with one package for each complexity level.

    On a terminal, the command shows what it would publish, and asks.
    """
    from sopforge.pipeline.briefs.brief_files import load_latest_brief
    from sopforge.pipeline.releases import publishing
    from sopforge.pipeline.releases.signatures import load_release_signature

    use_sandbox(sandbox)
    domain = asked.open()
    key = make_signer(domain.store, signing_key, allowed_signers)
    signers = load_signers(domain.store, allowed_signers)
    shown = None
    if not yes and is_asked(is_quiet=as_json):
        brief = load_latest_brief(domain)
        shown = publishing.plan_release(domain.store, brief, with_words=with_words, signers=signers)
        _confirm(domain, shown)
    done = publishing.publish(
        domain.store,
        load_latest_brief(domain),
        with_words=with_words,
        signers=signers,
        signer=key,
        shown=shown,
    )
    signed = load_release_signature(domain, done.version, signers)
    record = {**build_release_record(domain.name, done), "signature": signed.as_record()}
    return Result(record, chain(_lay_out(domain.name, done), [f"The release is {signed.summary}."]))


def _confirm(domain: DomainStore, shown: Plan) -> None:
    """Show a release that is not there yet, and end the command unless a person says yes."""
    if not shown.entry:
        return
    screen = make_console()
    say(screen, shown.entry.strip())
    stages = ", ".join(f"{stage} {digest[:12]}" for stage, digest in shown.source.contents.items())
    say(screen, f"\nMade from: {stages}")
    confirm(f"Publish {domain} {shown.version}?", "published")


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


def _lay_out(domain: str, done: Published) -> Parts:
    from sopforge.pipeline.changes.changes import FIRST_VERSION
    from sopforge.pipeline.releases import publishing

    verb = "Published" if done.is_new else "Already published as"
    yield f"{verb} {domain} {done.version} in {done.place}"
    yield from list_findings(done.findings)
    yield from lay_out_release(done)
    if publishing.CHANGES in done.files and done.version != FIRST_VERSION:
        yield f"What changed: {done.place}/{publishing.CHANGES}"


def lay_out_release(done: Published) -> Parts:
    """Yield what is in a release, and how it is verified and proved."""
    rows = [
        (level, *_read_size(done, level).values(), place.rpartition("/")[2])
        for level, place in done.packages.items()
    ]
    yield make_table("", ["level", "tasks", "tools", "inputs", "SOP words", "package"], rows)
    first = next(iter(done.packages))
    yield from _lay_out_coverage(done, first)
    yield f"Digest to announce: {done.digest}"
    yield f"Verify it: sopforge verify {shlex.quote(done.place)} --digest {done.digest}"
    yield f"Prove it: sopforge run-oracle {shlex.quote(done.packages[first])}"


def _lay_out_coverage(done: Published, level: str) -> Parts:
    """Yield how the answers are spread, and what the tasks show, in all answers and in one."""
    from sopforge.proof.dataset.coverage.coverage import read_coverage
    from sopforge.proof.dataset.coverage.coverage_text import describe_coverage

    text = done.read_text(level, "grader/coverage.json")
    report = json.loads(text)
    answers = ", ".join(f"{name} {count}" for name, count in report["outcomes"].items())
    yield f"Answers: {answers}. Paths: {len(report['paths'])}."
    yield from describe_coverage(read_coverage(text), f"'{report['primary']}'")
