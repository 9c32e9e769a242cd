"""What a whole release says of itself, beside what each of its packages does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import pairwise

from sopforge.artifacts.packaging.checksums import CHECKSUMS, compute_file_digest
from sopforge.artifacts.packaging.release import AUDIT_LOG
from sopforge.artifacts.packaging.sop_bench import GRADER
from sopforge.checks.auditing.own import BRIEF
from sopforge.findings import make_warning_finding
from sopforge.pipeline.releases.evidence import STAGE_RECORDS
from sopforge.pipeline.releases.package_files import name_package
from sopforge.pipeline.releases.publishing import CHANGES
from sopforge.pipeline.releases.verifying.claims import (
    Claim,
    Observation,
    check_claim,
    make_wrong_findings,
)
from sopforge.pipeline.releases.verifying.folders import PackageFolder, ReleaseFolder
from sopforge.pipeline.releases.verifying.log_claims import check_approvals, check_chain
from sopforge.store.digests import digest_files, digest_text
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.log.yanks import compute_release_digest, find_yanked_releases
from sopforge.store.versions import RELEASE, RELEASE_SIGNATURE, Store, render_release

KEYS = (
    *("domain", "version", "stages", "terms", "layout", "packages", "files", "audit_log"),
    "changes",
)
_HEADING = re.compile(r"^## (\d+)\.(\d+)\.(\d+)(-private\.\d+)?$", re.MULTILINE)
_ALIKE = ("release", "stages", "approvals", "made_with", "canary")


def check_release_claims(release: ReleaseFolder) -> Iterator[Claim]:
    """Return what a release says of itself, and whether it holds."""
    looks = {
        "files are those listed": _check_listed_packages,
        "packages are of one release": _check_package_agreement,
        "audit log is whole": check_chain,
        "stages are approved as the brief asks": check_approvals,
        "version fits the changes listed": _check_version,
    }
    for what, look in looks.items():
        yield check_claim("release", what, partial(look, release))


def check_announced_digest(part: str, found: str, digest: str) -> Claim:
    """Return whether a release, or a package alone, is the one whose digest was announced."""

    def look() -> Observation:
        if not digest:
            return Observation("state the announced digest with --digest", is_open=True)
        messages = (
            [f"the digest of the release is {found}, not {digest}"] if found != digest else []
        )
        return Observation("by its digest", make_wrong_findings(messages, part))

    return check_claim(part, "the digest is the announced one", look)


def check_store_copy(release: ReleaseFolder, store: Store) -> Claim:
    """Return whether a store has the same release and its log; open where it has none of it."""
    return check_claim(
        "release", "the store has it and its log", lambda: _compare_with_store(release, store)
    )


def _check_listed_packages(release: ReleaseFolder) -> Observation:
    record = release.record
    listed, found = record["packages"], {package.name: package for package in release.packages}
    messages = [
        *(f"the package {name} is missing" for name in listed if name not in found),
        *(f"{name} is not a package of this release" for name in found if name not in listed),
        *(
            f"{name} lists other files than the released package"
            for name, package in found.items()
            if name in listed
            and compute_file_digest(package.files.get(CHECKSUMS, b"")) != listed[name]
        ),
    ]
    own = {RELEASE, RELEASE_SIGNATURE, CHANGES}
    messages += [
        f"{name} does not belong to this release"
        for name in release.beside
        if name not in own and not name.startswith(AUDIT_LOG)
    ]
    if digest_files(release.files) != record["files"]:
        messages.append("its files do not match the digest in release.json")
    # The same record in another layout has another digest than the one that was announced.
    if tuple(record) != KEYS or release.beside[RELEASE].decode() != render_release(record):
        messages.append("release.json was rewritten in another form")
    summary = f"{len(release.files)} files in {len(found)} packages and next to them"
    return Observation(summary, make_wrong_findings(messages, RELEASE))


def _check_package_agreement(release: ReleaseFolder) -> Observation:
    record, (first, *others) = release.record, release.packages
    messages = []
    for package in others:
        names = [key for key in _ALIKE if package.provenance[key] != first.provenance[key]]
        names += [
            name
            for name in (BRIEF, f"{GRADER}{STAGE_RECORDS}")
            if package.read_text(name) != first.read_text(name)
        ]
        messages += [f"{package.name} and {first.name} differ in {name}" for name in names]
    brief, version = first.brief, record["version"]
    wanted = {
        "domain": brief.parts.domain,
        "version": first.provenance["release"],
        "stages": first.provenance["stages"],
        "terms": brief.parts.package.as_terms(),
    }
    messages += [
        f"release.json and the packages differ in {key}"
        for key, value in wanted.items()
        if record[key] != value
    ]
    if not str(first.provenance["made_with"]).endswith(f", layout {record['layout']}"):
        messages.append("release.json and the packages differ in the layout")
    levels = {
        name_package(brief.parts.domain, level, version): level
        for level in brief.parts.complexity.levels
    }
    found = {package.name: package.provenance["level"] for package in release.packages}
    if found != levels:
        messages.append(f"the packages are {found}, but the brief asks for {levels}")
    return Observation(
        f"levels {', '.join(levels.values())} of {version}", make_wrong_findings(messages, RELEASE)
    )


def _check_version(release: ReleaseFolder) -> Observation:
    record, text = release.record, release.beside[CHANGES].decode()
    headings = [
        (tuple(map(int, found.groups()[:3])), bool(found[4])) for found in _HEADING.finditer(text)
    ]
    messages = []
    if not text.startswith(f"# Changes\n\n{record['changes']}"):
        messages.append(f"{CHANGES} does not begin with the changes in release.json")
    if not record["changes"].startswith(f"## {record['version']}\n"):
        messages.append(f"the listed changes do not belong to {record['version']}")
    # A private test set stands before the release that it was drawn from, under the same number.
    if any(
        one < other or (one == other and not draws)
        for (one, draws), (other, _) in pairwise(headings)
    ):
        messages.append("the earlier releases are not in their order")
    summary = f"{record['version']}, after {len(headings) - 1} earlier ones"
    return Observation(summary, make_wrong_findings(messages, CHANGES))


def _compare_with_store(release: ReleaseFolder, store: Store) -> Observation:
    domain, version = store.get_domain(release.record["domain"]), release.record["version"]
    if store.objects.read(f"{domain}/releases/{version}/{RELEASE}") is None:
        return Observation(
            f"{store.place} does not have this release; name its store with --store", is_open=True
        )
    messages = []
    if compute_release_digest(domain, version) != release.digest:
        messages.append(f"the store at {store.place} has a different {version}")
    log = AuditLog(domain)
    digests = [digest_text(text) for text in log.read_entry_texts().values()]
    log.list_entries()  # raises where the chain is broken
    pin = release.record["audit_log"]
    # Each entry holds the digest of the one before, so that this one vouches for all up to it.
    if pin not in digests:
        messages.append("the log in the store does not continue the log that the release states")
    findings = make_wrong_findings(messages, RELEASE)
    summary = f"{len(digests) - len(release.log)} entries were added since"
    found = find_yanked_releases(domain).get(version)
    if found is not None:
        summary = f"yanked by {found.by}: {found.reason}"
        hint = "use a later release"
        findings.append(
            make_warning_finding("yanked", f"{version} was {summary}", where=RELEASE, hint=hint)
        )
    return Observation(summary, findings)


def check_rebuild(package: PackageFolder) -> Claim:
    """Return whether a package is what comes out when all is made again from its brief."""
    from sopforge.pipeline.releases.rebuilding.derivation import check_derivation  # noqa: PLC0415 - loads the solver
    from sopforge.pipeline.releases.rebuilding.rebuild import check_rebuilding  # noqa: PLC0415 - the same

    def look() -> Observation:
        found = [*check_derivation(package.folder), *check_rebuilding(package.folder)]
        notes = [item.message for item in found if item.id == "not-rebuilt"]
        summary = (
            notes[0] if notes else "every file is identical to the one that the brief produces"
        )
        return Observation(summary, found, is_open=bool(notes))

    return check_claim(package.name, "it is made again from its brief", look)
