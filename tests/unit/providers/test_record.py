from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from sopforge.authors.providers.completion import Block, Message, StopReason
from sopforge.authors.providers.record import CompletionRecord, Question
from sopforge.errors import ProviderError, StoreError
from sopforge.store.backends.folder import FolderObjects
from tests.worlds.providers import REQUEST, SCHEMA, answer

QUESTION = Question("messages", REQUEST)


def changed(**fields: Any) -> Question:  # noqa: ANN401 - fields of a request
    return Question("messages", replace(REQUEST, **fields))


def test_an_answer_is_found_as_it_was_kept(tmp_path: Path) -> None:
    record = CompletionRecord(FolderObjects(tmp_path))
    assert record.find(QUESTION) is None
    kept = answer("Graz ✓", request_id="req_1", route="native", detail="d")
    record.keep(QUESTION, kept, {})
    assert CompletionRecord(FolderObjects(tmp_path)).find(QUESTION) == kept


def test_an_answer_without_a_count_of_tokens_is_found_so(tmp_path: Path) -> None:
    record = CompletionRecord(FolderObjects(tmp_path))
    record.keep(QUESTION, answer("Graz", usage=None), {})
    found = record.find(QUESTION)
    assert found is not None
    assert found.usage is None


@pytest.mark.parametrize(
    "other",
    [
        Question("converse", REQUEST),
        changed(model="claude-test-2"),
        changed(system=(Block("You name rivers."),)),
        changed(messages=(Message("user", (Block("Which river?"),)),)),
        changed(schema=SCHEMA),
        changed(max_tokens=1001),
        changed(effort="high"),
        changed(replicate=1),
    ],
    ids=["family", "model", "system", "message", "schema", "limit", "effort", "replicate"],
)
def test_what_decides_the_answer_is_in_the_key(other: Question) -> None:
    assert other.key != QUESTION.key


def test_what_caches_repeat_is_not_in_the_key() -> None:
    assert changed(system=(Block("You name cities."),)).key == QUESTION.key


def test_the_key_stays_what_it_was() -> None:
    # Reckoned by hand from the canonical form, so that no change of ours makes users pay again.
    request = replace(REQUEST, system=(), messages=(Message("user", (Block("Hi"),)),), max_tokens=5)
    canonical = (
        '{"effort":null,"family":"messages","key_version":1,"max_tokens":5,'
        '"messages":[{"role":"user","texts":["Hi"]}],"model":"claude-test-1",'
        '"replicate":0,"schema":null,"system":[]}'
    )
    assert Question("messages", request).key == sha256(canonical.encode()).hexdigest()


@pytest.mark.parametrize(
    ("stop", "mark"),
    [
        (StopReason.END, "answer"),
        (StopReason.TRUNCATED, "truncated"),
        (StopReason.REFUSED, "refused"),
    ],
    ids=str,
)
def test_an_entry_is_marked_with_its_outcome(stop: StopReason, mark: str, tmp_path: Path) -> None:
    CompletionRecord(FolderObjects(tmp_path)).keep(QUESTION, answer("Gr", stop), {"stage": "sop"})
    [path] = tmp_path.glob("??/*.json")
    entry = json.loads(path.read_text(encoding="utf-8"))
    assert path.stem == QUESTION.key
    assert (entry["outcome"], entry["origin"]) == (mark, {"stage": "sop"})


def test_replay_only_says_which_entry_is_nearest_and_what_differs(tmp_path: Path) -> None:
    record = CompletionRecord(FolderObjects(tmp_path))
    near, far = changed(max_tokens=2000), changed(model="claude-test-2", effort="low")
    record.keep(far, answer("far"), {})
    record.keep(near, answer("near"), {})
    with pytest.raises(ProviderError) as caught:
        CompletionRecord(FolderObjects(tmp_path), is_replay_only=True).find(QUESTION)
    fault = caught.value.faults[0]
    assert fault.code == "completion-not-recorded"
    assert fault.message == (
        f"no answer to question {QUESTION.key[:12]} is recorded; the nearest, {near.key[:12]},"
        " differs in max_tokens"
    )


def test_replay_only_names_the_text_that_differs(tmp_path: Path) -> None:
    texts = (Block("A long document."), Block("Which river?"))
    CompletionRecord(FolderObjects(tmp_path)).keep(
        changed(messages=(Message("user", texts),)), answer("river"), {}
    )
    with pytest.raises(ProviderError, match=r"differs in messages\[0\]\.texts\[1\]$|texts\[1\]"):
        CompletionRecord(FolderObjects(tmp_path), is_replay_only=True).find(QUESTION)


def test_replay_only_with_an_empty_record_says_so(tmp_path: Path) -> None:
    with pytest.raises(ProviderError, match="is recorded") as caught:
        CompletionRecord(FolderObjects(tmp_path / "none"), is_replay_only=True).find(QUESTION)
    assert "nearest" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"format": 1}', '{"format": 2}', '{"format": 1, "completion": {"usage": 3}}'],
    ids=["empty", "half", "list", "no answer", "other format", "other shape"],
)
def test_a_damaged_entry_is_an_error_that_names_it(text: str, tmp_path: Path) -> None:
    record = CompletionRecord(FolderObjects(tmp_path))
    record.keep(QUESTION, answer("Graz"), {})
    [path] = tmp_path.glob("??/*.json")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(StoreError) as caught:
        record.find(QUESTION)
    assert caught.value.faults[0].code == "store-damaged"
    assert caught.value.faults[0].where == str(path)


@pytest.mark.parametrize(
    ("old", "new"), [("Graz", "Linz"), ('"text"', '"tool"'), ("river", "lake")]
)
def test_an_answer_that_was_changed_is_not_taken(old: str, new: str, tmp_path: Path) -> None:
    record = CompletionRecord(FolderObjects(tmp_path))
    record.keep(QUESTION, answer("Graz"), {"about": "river"})
    [path] = tmp_path.glob("??/*.json")
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(StoreError, match="the entry was changed after it was written"):
        record.find(QUESTION)
    assert [fault.where for fault in record.find_faults()] == [str(path)]


def test_an_answer_to_another_question_is_not_taken(tmp_path: Path) -> None:
    record, other = CompletionRecord(FolderObjects(tmp_path)), changed(max_tokens=2000)
    record.keep(QUESTION, answer("Graz"), {})
    record.keep(other, answer("Linz"), {})
    paths = {path.stem: path for path in tmp_path.glob("??/*.json")}
    paths[QUESTION.key].write_bytes(paths[other.key].read_bytes())
    with pytest.raises(StoreError, match="or moved"):
        record.find(QUESTION)


def test_one_worker_at_a_time_holds_a_key(tmp_path: Path) -> None:
    record, order = CompletionRecord(FolderObjects(tmp_path)), list[str]()

    def work() -> None:
        with CompletionRecord(FolderObjects(tmp_path)).lock_question("k"):
            order.append("second")

    thread = Thread(target=work)
    with record.lock_question("k"):
        thread.start()
        thread.join(timeout=0.3)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]
