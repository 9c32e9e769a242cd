"""Looking a store over: is each thing still what was written, and does it fit the others?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from sopforge.authors.providers.record import CompletionRecord
from sopforge.authors.providers.selection import RECORDS
from sopforge.errors import Fault, SopForgeError, StoreError
from sopforge.pipeline.briefs.brief_files import load_latest_brief
from sopforge.pipeline.changes.sides import find_released_versions
from sopforge.pipeline.releases.signatures import find_refused_signatures
from sopforge.pipeline.runs.call_log import accept_calls, refuse_changed_calls
from sopforge.store.digests import digest_files
from sopforge.store.entries import DecisionVerdict, read_chain
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.log.kept_edits import list_edits
from sopforge.store.objects import read_text
from sopforge.store.signatures.allowed_signers import AllowedSigners
from sopforge.store.versions import DomainStore, Store


def find_damage(domain: DomainStore, signers: AllowedSigners | None = None) -> list[Fault]:
    """Return all that is damaged of a domain, with what to do about each.

    A signature that the allowed ``signers`` refuse is damage, too.
    """
    signatures = partial(_check_signatures, signers=signers)
    probes = (
        load_latest_brief,
        _read_log,
        _read_waiting,
        _read_versions,
        _read_releases,
        signatures,
    )
    found = [fault for probe in probes for fault in _collect_faults(partial(probe, domain))]
    # Several probes stumble over the same file; each fault is reported once.
    return list(dict.fromkeys([*find_unsealed(domain), *found]))


def find_unsealed(domain: DomainStore) -> list[Fault]:
    """Return what of a domain is not as commands wrote it, by its seal and its last run."""
    calls = _collect_faults(partial(refuse_changed_calls, domain))
    return list(dict.fromkeys([*domain.objects.find_faults(domain.name), *calls]))


def refuse_unsealed(domain: DomainStore) -> None:
    """Raise ``StoreError`` where a file of a domain is not as a command wrote it."""
    faults = find_unsealed(domain)
    if faults:
        raise StoreError(*faults)


def accept(domain: DomainStore) -> None:
    """Take what is there of a domain as if commands had written it.

    Raises:
        StoreError: the entries of its log do not follow each other, which no seal can repair.
    """
    _refuse_broken_log(domain)
    # Before the calls: the note of these is a sealed file, which has to fit when it is read.
    domain.objects.seal_anew(domain.name)
    accept_calls(domain)


def _refuse_broken_log(domain: DomainStore) -> None:
    # Past the seal, for it is because something does not fit the seal that somebody accepts.
    objects, folder = domain.objects.plain, f"{domain}/decisions"
    names = [name for name in objects.list_children(folder) if name.endswith(".json")]
    texts = {name: read_text(objects, f"{folder}/{name}") for name in names}
    read_chain(texts, f"{objects.place}/{folder}")


def find_damaged_answers(store: Store) -> list[Fault]:
    """Return which answers of language models on record are not what was kept."""
    return CompletionRecord(store.objects, RECORDS).find_faults()


def _collect_faults(probe: Callable[[], object]) -> tuple[Fault, ...]:
    try:
        probe()
    except SopForgeError as refused:
        return refused.faults
    return ()


def _read_versions(domain: DomainStore) -> None:
    stages = domain.objects.list_children(f"{domain}/stages")
    names = [name for stage in stages for name in domain.list_version_names(stage)]
    _read_all(partial(_read_version, domain.store, name) for name in names)


def _read_releases(domain: DomainStore) -> None:
    names = (*domain.list_releases(), *domain.list_private_releases())
    _read_all(partial(_read_release, domain, name) for name in names)


def _read_all(probes: Iterable[Callable[[], object]]) -> None:
    """Raise all faults of several things at once."""
    faults = [fault for probe in probes for fault in _collect_faults(probe)]
    if faults:
        raise StoreError(*faults)


def _read_version(store: Store, name: str) -> None:
    version = store.find_version(name)
    if version is not None:
        _ = version.files


def _read_log(domain: DomainStore) -> None:
    """Read all entries, with the words and the edits of which they speak."""
    log = AuditLog(domain).take_snapshot()
    edited = {entry.stage for entry in log.list_entries() if entry.verdict is DecisionVerdict.EDIT}
    words = (partial(log.read_words, entry) for entry in log.list_entries())
    edits = (partial(list_edits, domain, stage, log) for stage in sorted(edited))
    _read_all([*words, *edits])


def _check_signatures(domain: DomainStore, signers: AllowedSigners | None) -> None:
    refused = find_refused_signatures(domain, signers)
    if refused:
        raise StoreError(*refused)


def _read_waiting(domain: DomainStore) -> None:
    noted = domain.find_waiting()
    if noted and domain.find_waiting_version() is None:
        message = f"it names a version of {noted.stage} that is not there"
        where = f"{domain.place}/{domain}/pending.json"
        hint = "generate again to have it made anew"
        raise StoreError(Fault("store-damaged", message, where, hint))


def _read_release(domain: DomainStore, release: str) -> None:
    """Hold a release against its digest, the log that it was made by, and its versions."""
    record, where = (
        domain.read_release(release),
        f"{domain.place}/{domain}/releases/{release}",
    )
    if digest_files(domain.read_release_files(release)) != record.get("files"):
        hint = "restore it; or move it away, accept that (check-store --accept), and publish again"
        message = "the files are not those that were released"
        raise StoreError(Fault("release-changed", message, where, hint))
    if record.get("audit_log") not in AuditLog(domain).collect_heads():
        message = f"the decisions on which release {release} rests are not in the log"
        raise StoreError(
            Fault("audit-log-broken", message, f"{domain.place}/{domain}/decisions", "restore them")
        )
    if release in domain.list_private_releases():
        return  # What was drawn for it stands in it alone, and the rest in the release before it.
    gone = [
        stage for stage, found in find_released_versions(domain, release).items() if found is None
    ]
    if gone:
        message = f"what release {release} was made from is not there as it was: {', '.join(gone)}"
        raise StoreError(Fault("release-source-gone", message, where, "restore its versions"))
