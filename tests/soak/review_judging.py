"""What must hold of a store after a round of reviews: what was confirmed is there, once."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from sopforge.errors import MaterialError
from sopforge.pipeline.briefs.brief_files import list_kept_versions, read_kept_brief
from sopforge.pipeline.briefs.regeneration import PatchText, change_brief
from sopforge.store.digests import digest_text
from sopforge.store.entries import DeciderKind
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.log.kept_edits import list_edits
from sopforge.store.opening import open_store
from sopforge.store.versions import Store
from tests.judges.invariants import KeptObjects, broken_promises
from tests.running.quick_commands import run_command
from tests.soak.reviewers import Sent

_DONE = {"approved": "approve", "rejected": "reject"}
_EDIT = "edit"
_UNCHANGED = "You changed nothing."
_EXPECTED = {303, 401, 403, 409, 503}


def review_faults(
    kept: Mapping[str, bytes], sent: Iterable[Sent], domains: Iterable[str]
) -> list[str]:
    """Return all that is wrong after reviewers sent something."""
    store, done = Store(KeptObjects(kept)), list(sent)
    found = [text for item in done for text in _odd_answers(item)]
    for domain in domains:
        own = [item for item in done if item.domain == domain]
        found += broken_promises(store, domain)
        found += _wrong_decisions(store, domain, own)
        found += _lost_words(store, domain, own)
        found += _lost_context(store, domain, own)
    return found


def recorded_unsure(kept: Mapping[str, bytes], sent: Iterable[Sent], domain: str) -> int:
    """Return how many decisions are recorded without a confirmation to their sender."""
    store = Store(KeptObjects(kept))
    own = [item for item in sent if item.domain == domain]
    return sum((_logged(store, domain) - _decisions(own, is_confirmed=True)).values())


def _odd_answers(item: Sent) -> Iterator[str]:
    is_checked = item.status == 200 and item.fields.get("action") == "check"
    is_no_edit = item.status == 422 and _UNCHANGED in item.answer
    if item.status and not is_checked and not is_no_edit and item.status not in _EXPECTED:
        yield f"{item.by} sent {item.address} and got {item.status}: {item.answer}"


def _wrong_decisions(store: Store, domain: str, sent: list[Sent]) -> Iterator[str]:
    """Yield decisions that are confirmed and not recorded once, or recorded and not sent."""
    logged, confirmed = _logged(store, domain), _decisions(sent, is_confirmed=True)
    unsure = _decisions([item for item in sent if item.is_unsure], is_confirmed=False)
    for item, times in confirmed.items():
        if times > 1 or logged[item] != 1:
            yield f"{domain}: {item} was confirmed {times} times, but recorded {logged[item]} times"
    for item, times in logged.items():
        if times > 1 or (item not in confirmed and item not in unsure):
            yield f"{domain}: {item} is recorded {times} times, and its sender knows nothing of it"


def _logged(store: Store, domain: str) -> Counter[tuple[str, ...]]:
    entries = AuditLog(store.get_domain(domain)).list_entries()
    persons = (item for item in entries if item.kind is DeciderKind.PERSON and not item.carries)
    return Counter(
        (item.by, str(item.verdict), item.stage, item.key, item.content) for item in persons
    )


def _decisions(sent: Iterable[Sent], *, is_confirmed: bool) -> Counter[tuple[str, ...]]:
    return Counter(
        (item.by, verdict, item.stage, item.fields["key"], item.fields["digest"])
        for item in sent
        if (verdict := _verdict(item)) and (not is_confirmed or _is_done(item))
    )


def _verdict(item: Sent) -> str:
    """Return the decision that was sent, "" where it was something else."""
    if item.address.endswith("/decide"):
        return item.fields["verdict"]
    is_kept = item.address.endswith("/edit") and item.fields.get("action") == "keep"
    return _EDIT if is_kept else ""


def _is_done(item: Sent) -> bool:
    return item.status == 303 and item.done in {*_DONE, "edited"}


def _lost_words(store: Store, domain: str, sent: list[Sent]) -> Iterator[str]:
    """Yield words and edits whose decision was confirmed, and that are not kept with it."""
    log = AuditLog(store.get_domain(domain))
    said = {
        (item.by, item.key): log.read_words(item) for item in log.list_entries() if not item.carries
    }
    edited = {(by, made.after) for by, made in list_edits(store.get_domain(domain), "schema")}
    for item in filter(_is_done, sent):
        words, text = item.fields.get("comment", ""), item.fields.get("text", "")
        if words and said.get((item.by, item.fields["key"])) != words:
            yield f"{domain}: what {item.by} said of {item.address} is not kept"
        if text and (item.by, text.replace("\r\n", "\n")) not in edited:
            yield f"{domain}: an edit of {item.by} of {item.address} is not kept"


def _lost_context(store: Store, domain: str, sent: list[Sent]) -> Iterator[str]:
    """Yield context that was confirmed as kept, and is missing in the brief that followed."""
    briefs = [
        read_kept_brief(store.get_domain(domain), name)
        for name in list_kept_versions(store.get_domain(domain))
    ]
    followed = {
        (digest_text(brief.text), later.text)
        for place, brief in enumerate(briefs)
        for later in (brief, *briefs[place + 1 : place + 2])
    }
    by_digest = {digest_text(brief.text): brief for brief in briefs}
    for item in sent:
        if item.done == "regenerated":
            fields, base = item.fields, item.fields["base"]
            patch = fields.get("patch", "")
            try:
                given = PatchText(patch, "the change") if patch.strip() else None
                new = change_brief(by_digest[base], fields.get("context", ""), given)
            except (KeyError, MaterialError) as wrong:
                yield f"{domain}: context of {item.by} was kept of no brief: {wrong!r}"
                continue
            if (base, new.text) not in followed:
                yield f"{domain}: context of {item.by} was confirmed as kept, but replaced"


def left_standing(kept: Mapping[str, bytes], domain: str) -> list[str]:
    """Return what a run would still do for a domain of which it is said that all is done."""
    with tempfile.TemporaryDirectory() as home:
        for name, data in kept.items():
            path = Path(home) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        there = ("--store", home)
        damage = run_command("store", "check", *there)
        found = [f"store check found: {damage.said}"] if damage.code else []
        before = _standing(home, domain)
        ended = run_command("continue", domain, *there)
        if _standing(home, domain) != before:
            found.append(f"{domain} stood still at {before}; a run led on: {ended.said}")
        return found


def _standing(place: str, domain: str) -> tuple[object, ...]:
    store = open_store(place)
    made = sum(
        len(store.get_domain(domain).list_versions(name))
        for name in store.objects.list_children(f"{domain}/stages")
    )
    return store.get_domain(domain).find_waiting(), made
