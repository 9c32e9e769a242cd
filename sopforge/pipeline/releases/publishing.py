"""Publishing: an approved domain becomes a release, one package per complexity level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sopforge.artifacts.packaging.checksums import (
    CHECKSUMS,
    compute_file_digest,
    find_changed_files,
)
from sopforge.artifacts.packaging.sop_bench import LAYOUT
from sopforge.artifacts.rendering.sop.document import read_sop
from sopforge.errors import Fault, PackageRefusedError, StoreError
from sopforge.findings import Finding, Severity, has_errors
from sopforge.language.domain.reading import Brief
from sopforge.pipeline.releases.evidence import (
    EDITS,
    STAGE_RECORDS,
    KeptEdit,
    StageRecord,
    build_stage_records,
    collect_approvals,
    collect_log_evidence,
    collect_reviews,
    compute_log_head,
    write_evidence,
)
from sopforge.pipeline.releases.numbering import build_news, render_history
from sopforge.pipeline.releases.package_files import build_level_files, name_package
from sopforge.pipeline.releases.signatures import is_signed, refuse_refused, sign_release
from sopforge.pipeline.stages.building.level_findings import check_packages
from sopforge.pipeline.stages.complexity import ComplexityStage, collect_variants
from sopforge.pipeline.stages.pipeline import STAGES, build_workspace, list_approved_versions
from sopforge.progress.tracking import enter_step, track
from sopforge.store.digests import digest_bytes, digest_files, digest_value
from sopforge.store.entries import Decision, read_chain
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.log.kept_edits import Edit, list_edits
from sopforge.store.log.yanks import compute_release_digest, find_yanked_releases
from sopforge.store.places import store_option
from sopforge.store.signatures.allowed_signers import AllowedSigners, read_own_signers
from sopforge.store.signatures.signing import Signer
from sopforge.store.versions import RELEASE_SIGNATURE, DomainStore, Store, Version, render_release
from sopforge.workspace import SOP_TEXT, SOP_TRACE, Workspace

CHANGES = "CHANGES.md"
"""Beside the packages of a release: what changed, release by release."""


@dataclass(frozen=True, slots=True)
class Published:
    """A release: its version, where it is, and whether it was there already.

    ``packages`` says by level where its package is; ``files`` holds the release's files, and
    ``digest`` is that of ``release.json``, by which all of them are announced.
    """

    version: str
    place: str
    packages: Mapping[str, str]
    files: Mapping[str, bytes]
    is_new: bool
    digest: str
    findings: tuple[Finding, ...]

    def read_text(self, level: str, name: str) -> str:
        """Return the text of a file of a level's package."""
        package = self.packages[level].rpartition("/")[2]
        return self.files[f"{package}/{name}"].decode()


@dataclass(frozen=True, slots=True)
class Source:
    """What a release is made of: files of all stages, what is known of each, and who decided.

    ``log`` has the entries of the audit log by their names, ``signatures`` those that are signed by
    their numbers. ``carried`` is further evidence, and ``provenance`` what it says beside the rest.
    """

    workspace: Workspace
    records: Mapping[str, StageRecord]
    log: Mapping[str, str]
    carried: Mapping[str, str]
    provenance: Mapping[str, object]
    signatures: Mapping[int, bytes] = field(default_factory=dict)

    @property
    def brief(self) -> Brief:
        """The brief that the files were made from."""
        return self.workspace.brief

    @property
    def contents(self) -> dict[str, str]:
        """The digest of each stage's files."""
        return {stage: record.content for stage, record in self.records.items()}

    @property
    def decisions(self) -> list[Decision]:
        """The entries of the audit log."""
        return read_chain(self.log, self.brief.parts.domain)[0]


@dataclass(frozen=True, slots=True)
class Plan:
    """What publishing would write: a version, what it says of its changes, and from what source.

    ``entry`` is "" where the release is there already. ``basis`` is the digest of all that decides
    what is written: two plans with the same one are the same.
    """

    source: Source
    version: str
    entry: str
    basis: str


def plan_release(
    store: Store,
    brief: Brief,
    *,
    with_words: bool = False,
    signers: AllowedSigners | None = None,
) -> Plan:
    """Return what ``publish`` would write, and write nothing.

    Raises:
        StoreError: a gate is not passed, the content was yanked, or a signature in the log is
            refused by the allowed ``signers``, or the store's own, or something in the domain does
            not fit its seal.
    """
    domain = store.get_domain(brief.parts.domain)
    source = _collect_approved_source(store, brief)
    basis, version = _digest_basis(store, source), _find_release_with(store, brief, source.contents)
    if version:
        # What was taken back is not published again because its content is still approved.
        refuse_yanked(domain, version)
        _refuse_changed(domain, version, domain.read_release_files(version))
        return Plan(source, version, "", basis)
    if not with_words:
        refuse_words(source)
    refuse_refused(domain, signers or read_own_signers(store.objects))
    new = build_news(store, source.workspace, domain.list_releases())
    return Plan(source, new.version, new.entry, basis)


def publish(
    store: Store,
    brief: Brief,
    *,
    with_words: bool = False,
    signers: AllowedSigners | None = None,
    signer: Signer | None = None,
    shown: Plan | None = None,
) -> Published:
    """Write the release of a domain whose gates are all passed; the same content only once.

    ``with_words`` makes words of reviewers public that stand in earlier entries. A ``signer``
    signs the release, also one that was there unsigned. What was ``shown`` to somebody is written
    as it was shown, or not at all.

    Raises:
        SshKeygenError: it is to be signed, and cannot be; no release is written.
        StoreError: as ``plan_release``, a package fails its checks, or what was shown has changed.
    """
    domain = store.get_domain(brief.parts.domain)
    with domain.lock():
        if shown is not None:
            _refuse_other(store, brief, shown)
        plan = shown or plan_release(store, brief, with_words=with_words, signers=signers)
        if not plan.entry:
            if signer and not is_signed(domain, plan.version):
                sign_release(domain, plan.version, signer)
            files = domain.read_release_files(plan.version)
            return _build_publication(store, brief, plan.version, files, is_new=False)
        changes = render_history(domain, plan.entry, domain.list_releases())
        return save_release(store, plan.source, plan.version, plan.entry, changes, signer=signer)


def find_matching_release(store: Store, brief: Brief) -> str:
    """Return the release that holds what is approved for a brief, "" where none does.

    To publish it once more writes no other one.
    """
    versions = list_approved_versions(store, brief)
    if len(versions) < len(STAGES):
        return ""
    contents = {item.manifest.stage: item.manifest.content for item in versions}
    return _find_release_with(store, brief, contents)


def _collect_approved_source(store: Store, brief: Brief) -> Source:
    store.get_domain(brief.parts.domain).require_intact_seal()
    versions = list_approved_versions(store, brief)
    if len(versions) < len(STAGES):
        stage = STAGES[len(versions)].name
        raise StoreError(_make_not_approved_fault(store.get_domain(brief.parts.domain), stage))
    return collect_source(store, brief, versions)


def _digest_basis(store: Store, source: Source) -> str:
    """Return the digest of all that decides what is published: the source, and the releases."""
    brief = source.brief
    domain = store.get_domain(brief.parts.domain)
    known = domain.list_releases()
    return digest_value(
        {
            "brief": [brief.text, brief.draft],
            "stages": source.contents,
            "log": source.log,
            "signatures": {number: digest_bytes(it) for number, it in source.signatures.items()},
            "releases": {name: compute_release_digest(domain, name) for name in known},
        }
    )


def _refuse_other(store: Store, brief: Brief, shown: Plan) -> None:
    """Raise where something else would be published by now than what was shown."""
    if _digest_basis(store, _collect_approved_source(store, brief)) != shown.basis:
        domain = brief.parts.domain
        message = f"what would be published has changed since {shown.version} was shown"
        again = f"sopforge publish {domain}{store_option(store.place)}"
        hint = f"look at what would be published now: {again}"
        raise StoreError(Fault("stale-decision", message, domain, hint))


def collect_source(store: Store, brief: Brief, versions: Sequence[Version]) -> Source:
    """Return what the approved versions of a domain's stages make a release of."""
    edits = _collect_edits(store, brief, versions)
    edited = {
        edit.stage: list(dict.fromkeys(item.by for item in edits if item.stage == edit.stage))
        for edit in edits
    }
    log = AuditLog(store.get_domain(brief.parts.domain))
    return Source(
        build_workspace(brief, versions),
        build_stage_records(versions),
        log.read_entry_texts(),
        {EDITS: write_evidence(edits)} if edits else {},
        {"edited": edited} if edited else {},
        log.read_signatures(),
    )


def save_release(
    store: Store,
    source: Source,
    version: str,
    entry: str,
    changes: str,
    *,
    signer: Signer | None = None,
) -> Published:
    """Write a release from its source, examined as its users would use it, and signed if asked.

    Raises:
        PackageRefusedError: a package fails its checks.
    """
    brief = source.brief
    with enter_step("package"):
        packages = _build_packages(source, version)
        findings = _examine_packages(source, packages)
    files = {
        f"{name}/{file}": content.encode() if isinstance(content, str) else content
        for name, part in packages.items()
        for file, content in part.items()
    }
    files[CHANGES] = changes.encode()
    files |= collect_log_evidence(source.log, source.signatures)
    # ``verify`` knows these keys in this order: one record has one text, and so one digest.
    record = {
        "domain": brief.parts.domain,
        "version": version,
        **_collect_pinned_values(brief, source.contents),
        "packages": {name: compute_file_digest(part[CHECKSUMS]) for name, part in packages.items()},
        "files": digest_files(files),
        "audit_log": compute_log_head(source.log),
        "changes": entry,
    }
    # Not among the files that the record counts: it signs the record, and may come later.
    signed = (
        {RELEASE_SIGNATURE: signer.sign_release(render_release(record).encode(), source.decisions)}
        if signer
        else {}
    )
    store.get_domain(brief.parts.domain).save_release(version, {**files, **signed}, record)
    return _build_publication(store, brief, version, files, is_new=True, findings=findings)


def refuse_yanked(domain: DomainStore, version: str) -> None:
    """Raise ``StoreError`` for a release that was yanked."""
    found = find_yanked_releases(domain).get(version)
    if found is not None:
        message = f"{version} has the same content and was yanked by {found.by}: {found.reason}"
        undo = f"sopforge yank {domain} {version} --undo{store_option(domain.place)}"
        hint = f"correct what was wrong, or undo the yank: {undo}"
        raise StoreError(Fault("release-yanked", message, domain.name, hint))


def refuse_words(source: Source) -> None:
    """Raise ``StoreError`` for entries that would make words of reviewers public."""
    said = [item for item in source.decisions if item.feedback]
    if said:
        entries = ", ".join(f"{item.sequence} ({item.by})" for item in said)
        message = f"entries of the audit log contain reviewers' comments: {entries}"
        hint = "if the comments may become public with the package, publish with --with-words"
        domain = source.brief.parts.domain
        raise StoreError(Fault("words-in-log", message, f"{domain}/decisions", hint))


def _build_packages(source: Source, version: str) -> dict[str, dict[str, str | bytes]]:
    brief, entries = source.brief, source.decisions
    subjects = [record.build_subject(stage) for stage, record in source.records.items()]
    reviews = collect_reviews(entries, subjects)
    provenance = {
        "release": version,
        "stages": source.contents,
        "approvals": collect_approvals(entries, subjects),
        **({"reviews": reviews} if reviews else {}),
        **({"signed": signed} if (signed := _collect_signed(source.workspace)) else {}),
        **source.provenance,
    }
    carried = {STAGE_RECORDS: write_evidence(source.records), **source.carried}
    return {
        name_package(brief.parts.domain, level, version): build_level_files(
            variant, level, version, provenance, carried
        )
        for level, variant in track(collect_variants(source.workspace).items(), "packages written")
    }


def _collect_signed(workspace: Workspace) -> list[dict[str, str]]:
    """Return the statements of the SOP of which a person states that they mean the same."""
    document = read_sop(workspace.files[SOP_TEXT], workspace.files[SOP_TRACE])
    return [
        {"text": item.text, "stands_for": item.read_as, "by": item.signer}
        for item in document.statements
        if item.signer
    ]


def _collect_edits(store: Store, brief: Brief, versions: Sequence[Version]) -> tuple[KeptEdit, ...]:
    """Return the edits from which versions were made, stage by stage in their order."""
    return tuple(
        KeptEdit(by, item.manifest.stage, edit.file, edit.before, edit.after, edit.readings)
        for item in versions
        for by, edit in _select_edits(
            list_edits(store.get_domain(brief.parts.domain), item.manifest.stage),
            item.manifest.inputs.get("edits", ""),
        )
    )


def _select_edits(made: Sequence[tuple[str, Edit]], digest: str) -> Sequence[tuple[str, Edit]]:
    """Return those of the edits that a version was made with: later ones came after it."""
    # Edits are only ever added, so that those of a version are the first so many.
    counts = range(1, len(made) + 1)
    found = (
        made[:count]
        for count in counts
        if digest_value([edit.digest for _, edit in made[:count]]) == digest
    )
    return next(found, ())


def _examine_packages(
    source: Source, packages: Mapping[str, Mapping[str, str | bytes]]
) -> tuple[Finding, ...]:
    levels = collect_variants(source.workspace)
    packaged = {
        level: source.workspace.with_files(
            {f"package/{name}": text for name, text in files.items() if isinstance(text, str)}
        )
        for level, files in zip(levels, packages.values(), strict=True)
    }
    findings = check_packages(levels, packaged, ComplexityStage.needs)
    if has_errors(findings):
        blocking = [item for item in findings if item.severity is Severity.ERROR]
        raise PackageRefusedError(
            *(Fault(item.id, item.message, item.where, item.hint) for item in blocking)
        )
    return tuple(findings)


def _refuse_changed(domain: DomainStore, version: str, files: Mapping[str, bytes]) -> None:
    """Raise for a release in which a file is not what was released."""
    record = domain.read_release(version)
    changed = []
    for package in record["packages"]:
        start = f"{package}/"
        own = {name[len(start) :]: data for name, data in files.items() if name.startswith(start)}
        names = find_changed_files(own) if CHECKSUMS in own else [CHECKSUMS]
        changed += [f"{start}{name}" for name in names]
    if not changed and digest_files(files) != record["files"]:
        changed.append("a file next to the packages")
    faults = [
        Fault(
            "release-changed",
            f"{name} is not the released file",
            f"{domain.place}/{domain}/releases/{version}",
            "restore it; or move it away, accept the change (check-store --accept), and publish"
            " again",
        )
        for name in changed
    ]
    if faults:
        raise StoreError(*faults)


def _find_release_with(store: Store, brief: Brief, contents: Mapping[str, str]) -> str:
    """Return the newest release with these contents of stages, "" where there is none."""
    domain, pinned = store.get_domain(brief.parts.domain), _collect_pinned_values(brief, contents)
    for version in reversed(domain.list_releases()):
        release = domain.read_release(version)
        if {name: release.get(name) for name in pinned} == pinned:
            return version
    return ""


def _collect_pinned_values(brief: Brief, contents: Mapping[str, str]) -> dict[str, object]:
    """Return what two releases must have in common to be the same."""
    terms = brief.parts.package.as_terms()
    return {"stages": contents, "terms": terms, "layout": LAYOUT}


def _build_publication(
    store: Store,
    brief: Brief,
    version: str,
    files: Mapping[str, bytes],
    *,
    is_new: bool,
    findings: tuple[Finding, ...] = (),
) -> Published:
    domain = store.get_domain(brief.parts.domain)
    place = f"{store.place}/{domain}/releases/{version}"
    levels = brief.parts.complexity.levels
    packages: dict[str, str] = {
        level: f"{place}/{name_package(domain.name, level, version)}" for level in levels
    }
    digest = compute_release_digest(domain, version)
    return Published(version, place, packages, files, is_new, digest, findings)


def _make_not_approved_fault(domain: DomainStore, stage: str) -> Fault:
    there = store_option(domain.place)
    hint = f"generate and approve it first; see the state with: sopforge status {domain}{there}"
    return Fault("not-approved", f"'{domain}' has no approved {stage} for this brief", stage, hint)
