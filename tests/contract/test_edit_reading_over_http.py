"""``sopforge edit --reader`` over real HTTP: a person's words, read by a language model, stay."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from sopforge.artifacts.rendering.sop.document import read_sop
from sopforge.checks.registry import examine
from sopforge.errors import MaterialError
from sopforge.findings import has_errors
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.gates.gate import edit
from sopforge.pipeline.releases.publishing import publish
from sopforge.pipeline.releases.rebuilding.derivation import check_derivation
from sopforge.pipeline.releases.rebuilding.rebuild import check_rebuilding
from sopforge.pipeline.stages.pipeline import Ending, advance, build_workspace
from sopforge.store.opening import open_store
from sopforge.store.versions import Store, Version
from tests.running.commands import invoke
from tests.servers.model_server import Act, ModelServer, Say, Seen
from tests.worlds.edited_sops import edit_and_sign
from tests.worlds.providers import asked_at_once, events_in
from tests.worlds.quick_builds import settle

REFUND = Path(__file__).parents[1] / "briefs" / "refund.yaml"
READER = ("--reader", "anthropic:claude-test-1")
GIVEN, SHORTER = "Leave the request to a supervisor.", "Let a supervisor see to the request."
QUERY = "Query the order system with the number on the request and judge the reply."
FREER = "See what the order system has for the number on the request, and judge that."
WORDED = {SHORTER: GIVEN, FREER: QUERY}
Sentence = Mapping[str, Any]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    with asked_at_once(monkeypatch) as running:
        yield running


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path / "store")


def brief_with(old: str = "", new: str = "") -> Brief:
    text = REFUND.read_text(encoding="utf-8").replace("author: offline\n", "")
    assert old in text
    return read_brief(text.replace(old, new, 1) if old else text, "refund.yaml")


def waits(store: Store, brief: Brief, stage: str = "sop") -> Version:
    while True:
        version = advance(store, brief).version
        if version.manifest.stage == stage:
            return version
        found = version.manifest.stage
        settle(store, found)


def answer_with(choose: Callable[[Sentence], str]) -> Callable[[Seen], Act]:
    def answer(seen: Seen) -> Act:
        text = "".join(block["text"] for block in seen.body["messages"][0]["content"])
        start = text.index(">", text.index('is="sentences"')) + 1
        asked = json.loads(text[start : text.index("</data-", start)])
        said = [{"id": item["id"], "differs": "", "says": choose(item)} for item in asked]
        return Say(json.dumps({"sentences": said}))

    return answer


def choose_rightly(item: Sentence) -> str:
    wanted = WORDED.get(item["sentence"])
    return next((x["id"] for x in item["statements"] if x["text"] == wanted), "none")


def command(store: Store, source: Path, *arguments: object) -> tuple[int, str]:
    words = ["edit", "refund", "sop", "--from", source, "--store", store.place, "--by", "grace"]
    return invoke(*words, *arguments)


def write_edit(folder: Path, version: Version, *changes: tuple[str, str]) -> Path:
    text = version.files["sop.txt"]
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    (folder / "sop.txt").write_text(text, encoding="utf-8")
    return folder / "sop.txt"


def test_what_a_reader_read_is_accepted_and_shown_to_who_approves(
    server: ModelServer, store: Store, tmp_path: Path
) -> None:
    server.answer = answer_with(choose_rightly)
    version = waits(store, brief_with())
    source = write_edit(tmp_path, version, (GIVEN, SHORTER), (QUERY, FREER))

    code, output = command(store, source, *READER)

    assert code == 0
    assert "2 lines that the checks cannot read mean the same:" in output
    assert f"  {SHORTER}\n    as: {GIVEN}\n" in output
    assert len(server.seen) == 2  # the same lines twice, the statements in another order
    events = events_in(Path(store.place) / "refund" / "calls.jsonl")
    assert {event["stage"] for event in events if "stage" in event} == {"edit"}
    notes = advance(store, brief_with()).version.manifest.findings
    assert {(note.id, note.severity.value) for note in notes} == {("sop-read", "note")}
    assert all(note.message.startswith("anthropic claude-test-1") for note in notes)
    assert {note.evidence for note in notes} == {
        f"the text: {text}\nthe model: {known}"
        for text, known in ((SHORTER, GIVEN), (FREER, QUERY))
    }


def test_what_a_reader_does_not_find_stays_an_error(
    server: ModelServer, store: Store, tmp_path: Path
) -> None:
    server.answer = answer_with(choose_rightly)
    version = waits(store, brief_with())
    source = write_edit(tmp_path, version, (GIVEN, SHORTER), (QUERY, "Judge the order system."))

    output = command(store, source, *READER)[1]

    assert "1 line that the checks cannot read means the same:" in output
    assert "  still open: Judge the order system." in output
    found = advance(store, brief_with()).version.manifest.findings
    assert {item.id for item in found if item.severity.value == "error"} == {"sop-not-read"}


def test_a_line_of_a_rule_is_read_too_and_one_with_another_figure_never(
    server: ModelServer, store: Store, tmp_path: Path
) -> None:
    known = "If the order amount is more than 200 USD, go to step 6.4 (Pass the request on)."
    freer = "What costs over 200 USD is a matter for step 6.4 (Pass the request on)."
    WORDED[freer] = known
    server.answer = answer_with(choose_rightly)
    version = waits(store, brief_with())
    source = write_edit(tmp_path, version, (known, freer.replace("200", "300")))
    assert f"  still open: {freer.replace('200', '300')}" in command(store, source, *READER)[1]
    assert server.seen == []

    version = advance(store, brief_with()).version
    source = write_edit(tmp_path, version, (freer.replace("200", "300"), freer))
    assert "1 line that" in command(store, source, *READER)[1]
    assert not has_errors(advance(store, brief_with()).version.manifest.findings)


def test_readings_stay_through_later_edits_until_the_line_or_its_rule_changes(
    server: ModelServer, store: Store, tmp_path: Path
) -> None:
    server.answer = answer_with(choose_rightly)
    version = waits(store, brief_with())
    command(store, write_edit(tmp_path, version, (GIVEN, SHORTER)), *READER)
    version = advance(store, brief_with()).version
    text = version.files["sop.txt"].replace("Take the steps in order", "Follow the steps in order")
    edit_and_sign(store, brief_with(), text, "ada")

    again = advance(store, brief_with()).version

    assert sorted(item.id for item in again.manifest.findings) == ["sop-read", "sop-signed"]
    lines = read_sop(again.files["sop.txt"], again.files["trace.json"]).lines
    read = [(line.text, line.read_as) for line in lines if line.read_as and not line.signer]
    assert read == [(SHORTER, GIVEN)]
    text = again.files["sop.txt"].replace(SHORTER, "Let no supervisor see to the request.")
    edit(store.get_domain("refund"), stage="sop", digest="", text=text, by="ada")
    assert has_errors(advance(store, brief_with()).version.manifest.findings)


def test_readings_stay_where_another_line_is_edited_after_the_brief_changed(
    server: ModelServer, store: Store, tmp_path: Path
) -> None:
    server.answer = answer_with(choose_rightly)
    command(store, write_edit(tmp_path, waits(store, brief_with()), (GIVEN, SHORTER)), *READER)
    later = brief_with("Query the order system", "Ask the order system")
    version = waits(store, later)
    text = version.files["sop.txt"].replace("Take the steps in order", "Follow the steps in order")
    edit_and_sign(store, later, text, "ada")

    found = advance(store, later).version.manifest.findings

    assert sorted(item.id for item in found) == ["sop-read", "sop-signed"]


@pytest.mark.parametrize(
    "sentences",
    [
        [{"id": "S\u00b2", "differs": "", "says": "a"}],
        [{"id": f"S{'1' * 5000}", "differs": "", "says": "a"}],
        [],
        [{"id": "S1", "differs": "", "says": "none"}, {"id": "S1", "differs": "", "says": "a"}],
    ],
)
def test_an_odd_answer_is_no_reading(
    server: ModelServer, store: Store, tmp_path: Path, sentences: list[dict[str, str]]
) -> None:
    server.answer = lambda _: Say(json.dumps({"sentences": sentences}))
    version = waits(store, brief_with())
    output = command(store, write_edit(tmp_path, version, (GIVEN, SHORTER)), *READER)[1]
    assert f"  still open: {SHORTER}" in output


def test_a_reading_of_a_rule_that_is_no_longer_there_is_reported(
    server: ModelServer, store: Store, tmp_path: Path
) -> None:
    server.answer = answer_with(choose_rightly)
    version = waits(store, brief_with())
    command(store, write_edit(tmp_path, version, (GIVEN, SHORTER)), *READER)
    edited = advance(store, brief_with()).version
    other = brief_with(GIVEN.removesuffix("."), "Leave the request to nobody")
    schema = waits(open_store(tmp_path / "other"), other, "schema")

    found = examine("sop", build_workspace(other, [schema, edited]))

    assert "sop-reads-differently" in {item.id for item in found}


def test_a_release_with_readings_is_made_again(
    server: ModelServer, store: Store, tmp_path: Path
) -> None:
    server.answer = answer_with(choose_rightly)
    version = waits(store, brief_with())
    command(store, write_edit(tmp_path, version, (GIVEN, SHORTER)), *READER)
    waiting = advance(store, brief_with(), approve_clean=True)
    assert waiting.ending is Ending.AWAITING_APPROVAL  # what no check read, no policy approves
    settle(store, "sop")
    advance(store, brief_with(), approve_clean=True)

    release = publish(store, brief_with())

    assert SHORTER in release.read_text("L0", "sop.txt")
    for place in release.packages.values():
        assert check_derivation(Path(place)) == []
        assert check_rebuilding(Path(place)) == []


@pytest.mark.parametrize(
    ("stage", "arguments", "code"),
    [
        ("sop", ("--reader", "claude"), "reader-malformed"),
        ("schema", READER, "reader-without-sop"),
    ],
)
def test_a_reader_that_cannot_read_is_refused_and_nothing_is_kept(
    store: Store, tmp_path: Path, stage: str, arguments: tuple[str, ...], code: str
) -> None:
    version = waits(store, brief_with(), stage)
    source = tmp_path / "text"
    source.write_text("# changed\n" + next(iter(version.files.values())), encoding="utf-8")
    words = ["edit", "refund", stage, "--from", source, "--store", store.place, "--by", "grace"]
    with pytest.raises(MaterialError, match=code):
        invoke(*words, *arguments)
    assert waits(store, brief_with(), stage).number == 1
