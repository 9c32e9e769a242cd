"""A model author over real HTTP: whatever goes wrong, nothing is paid for twice."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sopforge.authors.providers.ledger import reconcile
from sopforge.authors.providers.settings import Settings
from sopforge.authors.writers.model_author import ModelAuthor
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.authors.writers.provider_asking import ProviderAsking
from sopforge.cli.app import app
from sopforge.errors import MaterialError, ProviderError
from sopforge.language.domain.reading import Brief, read_brief, read_domain
from sopforge.pipeline.releases.rebuilding.derivation import check_derivation
from sopforge.pipeline.releases.rebuilding.rebuild import check_rebuilding
from sopforge.store.backends.folder import FolderObjects
from tests.servers.model_server import (
    Act,
    Break,
    Fail,
    Html,
    ModelServer,
    Reset,
    Say,
    Seen,
)
from tests.unit.authors.test_model_author import FEES, PLAYERS, brief_of
from tests.unit.authors.writing import test_rows as rows
from tests.worlds.providers import SECRET, asked_at_once, events_in

TEMPLATES = {
    "WrittenModel": "domain_model",
    "WrittenSections": "sop_section",
    "ApiSummaries": "api_texts",
    "ToolSummaries": "toolspec_texts",
    "WrittenModule": "tool_code",
    "WrittenNames": "trade_names",
}

# What a run overcomes by itself, and what ends it with a message.
PASSING: Mapping[str, Act] = {
    "429": Fail(429, "slow down"),
    "529": Fail(529, "overloaded"),
    "500": Fail(500),
    "reset": Reset(),
    "cut": Break("end"),
    "a page": Html(),
    "malformed": Say("not JSON at all"),
    "out of form": Say('{"something": "else"}'),
    "truncated": Say('{"lines": [', stop="length"),
}
FINAL: Mapping[str, tuple[Act, str]] = {
    "401": (Fail(401, "who are you"), "model-key-refused"),
    "403": (Fail(403, "not for you"), "model-access-denied"),
    "404": (Fail(404, "no such model"), "model-unknown"),
    "refused": (Say("", stop="refusal"), "completion-refused"),
}


def answered(seen: Seen) -> Act:
    """Answer by the form that is asked for."""
    title = seen.body["output_config"]["format"]["schema"]["title"]
    values = {"business_task": ""}
    return Say(json.dumps(PLAYERS[TEMPLATES[title]](values)))


@pytest.fixture(scope="module")
def running() -> Iterator[ModelServer]:
    with pytest.MonkeyPatch.context() as patch, asked_at_once(patch) as server:
        server.answer = answered
        yield server


@pytest.fixture
def server(running: ModelServer) -> ModelServer:
    running.script.clear()
    running.seen.clear()
    running.answer = answered
    running.pause, running.most_open = 0, 0
    return running


def written(store: Path) -> list[str]:
    """Return what a model author writes, stage by stage; raises as its provider does."""
    brief = brief_of()
    asking = ProviderAsking(brief.parts.writer, FolderObjects(store), "fees", Settings())
    author, model = ModelAuthor(brief.parts.writer, asking), read_domain(_domain(), "domain.yaml")
    return [
        writes(author.choose_stage_author(name, ()), model, brief)
        for name, writes in _WRITES.items()
    ]


@cache
def _domain() -> str:
    return OfflineAuthor().write_domain(read_brief(FEES, "fees.yaml"))


_WRITES: Mapping[str, Callable[[Any, Any, Brief], str]] = {
    "schema": lambda author, _, brief: str(author.write_domain(brief)),
    "sop": lambda author, model, brief: str(author.write_sop(model, brief).as_text()),
    "api": lambda author, model, _: str(author.write_openapi(model, ())),
    "tools": lambda author, model, _: str(author.write_tools(model)),
}


def failing_at(server: ModelServer, place: int, act: Act) -> None:
    """Have the question at a place answered by an act, and all others rightly."""
    numbers = count()
    server.seen.clear()
    server.answer = lambda seen: act if next(numbers) == place else answered(seen)


@pytest.fixture(scope="module")
def undisturbed(
    running: ModelServer, tmp_path_factory: pytest.TempPathFactory
) -> tuple[list[str], int]:
    """Return what is written when nothing goes wrong, and the number of calls."""
    running.seen.clear()
    return written(tmp_path_factory.mktemp("store")), len(running.seen)


def is_reconciled(store: Path) -> bool:
    """Return whether every call that was begun has its end in the ledger."""
    counts = reconcile(events_in(store / "fees" / "calls.jsonl"))
    ended = counts.answers + counts.rejects + counts.failures
    return counts.interrupted == 0 and counts.calls == ended


@pytest.mark.parametrize("act", PASSING.values(), ids=PASSING)
def test_a_passing_failure_costs_one_call_more(
    server: ModelServer, undisturbed: tuple[list[str], int], tmp_path: Path, act: Act
) -> None:
    wanted, calls = undisturbed
    for place in range(calls):
        store = tmp_path / str(place)
        failing_at(server, place, act)

        assert written(store) == wanted
        assert len(server.seen) == calls + 1
        assert written(store) == wanted
        assert len(server.seen) == calls + 1
        assert is_reconciled(store)


@pytest.mark.parametrize(("act", "code"), FINAL.values(), ids=FINAL)
def test_a_final_failure_ends_clearly_and_is_resumed_from_there(
    server: ModelServer, undisturbed: tuple[list[str], int], tmp_path: Path, act: Act, code: str
) -> None:
    wanted, calls = undisturbed
    for place in range(calls):
        store = tmp_path / str(place)
        failing_at(server, place, act)

        with pytest.raises(ProviderError) as caught:
            written(store)
        assert caught.value.faults[0].code == code
        assert SECRET not in str(caught.value)
        assert len(server.seen) == place + 1

        if code == "completion-refused":
            continue  # It is on record, and reported again without being paid for.
        assert written(store) == wanted
        assert len(server.seen) == calls + 1
        assert is_reconciled(store)


@pytest.fixture
def apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have each section of the SOP asked for by itself: three questions."""
    monkeypatch.setattr("sopforge.authors.writers.writing.sop.ROOM", 1)


def write_sop(store: Path, concurrency: int, budget: Decimal | None = None) -> str:
    brief = brief_of(author={"name": "anthropic", "model": "claude-opus-5-5"})
    settings = Settings(concurrency=concurrency, budget=budget)
    asking = ProviderAsking(brief.parts.writer, FolderObjects(store), "fees", settings)
    author = ModelAuthor(brief.parts.writer, asking).choose_stage_author("sop", ())
    return author.write_sop(read_domain(_domain(), "domain.yaml"), brief).as_text()


@pytest.mark.usefixtures("apart")
def test_questions_of_a_stage_are_open_at_once_and_make_the_same(
    server: ModelServer, tmp_path: Path
) -> None:
    server.pause = 0.3
    together = write_sop(tmp_path / "together", 4)
    assert (len(server.seen), server.most_open) == (3, 3)
    server.most_open = 0
    assert write_sop(tmp_path / "one by one", 1) == together
    assert server.most_open == 1
    assert is_reconciled(tmp_path / "together")


@pytest.mark.usefixtures("apart")
def test_an_error_in_one_question_keeps_the_answers_of_the_others(
    server: ModelServer, tmp_path: Path
) -> None:
    server.pause = 0.3
    failing_at(server, 1, Fail(403, "not for you"))
    with pytest.raises(ProviderError):
        write_sop(tmp_path, 4)
    assert len(server.seen) == 3
    assert is_reconciled(tmp_path)

    server.answer = answered
    write_sop(tmp_path, 4)
    assert len(server.seen) == 4


@pytest.mark.usefixtures("apart")
def test_a_budget_for_one_question_at_a_time_is_enough(server: ModelServer, tmp_path: Path) -> None:
    server.pause = 0.1
    # A question may cost up to 0.30, by its room for an answer, and costs 0.0006.
    write_sop(tmp_path, 4, Decimal("0.40"))
    assert (len(server.seen), server.most_open) == (3, 1)


def command(*arguments: object) -> tuple[int, str]:
    done = CliRunner().invoke(app, [str(item) for item in arguments])
    return done.exit_code, done.output


def command_error(*arguments: str) -> BaseException | None:
    return CliRunner().invoke(app, list(arguments)).exception


def test_from_prose_to_a_package_that_passes_its_audit(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.answer = answered
    brief, store = tmp_path / "fees.yaml", tmp_path / "store"
    brief.write_text(brief_of(complexity={"levels": ["L0"]}).text, encoding="utf-8")
    monkeypatch.setenv("SOPFORGE_STORE", str(store))

    code, output = command("plan", "--preview", brief)
    assert (code, "model calls still to be made" in output, "case 5" in output) == (0, True, True)
    looked = len(server.seen)
    code, _ = command("generate", brief, "--approve-clean")
    assert code == 0
    asked = len(server.seen)
    assert command("publish", "fees")[0] == 0
    assert command("generate", brief, "--approve-clean")[0] == 0
    assert len(server.seen) == asked

    code, output = command("status", "--cost", "fees")
    assert code == 0
    assert f"{asked} calls: {asked} answers, 0 rejects, 0 failures, 0 cut off" in output
    assert looked == 2  # the domain, and the sections of one question
    assert isinstance(command_error("status", "--cost", "feess"), MaterialError)
    release = store / "fees" / "releases" / "1.0.0"
    code, output = command("check", release)
    assert (code, "not-rebuilt" in output) == (0, True)
    # The summary agrees with the note.
    assert "made again from its brief" not in output
    assert "the package was not rebuilt (see the note above)." in output
    assert command("run-oracle", release / "fees")[0] == 0
    kept = [path for path in store.rglob("*") if path.is_file()]
    assert not [path for path in kept if SECRET.encode() in path.read_bytes()]


def test_a_run_shows_what_it_asks_and_a_preview_what_is_left_to_ask(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lie, numbers = "After 17 days the fee doubles.", count()
    monkeypatch.setenv("SOPFORGE_STORE", str(tmp_path / "store"))

    def lying_once(seen: Seen) -> Act:
        if next(numbers) != 1:
            return answered(seen)
        part = {"section": 6, "insertions": [{"after": 1, "text": lie}]}
        return Say(json.dumps({"sections": [part]}))

    server.answer = lying_once
    author = {"name": "anthropic", "model": "claude-opus-5-5", "rounds": 2}
    brief = tmp_path / "fees.yaml"
    brief.write_text(brief_of(author=author, complexity={"levels": ["L0"]}).text, encoding="utf-8")

    code, output = command("generate", brief, "--approve-clean")
    lines = output.splitlines()
    stages = [line for line in lines if line[2:5].endswith("/7")]
    schema, sop, dataset = stages[:3]
    assert (code, len(stages)) == (0, 7)
    assert lines[lines.index(sop) - 1] == "  sop: 2 errors go back, round 1 of 2"
    # 100 tokens in and 10 out at 4 and 20 dollars per million are 0.0006.
    assert schema.endswith("; 1 call, 100 tokens in, 10 out, $0.0006")
    assert "call" not in dataset

    code, output = command("plan", "--preview", brief)
    assert "This preview: 2 from record, $0." in output
    [left] = [line.split() for line in output.splitlines() if line.startswith("together")]
    assert left == ["together", "0", str(len(server.seen) - 2), "0", "0", "0.00"]

    code, output = command("status", "--cost", "fees")
    [sums] = [line.split() for line in output.splitlines() if line.startswith("sop")][:1]
    # calls, answers, rejects, failures, cut off, open, repairs, from record
    calls = str(len(server.seen) - 4)
    assert sums == ["sop", calls, calls, "0", "0", "0", "0", "1", "1"]


def test_a_preview_shows_the_errors_of_its_section_first_and_exits_with_1(
    server: ModelServer, tmp_path: Path
) -> None:
    lie, numbers = "After 17 days the fee doubles.", count()
    part = {"section": 6, "insertions": [{"after": 1, "text": lie}]}
    lying = Say(json.dumps({"sections": [part]}))
    server.answer = lambda seen: lying if next(numbers) else answered(seen)
    brief = tmp_path / "fees.yaml"
    brief.write_text(brief_of(complexity={"levels": ["L0"]}).text, encoding="utf-8")

    code, output = command("plan", "--preview", brief, "--store", tmp_path / "store")

    assert code == 1
    assert output.index("  error ") < output.index("case 1") < output.rindex(lie)
    assert "The section has errors; 'generate' sends them back to the model." in output
    done = CliRunner().invoke(
        app, ["plan", "--preview", str(brief), "--store", str(tmp_path / "store"), "--json"]
    )
    value = json.loads(done.stdout)
    assert (done.exit_code, len(value["cases"]), len(value["reasons"])) == (1, 5, 5)
    assert any(item["severity"] == "error" for item in value["findings"])
    for case, reason in zip(value["cases"], value["reasons"], strict=True):
        assert reason["because"]
        assert reason["facts"]["kind"] == case["kind"]


def test_a_preview_shows_how_to_give_a_price(server: ModelServer, tmp_path: Path) -> None:
    server.answer = answered
    brief, prices = tmp_path / "fees.yaml", tmp_path / "prices.yaml"
    brief.write_text(brief_of().text, encoding="utf-8")

    code, output = command("plan", "--preview", brief, "--store", tmp_path)
    assert (code, "unknown" in output) == (0, True)
    form = output[output.index("format: 1\nprices:") :]
    prices.write_text(form.replace("?", "10"), encoding="utf-8")

    code, output = command("plan", "--preview", brief, "--store", tmp_path, "--prices", prices)
    assert (code, "unknown" in output) == (0, False)


def test_a_call_is_open_while_it_is_answered_and_has_its_end_afterwards(
    server: ModelServer, tmp_path: Path
) -> None:
    shown: list[str] = []

    def looking(seen: Seen) -> Act:
        shown.append(command("status", "--cost", "fees", "--store", tmp_path)[1])
        return answered(seen)

    server.answer = looking
    written(tmp_path)

    assert "1 calls: 0 answers, 0 rejects, 0 failures, 0 cut off, 1 open" in shown[0]
    assert "Open calls are being answered now" in shown[0]
    assert "2 calls: 1 answers, 0 rejects, 0 failures, 0 cut off, 1 open" in shown[1]
    last = command("status", "--cost", "fees", "--store", tmp_path)[1]
    assert f"{len(shown)} calls: {len(shown)} answers" in last
    assert "open calls" not in last.lower()


def test_a_run_that_met_its_budget_goes_on_with_another_one(
    server: ModelServer, tmp_path: Path
) -> None:
    author = {"name": "anthropic", "model": "claude-opus-5-5"}
    brief = tmp_path / "fees.yaml"
    brief.write_text(brief_of(author=author, complexity={"levels": ["L0"]}).text, encoding="utf-8")
    place = ("--store", str(tmp_path / "store"))
    refused = command_error("generate", str(brief), "--approve-clean", "--budget=0.01", *place)
    assert isinstance(refused, ProviderError)
    assert refused.faults[0].code == "budget-reached"
    # Without an option it goes on with what is left, which is too little still.
    again = command_error("continue", "fees", *place)
    assert isinstance(again, ProviderError)
    assert again.faults[0].code == "budget-reached"
    assert server.seen == []

    code, output = command("continue", "fees", "--budget=20", *place)

    assert (code, "7/7 complexity" in output) == (0, True)
    kept = json.loads((tmp_path / "store" / "fees" / "last_run.json").read_text("utf-8"))
    assert kept["settings"]["budget"] == "20"
    assert kept["settings"]["approve_clean"] is True


def cases(seen: Seen) -> Act:
    """Answer a question for rows with cases of the paths that are asked for."""
    content = seen.body["messages"][0]["content"]
    text = content if isinstance(content, str) else "".join(block["text"] for block in content)
    fenced = text.split(' is="paths">')[1].split("</data-")[0]
    asked = {"paths": json.loads(fenced), "existing": [], "rejected": [], "feedback": []}
    return Say(json.dumps(rows.by_path(rows.sound)(asked)))


def test_a_package_with_written_rows_is_made_again_from_them(
    server: ModelServer, tmp_path: Path
) -> None:
    server.answer = cases
    brief, store = tmp_path / "fees.yaml", tmp_path / "store"
    brief.write_text(rows.BRIEF.replace("model: played", "model: claude-test-1"), encoding="utf-8")

    assert command("generate", brief, "--approve-clean", "--store", store)[0] == 0
    asked = len(server.seen)
    assert asked == 1
    assert command("generate", brief, "--approve-clean", "--store", store)[0] == 0
    assert command("publish", "fees", "--store", store)[0] == 0
    assert len(server.seen) == asked

    release = store / "fees" / "releases" / "1.0.0"
    for package in (release / "fees", release / "fees_l3"):
        assert (package / "grader" / "rows_asked.json").is_file()
        assert check_rebuilding(package) == []
        assert check_derivation(package) == []
    assert command("check", release)[0] == 0

    kept = release / "fees" / "grader" / "rows_asked.json"
    kept.write_text(kept.read_text().replace('"days_late": "20"', '"days_late": "50"'))
    assert "row-not-sound" in {item.id for item in check_rebuilding(release / "fees")}
