"""``sopforge reread`` over real HTTP: what is asked, reported, recorded and not stored."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from sopforge.errors import MaterialError, ProviderError, StoreError
from sopforge.language.domain.tasks import read_tasks
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.store.opening import open_store
from tests.judges.second_readers import RightReader
from tests.running.commands import invoke as command
from tests.servers.model_server import Act, Fail, ModelServer, Say, Seen
from tests.worlds.providers import asked_at_once, events_in

FEES = Path(__file__).parents[1] / "briefs" / "fees.yaml"
READER = ("--model", "anthropic:claude-test-1")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with the fees, all stages done; tests add answers on record alone."""
    folder = tmp_path_factory.mktemp("store")
    assert command("generate", FEES, "--approve-clean", "--store", folder)[0] == 0
    return folder


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    with asked_at_once(monkeypatch) as running:
        yield running


class Reader:
    """Answers both templates: rules as the brief has them, labels as the dataset does."""

    def __init__(self, store: Path, replaced: tuple[str, str] = ("", ""), label: str = "") -> None:
        self.rules, self.replaced, self.label = RightReader(load_brief(FEES)), replaced, label
        files = {
            name: text
            for version in open_store(store).get_domain("fees").list_versions("dataset")
            for name, text in version.files.items()
        }
        tasks = read_tasks(files["tasks.jsonl"], files["trajectories.jsonl"]) if files else ()
        self.tasks = {task.id: task for task in tasks}

    def __call__(self, seen: Seen) -> Act:
        title = seen.body["output_config"]["format"]["schema"]["title"]
        text = "".join(block["text"] for block in seen.body["messages"][0]["content"])
        if title == "LabelledTasks":
            return Say(json.dumps({"tasks": [self.labelled(item) for item in _material(text)]}))
        answer = self.rules({"passage": text.partition('is="passage">')[2].partition("</data-")[0]})
        return Say(
            json.dumps(answer).replace(*self.replaced) if any(self.replaced) else json.dumps(answer)
        )

    def labelled(self, item: Mapping[str, Any]) -> dict[str, Any]:
        outcomes = dict(self.tasks[item["task"]].outcomes)
        if self.label:
            outcomes["lateness"] = self.label
        listed = [{"name": name, "value": value} for name, value in outcomes.items()]
        return {"task": item["task"], "steps": [], "outcomes": listed, "unclear": []}


def _material(text: str) -> Any:  # noqa: ANN401 - parsed JSON
    start = text.index(">", text.index('is="cases"')) + 1
    return json.loads(text[start : text.index("</data-", start)])


def test_what_is_understood_rightly_is_reported_in_numbers_and_asked_once(
    server: ModelServer, store: Path
) -> None:
    server.answer = Reader(store)
    before = sorted(path for path in (store / "fees" / "stages").rglob("*"))

    code, output = command("reread", "fees", *READER, "--tasks", 6, "--store", store)

    assert code == 0
    assert "labels: 6 of 6 tasks agree (95 % interval: 61 to 100 %), on 2 of 2 paths" in output
    assert "rules: 4 compared, from 2 passages" in output
    assert len(server.seen) == 4  # two questions of tasks, two steps

    code, again = command("reread", FEES, *READER, "--tasks", 6, "--store", store)
    assert (code, again, len(server.seen)) == (0, output, 4)
    events = events_in(store / "fees" / "calls.jsonl")
    assert {event["stage"] for event in events if "stage" in event} == {"reread"}
    assert "reread" in command("status", "--cost", "fees", "--store", store)[1]
    assert sorted(path for path in (store / "fees" / "stages").rglob("*")) == before


def test_what_is_read_differently_ends_with_1_and_is_reported_as_json(
    server: ModelServer, store: Path
) -> None:
    server.answer = Reader(store, ("days_late <= 3", "days_late < 3"), label="charged")

    code, output = command(
        "reread", "fees", "--model", "anthropic:another", "--tasks", 4, "--json", "--store", store
    )

    report = json.loads(output)
    assert code == 1
    assert report["domain"] == "fees"
    text = (store / "fees" / "stages" / "sop" / "0001" / "files" / "sop.txt").read_bytes()
    assert report["sop_sha256"] == sha256(text).hexdigest()
    assert report["agreement"]["asked"] == 4
    assert report["agreement"]["right"] == 4 - len(
        [item for item in report["findings"] if item["id"] == "reread-label"]
    )
    (rule,) = [item for item in report["findings"] if item["id"] != "reread-label"]
    assert (rule["id"], rule["evidence"]) == ("reread-differs", "kind = Book, days_late = 3")
    assert report["own_paragraphs"] == []


def test_before_there_are_tasks_the_rules_are_read_alone(
    server: ModelServer, tmp_path: Path
) -> None:
    assert command("generate", FEES, "--store", tmp_path)[0] == 3
    with pytest.raises(MaterialError, match="sop-not-made"):
        command("reread", "fees", *READER, "--store", tmp_path)
    assert command("approve", "fees", "schema", "--by", "me", "--store", tmp_path)[0] == 0
    assert command("generate", FEES, "--store", tmp_path)[0] == 3
    server.answer = Reader(tmp_path)

    code, output = command("reread", "fees", *READER, "--store", tmp_path)

    assert code == 0
    assert "labels: none" in output
    assert len(server.seen) == 2


def test_an_sop_is_compared_with_the_model_that_it_was_made_from(
    server: ModelServer, store: Path, tmp_path: Path
) -> None:
    server.answer = Reader(store)
    changed = tmp_path / "fees.yaml"
    text = FEES.read_text(encoding="utf-8").replace("value: 3,", "value: 4,")
    changed.write_text(text, encoding="utf-8")
    assert command("generate", changed, "--store", store)[0] == 3

    code, output = command("reread", "fees", *READER, "--tasks", 0, "--store", store)

    assert (code, "rules: 4 compared" in output) == (0, True)
    assert command("generate", FEES, "--approve-clean", "--store", store)[0] == 0


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param((), "reader-missing", id="an offline author"),
        pytest.param(("--model", "claude"), "reader-malformed", id="no provider"),
        pytest.param(("--model", "oracle:x"), "reader-malformed", id="no such provider"),
        pytest.param(("--model", "bedrock:"), "reader-malformed", id="no model"),
    ],
)
def test_who_reads_must_be_named(store: Path, arguments: tuple[str, ...], code: str) -> None:
    with pytest.raises(MaterialError, match=code):
        command("reread", "fees", *arguments, "--store", store)


def test_a_name_of_no_domain_and_a_brief_that_is_not_there_are_refused(store: Path) -> None:
    with pytest.raises(MaterialError, match="unknown-domain"):
        command("reread", "fines", *READER, "--store", store)
    with pytest.raises(MaterialError, match="brief-not-found"):
        command("reread", "fines.yaml", *READER, "--store", store)


def test_an_outage_loses_no_answer_and_a_budget_is_kept(server: ModelServer, store: Path) -> None:
    reader = ("reread", "fees", "--model", "anthropic:third", "--tasks", 1, "--store", store)
    right = Reader(store)
    server.answer = lambda seen: right(seen) if len(server.seen) < 3 else Fail(401, "who are you")
    with pytest.raises(ProviderError, match="model-key-refused"):
        command(*reader)
    with pytest.raises((ProviderError, MaterialError, StoreError), match="price-unknown"):
        command(*reader, "--budget", Decimal(1))

    server.answer = right
    asked = len(server.seen)
    assert command(*reader)[0] == 0
    assert len(server.seen) == asked + 1
