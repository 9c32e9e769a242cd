"""A log gets a line every few seconds, a terminal one view; what programs read stays as it is."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from sopforge.cli.app import app
from sopforge.cli.screens import work_view
from sopforge.cli.screens.work_view import LINE_SECONDS, read_line_seconds, show_work
from sopforge.errors import MaterialError
from sopforge.progress.describing import Reporter
from sopforge.progress.tracking import enter_step, track
from sopforge.stages.building import version as building
from sopforge.stages.building.orders import Order
from sopforge.store.versions import Store, Version
from tests.conftest import Released

REFUND = Path(__file__).parents[3] / "briefs" / "refund.yaml"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Return the clock by which lines come."""
    made = Clock()
    monkeypatch.setattr(work_view, "Reporter", partial(Reporter, clock=made))
    monkeypatch.delenv("SOPFORGE_PROGRESS", raising=False)
    return made


@pytest.fixture
def slow_stage(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    """Let the stage sop go through 40 sections of half a second each."""
    build = building.build_and_store_version

    def write(count: int) -> Iterator[int]:
        for number in range(count):
            yield number
            clock.now += 0.5

    def slowly(store: Store, order: Order) -> Version:
        if order.stage.name == "sop":
            with enter_step("sop"):
                list(track(write(40), "sections", 40))
        return build(store, order)

    monkeypatch.setattr(building, "build_and_store_version", slowly)


LINES = [
    "  sop: sections 10 of 40, about 15 s left",
    "  sop: sections 20 of 40, about 10 s left",
    "  sop: sections 30 of 40, about 5 s left",
]


def generate(place: Path, *options: str) -> Result:
    words = ["generate", str(REFUND), "--approve-clean", "--store", str(place), *options]
    return CliRunner().invoke(app, words)


@pytest.mark.usefixtures("slow_stage")
def test_a_slow_stage_has_its_lines_in_a_log_and_a_quick_one_has_none(tmp_path: Path) -> None:
    done = generate(tmp_path)
    assert done.exit_code == 0, done.output
    assert done.stderr.splitlines() == [*LINES, "  sop"]
    said = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("  ")]
    assert said == ["schema", "sop", "dataset", "api", "toolspec", "tools", "complexity"]


@pytest.mark.usefixtures("slow_stage")
def test_a_result_for_programs_is_one_value_all_the_same(tmp_path: Path) -> None:
    done = generate(tmp_path, "--json")
    assert json.loads(done.stdout)["ending"] == "Approved"
    assert [line for line in done.stderr.splitlines() if "sections" in line] == LINES


@pytest.mark.usefixtures("slow_stage")
def test_whoever_wants_no_lines_gets_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOPFORGE_PROGRESS", "0")
    assert generate(tmp_path).stderr == ""


@pytest.mark.usefixtures("slow_stage")
def test_of_several_runs_each_line_names_its_domain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOPFORGE_PROGRESS", "10")
    generate(tmp_path / "one")
    monkeypatch.setenv("SOPFORGE_PROGRESS", "")
    other = tmp_path / "fees.yaml"
    text = REFUND.read_text(encoding="utf-8").replace("domain: refund", "domain: fees")
    other.write_text(text, encoding="utf-8")
    words = ["generate", str(REFUND), str(other), "--approve-clean", "--store", str(tmp_path / "s")]
    done = CliRunner().invoke(app, [*words, "--jobs", "1"])
    assert [line for line in done.stderr.splitlines() if "sections" in line] == [
        f"{domain}: {line.strip()}" for domain in ("refund", "fees") for line in LINES
    ]


@pytest.mark.parametrize("said", ["often", "-1", "1.5", "99999"])
def test_a_number_of_seconds_that_is_none_is_refused(
    monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    monkeypatch.setenv("SOPFORGE_PROGRESS", said)
    with pytest.raises(MaterialError, match=f"SOPFORGE_PROGRESS: progress-not-a-number: '{said}'"):
        read_line_seconds()


def terminal() -> Console:
    return Console(file=io.StringIO(), force_terminal=True, width=100, color_system=None)


def test_a_terminal_shows_where_work_is_without_a_thread(clock: Clock) -> None:
    screen = terminal()
    threads = threading.active_count()
    with show_work(screen), enter_step("dataset"):
        # Beside another thread, work could not be shared out among processes.
        assert threading.active_count() == threads
        for _ in track(range(20), "goals"):
            clock.now += 0.5
    assert isinstance(screen.file, io.StringIO)
    shown = screen.file.getvalue()
    assert "dataset: goals 12 of 20, about 5 s left" in shown
    assert "dataset: goals 16 of 20, a few seconds left" in shown
    assert shown.endswith("\x1b[2K")  # the last thing done is to clear its line


def test_names_cannot_steer_a_terminal(clock: Clock) -> None:
    screen = terminal()
    with show_work(screen), enter_step("dataset\x1b]0;owned\x07"):
        clock.now += 1
    assert isinstance(screen.file, io.StringIO)
    assert "dataset]0;owned" in screen.file.getvalue()


class RunningClock(Clock):
    """A clock by which a line is due whenever work says where it is."""

    def __call__(self) -> float:
        self.now += LINE_SECONDS
        return self.now


@pytest.mark.parametrize(
    ("command", "line"),
    [
        pytest.param(
            ["check", "{package}", "--no-rebuild"],
            "  packages 0 of 1 (patient_intake): rules 1 of ",
            id="check",
        ),
        pytest.param(["verify", "{release}"], "  packages 1 of 4 (patient_intake_l1)", id="verify"),
        pytest.param(["check-model", "{brief}"], "  checks 1 of ", id="check-model"),
    ],
)
def test_commands_that_look_at_what_is_there_say_where_they_are(
    command: list[str], line: str, released: Released, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = Path(released.published.packages["L0"])
    places = {"package": package, "release": package.parent, "brief": REFUND}
    words = [word.format(**places) for word in command]
    quiet = CliRunner().invoke(app, words)
    monkeypatch.setattr(work_view, "Reporter", partial(Reporter, clock=RunningClock()))
    monkeypatch.setenv("SOPFORGE_PROGRESS", str(LINE_SECONDS))

    done = CliRunner().invoke(app, words)

    assert [said for said in done.stderr.splitlines() if said.startswith(line)] != []
    assert (quiet.stdout, quiet.exit_code) == (done.stdout, done.exit_code)
    assert quiet.stderr == ""
