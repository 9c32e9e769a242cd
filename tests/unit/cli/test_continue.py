"""``sopforge continue``, and what the commands that decide say of the next run."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sopforge.cli.app import app
from sopforge.cli.running import continuing
from sopforge.errors import ContinuationError, Fault
from sopforge.pipeline.runs.continuing import Due
from sopforge.store.last_run import load_last_run
from sopforge.store.opening import open_store

REFUND = Path(__file__).parents[2] / "briefs" / "refund.yaml"


@dataclass
class Starting:
    """Stands in for a scheduler: notes what it is to start, or refuses."""

    is_down: bool = False
    asked: list[tuple[str, Due]] = field(default_factory=list)

    def start(self, place: str, due: Due) -> str:
        if self.is_down:
            raise ContinuationError(Fault("run-not-started", "no answer", "server", "start it"))
        self.asked.append((place, due))
        return f"run {len(self.asked)}"


@pytest.fixture(autouse=True)
def no_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOPFORGE_CONTINUE", raising=False)
    monkeypatch.delenv("PREFECT_API_URL", raising=False)


@pytest.fixture
def scheduler(monkeypatch: pytest.MonkeyPatch) -> Starting:
    """Return what starts runs where SOPFORGE_CONTINUE is set."""
    starting = Starting()
    monkeypatch.setenv("SOPFORGE_CONTINUE", "prefect")
    monkeypatch.setattr("flows.starting.PrefectContinuation", lambda: starting)
    return starting


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Return a store with two domains that wait at their first gates."""
    for domain in ("refund", "returns"):
        brief = tmp_path / f"{domain}.yaml"
        text = REFUND.read_text(encoding="utf-8")
        brief.write_text(text.replace("domain: refund", f"domain: {domain}", 1), encoding="utf-8")
        said(tmp_path / "store", "generate", str(brief))
    return tmp_path / "store"


def said(store: Path, *arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, [*arguments, "--store", str(store)])
    assert not isinstance(result.exception, Exception), result.exception
    return result.exit_code, result.output


def approve(store: Path, domain: str = "refund", *more: str) -> str:
    code, output = said(store, "approve", domain, "schema", "--by", "ada", *more)
    assert code == 0
    return output


def test_without_a_scheduler_a_decision_is_followed_by_the_command_that_goes_on(
    store: Path,
) -> None:
    line = f"Continue with: sopforge continue refund --store {store}"
    assert approve(store).splitlines()[-1] == line
    assert said(store, "continue", "refund")[0] == 3
    taken_back = said(store, "withdraw", "refund", "schema")
    assert taken_back[1].splitlines()[-1] == line


def test_after_the_last_approval_comes_publishing(store: Path) -> None:
    for stage in ("schema", "sop", "dataset", "api", "toolspec", "tools"):
        said(store, "approve", "refund", stage)
        said(store, "continue", "refund")
    _, output = said(store, "approve", "refund", "complexity")
    assert output.splitlines()[-1] == f"Next: sopforge publish refund --store {store}"


def test_those_with_something_to_do_are_listed(store: Path) -> None:
    assert said(store, "continue") == (0, "No domain can continue.\n")
    approve(store, "returns")
    code, output = said(store, "continue")
    assert code == 0
    assert output.splitlines() == [
        "returns: can continue after schema, approve by ada",
        f"Continue with: sopforge continue --all --store {store}",
    ]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_all_with_something_to_do_go_on_here(store: Path, jobs: str) -> None:
    for domain in ("refund", "returns"):
        approve(store, domain)
    code, output = said(store, "continue", "--all", "--jobs", jobs)
    assert code == 3
    digests = [
        open_store(store).get_domain(domain).list_versions("sop")[0].manifest.content[:12]
        for domain in ("refund", "returns")
    ]
    assert sorted(output.splitlines()) == [
        f"refund: sop version 1 {digests[0]} waits at its gate",
        f"returns: sop version 1 {digests[1]} waits at its gate",
    ]
    assert said(store, "continue", "--all") == (0, "No domain can continue.\n")


def test_programs_receive_what_there_is_to_do_and_how_each_run_ended(store: Path) -> None:
    assert said(store, "continue", "--json") == (0, "[]\n")
    approve(store, "returns")
    due = {"domain": "returns", "after": "schema, approve by ada"}
    assert json.loads(said(store, "continue", "--json")[1]) == [due]

    [ended] = json.loads(values(store, "continue", "--all", "--json"))
    again = json.loads(values(store, "continue", "returns", "--json"))

    assert ended == {**again, "stages": ended["stages"]}
    assert [item["is_built"] for item in ended["stages"]] == [False, True]
    assert (ended["stopped_at"], ended["exit_code"]) == ("sop", 3)
    assert ended["next"]["go_on"] == f"sopforge continue returns --store {store}"


def test_programs_receive_the_runs_that_a_scheduler_starts(
    store: Path, scheduler: Starting
) -> None:
    approve(store, "returns", "--continue", "no")
    started = {"domain": "returns", "message": "run 1", "faults": []}
    assert json.loads(values(store, "continue", "--all", "--json")) == [started]
    assert json.loads(values(store, "continue", "returns", "--json")) == [
        {**started, "message": "run 2"}
    ]
    assert len(scheduler.asked) == 2


def values(store: Path, *arguments: str) -> str:
    """Return what is printed for programs."""
    return CliRunner().invoke(app, [*arguments, "--store", str(store)]).stdout


def test_a_domain_with_a_fault_is_reported_and_stops_no_other(store: Path) -> None:
    approve(store, "returns")
    (store / "refund" / "last_run.json").write_text("[]")
    code, output = said(store, "continue", "--all")
    assert code == 2
    assert "seal-broken" in output
    assert "returns: sop version 1" in output


def test_a_domain_and_all_are_not_both_meant(store: Path) -> None:
    result = CliRunner().invoke(app, ["continue", "refund", "--all", "--store", str(store)])
    assert "domain-and-all" in str(result.exception)


def test_a_domain_goes_on_as_its_last_run_was_asked_for(store: Path) -> None:
    brief = store.parent / "refund.yaml"
    said(store, "generate", str(brief), "--approve-clean", "--budget", "3")
    said(store, "continue", "refund")
    settings = load_last_run(open_store(store).get_domain("refund")).settings
    assert (settings.approve_clean, str(settings.budget)) == (True, "3")


def test_a_decision_starts_a_run_of_the_store_by_its_whole_path(
    store: Path, scheduler: Starting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(store.parent)
    result = CliRunner().invoke(app, ["approve", "refund", "schema", "--store", "store"])
    assert result.output.splitlines()[-1] == "The next run: run 1"
    [(place, due)] = scheduler.asked
    assert (place, due.domain) == (str(store), "refund")


def test_a_first_of_two_approvals_and_a_rejection_start_nothing(
    tmp_path: Path, scheduler: Starting
) -> None:
    brief, store = tmp_path / "refund.yaml", tmp_path / "store"
    text = REFUND.read_text(encoding="utf-8") + "gates: {approvers: {schema: 2}}\n"
    brief.write_text(text, encoding="utf-8")
    said(store, "generate", str(brief))
    assert approve(store).splitlines()[-1] == "1 more person must approve it."
    said(store, "reject", "refund", "schema", "--by", "bob")
    assert scheduler.asked == []


def test_a_run_that_cannot_be_started_leaves_the_decision_and_says_who_goes_on(
    store: Path, scheduler: Starting
) -> None:
    scheduler.is_down = True
    output = approve(store)
    assert "ada approved refund schema" in output
    assert "run-not-started: server: no answer" in output
    assert f"sopforge continue --all --store {store}" in output
    assert said(store, "continue", "--all")[0] == 2

    scheduler.is_down = False
    assert said(store, "continue", "--all") == (0, "refund: run 1\n")
    assert said(store, "continue", "refund") == (0, "refund: run 2\n")
    [first, second] = [due.key for _, due in scheduler.asked]
    assert first == second


def test_prefect_without_a_server_is_refused_in_words(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREFECT_HOME", str(store.parent / "prefect"))
    # Slow to import, and read from the environment then. Other tests may have a server of theirs.
    from prefect.settings import PREFECT_API_URL, temporary_settings

    with temporary_settings(restore_defaults={PREFECT_API_URL}):
        output = approve(store, "refund", "--continue", "prefect")
    assert "run-not-started: PREFECT_API_URL: no Prefect server is named" in output
    assert continuing.choose_continuation(continuing.Starter.NOBODY) is None


def test_who_goes_on_may_approve_by_policy_and_is_reported_as_such(store: Path) -> None:
    approve(store)

    code, output = said(store, "continue", "refund", "--approve-clean")

    assert code == 0
    lines = output.splitlines()
    assert lines[1].endswith("no findings, approved by ada")
    assert all(line.endswith("no findings, approved by policy") for line in lines[2:8])
    assert load_last_run(open_store(store).get_domain("refund")).settings.approve_clean


def test_what_a_policy_lets_pass_is_shown_in_full_and_once(tmp_path: Path) -> None:
    brief, text = tmp_path / "refund.yaml", REFUND.read_text(encoding="utf-8")
    unread = "    spare: {value: 5, unit: days, meaning: days that nothing reads}\n"
    text = text.replace("  policy:\n", f"  policy:\n{unread}", 1)
    # So few tasks do not cover every goal: a note says that more are made.
    brief.write_text(text.replace("n_samples: 12", "n_samples: 6"), encoding="utf-8")

    passed, again = (
        said(tmp_path / "store", "generate", str(brief), "--approve-clean")[1] for _ in range(2)
    )

    shown = passed.partition("Approved by policy with these warnings:\n")[2].splitlines()
    assert shown[0].startswith("  warning policy-not-used: no rule reads the constant 'spare'")
    assert shown[1].startswith("    hint: ")
    assert passed.count("warning policy-not-used") == 1
    assert "Read the notes on the dataset with: sopforge show refund dataset" in passed
    assert "Read the notes" not in again
    assert "Approved by policy with" not in again


def test_all_may_go_on_by_policy(store: Path) -> None:
    for domain in ("refund", "returns"):
        approve(store, domain)

    ended = json.loads(values(store, "continue", "--all", "--approve-clean", "--json"))

    assert [run["ending"] for run in ended] == ["Approved", "Approved"]
    descriptions = {stage["description"] for run in ended for stage in run["stages"][1:]}
    assert descriptions == {"approved by policy"}


def test_a_budget_that_is_given_holds_for_each_run_that_goes_on(
    store: Path, scheduler: Starting
) -> None:
    said(store, "approve", "refund", "schema")
    plain = scheduler.asked[-1][1]

    assert said(store, "continue", "refund", "--budget", "7.50")[0] == 0
    assert said(store, "continue", "--all", "--budget", "2")[0] == 0
    said(store, "continue", "refund", "--approve-clean")

    one, swept, clean = (due for _, due in scheduler.asked[-3:])
    assert (plain.settings.approve_clean, clean.settings.approve_clean) == (False, True)
    assert (plain.settings.budget, one.settings.budget) == (None, Decimal("7.50"))
    assert swept.settings.budget == Decimal(2)
    # A run of its own: the one that was started plainly does not keep it from starting.
    assert len({plain.key, one.key, swept.key, clean.key}) == 4
