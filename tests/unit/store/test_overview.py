"""Where a domain stands is found by few reads, and as the whole log would say it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from sopforge.errors import Fault, StoreError
from sopforge.findings import Severity
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.releases.publishing import publish
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.backends.folder import FolderObjects
from sopforge.store.entries import DecisionVerdict
from sopforge.store.log.yanks import yank
from sopforge.store.opening import open_store
from sopforge.store.overview import Next, Phase, build_overview, list_overviews
from sopforge.store.versions import Store
from tests.worlds.quick_builds import settle
from tests.worlds.worded import let_worded_wait

REFUND = Path(__file__).parents[2] / "briefs" / "refund.yaml"
TWO = "author: offline\ngates: {approvers: {schema: 2}}\n"


def refund(old: str = "", new: str = "") -> Brief:
    text = REFUND.read_text(encoding="utf-8")
    assert old in text
    return read_brief(text.replace(old, new, 1) if old else text, "refund.yaml")


def decided(store: Store, verdict: DecisionVerdict, by: str = "ada", stage: str = "schema") -> None:
    if verdict is DecisionVerdict.REQUEST_CHANGES:
        let_worded_wait(store, "refund")
    settle(store, stage, verdict, by=by)


def test_a_domain_of_which_a_brief_alone_is_kept_is_begun(store: Store) -> None:
    store.objects.create("refund/briefs/0001/brief.yaml", b"domain: refund")

    store.objects.create("notes/readme.txt", b"no domain")

    [row] = list_overviews(store)

    assert (row.domain, row.phase, row.stage, row.passed) == ("refund", Phase.BEGUN, "", 0)


def test_what_waits_is_shown_with_its_age_and_who_is_missing(store: Store) -> None:
    version = advance(store, refund()).version

    row = build_overview(store.get_domain("refund"))

    assert (row.phase, row.stage, row.version) == (Phase.WAITING, "schema", 1)
    assert row.content == version.manifest.content
    assert (row.approved_by, row.missing, row.next) == ((), 1, Next.DECIDE)
    assert row.since.endswith("+00:00")


def test_findings_are_counted_by_severity(store: Store) -> None:
    """A table has no rule for some cases, and two labels look alike."""
    gap = refund("otherwise: eligible", "when: days_since_delivery <= refund_days, then: eligible")
    alike = gap.text.replace("Wrong item, Changed mind]", "Wrong item, damaged]")
    advance(store, read_brief(alike, "refund.yaml"))

    row = build_overview(store.get_domain("refund"))

    assert row.findings == {Severity.ERROR: 1, Severity.WARNING: 1, Severity.NOTE: 0}
    assert (row.phase, row.next) == (Phase.WAITING, Next.FIX)


def test_of_two_approvers_one_is_missing(store: Store) -> None:
    advance(store, refund("author: offline\n", TWO))
    decided(store, DecisionVerdict.APPROVE)
    row = build_overview(store.get_domain("refund"))
    assert (row.phase, row.approved_by, row.missing) == (Phase.WAITING, ("ada",), 1)

    decided(store, DecisionVerdict.APPROVE, "grace")
    row = build_overview(store.get_domain("refund"))
    assert (row.phase, row.stage, row.passed) == (Phase.DUE, "schema", 1)


def test_an_approval_counts_though_another_version_was_decided_since(store: Store) -> None:
    two = refund("author: offline\n", TWO)
    other = refund("author: offline\n", TWO.replace("schema: 2", "schema: 2, sop: 2"))
    changed = read_brief(other.text.replace("value: 30", "value: 20", 1), "refund.yaml")
    advance(store, two)
    decided(store, DecisionVerdict.APPROVE)
    advance(store, changed)
    decided(store, DecisionVerdict.APPROVE, "grace")
    advance(store, two)

    row = build_overview(store.get_domain("refund"))

    assert (row.version, row.approved_by, row.missing) == (1, ("ada",), 1)


@pytest.mark.parametrize(
    ("verdict", "phase"),
    [
        (DecisionVerdict.APPROVE, Phase.DUE),
        (DecisionVerdict.REQUEST_CHANGES, Phase.DUE),
        (DecisionVerdict.REJECT, Phase.REJECTED),
    ],
)
def test_what_was_decided_is_shown_before_and_after_the_run_that_acts_on_it(
    store: Store, verdict: DecisionVerdict, phase: Phase
) -> None:
    advance(store, refund())
    decided(store, verdict)
    assert build_overview(store.get_domain("refund")).phase is phase

    advance(store, refund())
    after = Phase.REJECTED if verdict is DecisionVerdict.REJECT else Phase.WAITING
    assert build_overview(store.get_domain("refund")).phase is after


def test_a_decision_whose_process_died_before_it_took_the_version_off_is_due(
    store: Store,
) -> None:
    version = advance(store, refund()).version
    decided(store, DecisionVerdict.APPROVE)
    store.get_domain("refund").set_waiting(version)

    assert build_overview(store.get_domain("refund")).phase is Phase.DUE


def test_a_domain_after_its_last_gate_has_passed_all(store: Store) -> None:
    brief = refund()
    advance(store, brief, approve_clean=True)
    row = build_overview(store.get_domain("refund"))
    assert (row.phase, row.passed, row.release) == (Phase.PASSED, 7, "")

    publish(store, brief)
    assert build_overview(store.get_domain("refund")).release == "1.0.0"


def test_a_yank_is_found_in_what_was_decided_since_the_release(tmp_path: Path) -> None:
    store, brief = open_store(tmp_path), refund()
    advance(store, brief, approve_clean=True)
    publish(store, brief)
    counting = Counting(FolderObjects(tmp_path))
    assert not build_overview(Store(counting).get_domain("refund")).is_yanked
    # The newest of seven, for where the domain stands and for the release.
    assert sum("decisions" in name for name in counting.reads) <= 2

    yank(store.get_domain("refund"), "1.0.0", by="ada", reason="The limit is wrong.")
    advance(store, refund("{value: 30, unit: days", "{value: 20, unit: days"), approve_clean=True)

    assert build_overview(store.get_domain("refund")).is_yanked


@pytest.mark.parametrize(
    ("name", "code"),
    [("pending.json", "store-damaged"), ("decisions/000007.json", "audit-log-broken")],
)
def test_a_domain_that_cannot_be_read_says_why(store: Store, name: str, code: str) -> None:
    advance(store, refund(), approve_clean=True)
    store.objects.replace(f"refund/{name}", b"[")

    row = build_overview(store.get_domain("refund"))

    assert row.phase is Phase.BROKEN
    assert [fault.code for fault in row.faults] == [code]


@pytest.mark.parametrize("text", [b"[", b"[]", b'{"seconds": 1}'])
def test_a_time_that_nobody_noted_is_not_shown(store: Store, text: bytes) -> None:
    version = advance(store, refund()).version
    store.objects.replace(f"{version.name}/run.json", text)

    assert build_overview(store.get_domain("refund")).since == ""


@dataclass
class Counting(FolderObjects):
    """A folder that counts how often it is read."""

    inner: FolderObjects
    reads: list[str] = field(default_factory=list)

    def read(self, name: str) -> bytes | None:
        self.reads.append(name)
        return self.inner.read(name)

    def __getattribute__(self, name: str) -> Any:  # noqa: ANN401 - passes all else on
        own: Mapping[str, Any] = object.__getattribute__(self, "__dict__")
        if name in {"read", "reads", "inner"} or name.startswith("__"):
            return object.__getattribute__(self, name)
        return getattr(own["inner"], name)


def test_a_domain_that_must_not_be_read_hides_no_other(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    advance(store, refund())
    store.objects.create("fees/briefs/0001/brief.yaml", b"domain: fees")
    children = store.objects.list_children

    def refused(name: str) -> list[str]:
        if name.startswith("fees"):
            raise StoreError(Fault("store-unusable", "permission is denied", name))
        return children(name)

    with mock.patch.object(store.objects, "list_children", refused):
        rows = list_overviews(store)

    assert [(row.domain, row.phase) for row in rows] == [
        ("fees", Phase.BROKEN),
        ("refund", Phase.WAITING),
    ]


def test_a_long_history_is_not_read_to_find_where_a_domain_stands(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    advance(store, refund(), approve_clean=True)
    for _ in range(3):
        advance(store, refund("{value: 30, unit: days", "{value: 20, unit: days"))
    counting = Counting(FolderObjects(tmp_path))

    row = build_overview(Store(counting).get_domain("refund"))

    assert row.phase is Phase.WAITING
    # Two are read: what was decided last is not about what waits.
    assert sum("decisions" in name for name in counting.reads) <= 2
    assert len(counting.reads) <= 12


def test_gates_in_a_comment_have_no_brief_read(
    monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    def refuse(text: str) -> None:
        raise AssertionError(text)

    monkeypatch.setattr("sopforge.store.overview._parse_approvers", refuse)
    text = REFUND.read_text(encoding="utf-8")
    commented = text.replace(
        "author: offline", "# gates: {approvers: {schema: 2}}\nauthor: offline"
    )
    assert commented != text
    advance(store, read_brief(commented, "brief.yaml"))

    assert build_overview(store.get_domain("refund")).missing == 1
