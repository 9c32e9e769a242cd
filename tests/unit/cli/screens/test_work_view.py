"""Each command says within two seconds that it is at work; what programs read stays as it is."""

from __future__ import annotations

import io
import json
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

import sopforge.cli
from sopforge.cli import app as command_line
from sopforge.cli.app import app
from sopforge.cli.commands import PANELS
from sopforge.cli.output import ask
from sopforge.cli.screens import work_view
from sopforge.cli.screens.work_view import (
    LINE_SECONDS,
    Display,
    read_line_seconds,
    show_view,
    show_work,
)
from sopforge.errors import MaterialError
from sopforge.pipeline.stages.building import version as building
from sopforge.pipeline.stages.building.orders import Order
from sopforge.progress.tracking import Step, enter_step, track, wait_for_others
from sopforge.store.versions import DomainStore, Version
from tests.conftest import Released

REFUND = Path(__file__).parents[3] / "briefs" / "refund.yaml"


class Clock:
    """Shows what it is set to, and has whatever shows work look at it then."""

    def __init__(self) -> None:
        self.now = 0.0
        self.ticks: list[Callable[[], None]] = []

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += seconds
        for tick in self.ticks:
            tick()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Return the clock by which lines come."""
    made = Clock()

    class FakeTicker:
        def __init__(self, tick: Callable[[], None], _: float) -> None:
            self.tick = tick

        def __enter__(self) -> None:
            made.ticks.append(self.tick)

        def __exit__(self, *_: object) -> None:
            made.ticks.remove(self.tick)

    monkeypatch.setattr(work_view, "Display", partial(Display, clock=made))
    monkeypatch.setattr(work_view, "Ticker", FakeTicker)
    monkeypatch.delenv("SOPFORGE_PROGRESS", raising=False)
    return made


@pytest.fixture
def slow_stage(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    """Let the stage sop go through 40 sections of half a second each."""
    build = building.build_and_store_version

    def write(count: int) -> Iterator[int]:
        for number in range(count):
            yield number
            clock.wait(0.5)

    def slowly(domain: DomainStore, order: Order) -> Version:
        if order.stage.name == "sop":
            with enter_step("sop"):
                list(track(write(40), "sections", 40))
        return build(domain, order)

    monkeypatch.setattr(building, "build_and_store_version", slowly)


LINES = [
    "  sop: sections 3 of 40",
    "  sop: sections 13 of 40, about 15 s left",
    "  sop: sections 23 of 40, about 10 s left",
    "  sop: sections 33 of 40, about 5 s left",
]


def generate(place: Path, *options: str) -> Result:
    words = ["generate", str(REFUND), "--approve-clean", "--store", str(place), *options]
    return CliRunner().invoke(app, words)


@pytest.mark.usefixtures("slow_stage")
def test_a_slow_stage_has_its_lines_in_a_log_and_a_quick_one_has_none(tmp_path: Path) -> None:
    done = generate(tmp_path)
    assert done.exit_code == 0, done.output
    assert done.stderr.splitlines() == LINES
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
    other = tmp_path / "fees.yaml"
    text = REFUND.read_text(encoding="utf-8").replace("domain: refund", "domain: fees")
    other.write_text(text, encoding="utf-8")
    words = ["generate", str(REFUND), str(other), "--approve-clean", "--store", str(tmp_path / "s")]
    done = CliRunner().invoke(app, [*words, "--jobs", "1"])
    assert [line for line in done.stderr.splitlines() if "sections" in line] == [
        "refund: sop: sections 3 of 40",
        "refund: sop: sections 23 of 40, about 10 s left",
        "fees: sop: sections 3 of 40",
        "fees: sop: sections 23 of 40, about 10 s left",
    ]


@pytest.mark.parametrize("said", ["often", "-1", "1.5", "99999"])
def test_a_number_of_seconds_that_is_none_is_refused(
    monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    monkeypatch.setenv("SOPFORGE_PROGRESS", said)
    with pytest.raises(MaterialError, match=f"SOPFORGE_PROGRESS: progress-not-a-number: '{said}'"):
        read_line_seconds()


class Terminal(io.StringIO):
    """A stream that a person looks at."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Return what a person looks at."""
    monkeypatch.setenv("TERM", "xterm")
    return Terminal()


@contextmanager
def command_on(terminal: Terminal, name: str) -> Iterator[None]:
    """Be within a command whose outputs both go to a terminal."""
    with redirect_stdout(terminal), redirect_stderr(terminal), show_work(name):
        yield


CLEARED = "\x1b[2K"


def test_a_terminal_shows_where_work_is_and_clears_its_line(
    terminal: Terminal, clock: Clock
) -> None:
    with command_on(terminal, "generate"), enter_step("dataset"):
        for _ in track(range(20), "goals"):
            clock.wait(0.5)
    assert "dataset: goals 12 of 20, about 5 s left" in terminal.getvalue()
    assert terminal.getvalue().endswith(CLEARED)


def test_a_line_makes_room_for_what_is_printed_and_comes_again(
    terminal: Terminal, clock: Clock
) -> None:
    with command_on(terminal, "status"):
        clock.wait(2)
        before = terminal.getvalue()
        typer.echo("a result")
        printed = terminal.getvalue().removeprefix(before)
        clock.wait(0.25)
        assert terminal.getvalue() == before + printed
        clock.wait(0.5)
    assert before.rstrip().endswith("status: at work for 2 s\x1b[0m")
    assert printed.endswith(f"{CLEARED}a result\n")
    assert "status: at work for 2 s" in terminal.getvalue().removeprefix(before + printed)


def test_a_quick_command_shows_nothing_and_a_silent_one_shows_itself_within_two_seconds(
    terminal: Terminal, clock: Clock
) -> None:
    with command_on(terminal, "status"):
        clock.wait(1.25)
    assert terminal.getvalue() == ""
    with command_on(terminal, "status"):
        clock.wait(1.5)
    assert "status: at work for 1 s" in terminal.getvalue()


def test_names_cannot_steer_a_terminal(terminal: Terminal, clock: Clock) -> None:
    with command_on(terminal, "generate"), enter_step("dataset\x1b]0;owned\x07"):
        clock.wait(2)
    assert "dataset]0;owned" in terminal.getvalue()


def test_nothing_is_shown_over_a_question_to_a_person(
    terminal: Terminal, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Person(io.StringIO):
        def readline(self, _: int | None = -1) -> str:  # type: ignore[override]
            before = terminal.getvalue()
            clock.wait(60)
            assert terminal.getvalue() == before
            return "y\n"

    monkeypatch.setattr(sys, "stdin", Person())
    with command_on(terminal, "store"), enter_step("files"):
        clock.wait(2)
        assert ask("Delete this?")
        clock.wait(2)
    before, after = terminal.getvalue().split("Delete this? [y/N]: ")
    assert "files" in before
    assert before.endswith(CLEARED)
    assert "files" in after


def test_whoever_serves_clients_says_nothing_in_between(
    capsys: pytest.CaptureFixture[str], clock: Clock
) -> None:
    with show_work("mcp"), wait_for_others("clients"), enter_step("a request"):
        clock.wait(60)
    assert capsys.readouterr().err == ""


def test_a_part_in_which_nothing_is_counted_shows_that_time_goes_on(
    capsys: pytest.CaptureFixture[str], clock: Clock
) -> None:
    with show_work("generate"), enter_step("schema"):
        clock.wait(2)
        clock.wait(5)
    assert capsys.readouterr().err.splitlines() == [
        "  schema: at work for 2 s",
        "  schema: at work for 7 s",
    ]


def test_another_view_is_shown_as_long_as_it_is_asked_for(terminal: Terminal, clock: Clock) -> None:
    with command_on(terminal, "generate"):
        with show_view(lambda line: f"view of {line}") as is_shown, enter_step("sop"):
            clock.wait(2)
        clock.wait(1)
    assert is_shown
    assert "view of sop" in terminal.getvalue()
    assert "  generate: at work for 3 s" in terminal.getvalue()


def test_a_command_that_is_silent_for_two_seconds_says_that_it_works(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOPFORGE_PROGRESS")
    began, threads = time.monotonic(), threading.active_count()
    with show_work("status"):
        while not (said := capsys.readouterr().err) and time.monotonic() < began + 30:
            time.sleep(0.05)
    assert said == "  status: at work for 1 s\n"
    assert threading.active_count() == threads


def test_what_a_command_takes_to_start_is_part_of_its_silence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    display = Display("status", LINE_SECONDS, clock=lambda: 60.0, began=57.0)

    display.show_if_due()

    assert capsys.readouterr().err == "  status: at work for 3 s\n"


ALL = [command.words for commands in PANELS.values() for command in commands]


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_every_command_is_called_where_it_is_shown_that_it_works(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = []

    @contextmanager
    def note(name: str, _began: float | None) -> Iterator[None]:
        shown.append(name)
        yield

    monkeypatch.setattr(command_line, "show_work", note)
    assert CliRunner().invoke(app, [*words, "--help"]).exit_code == 0
    assert shown == [words[0]]


@pytest.mark.parametrize(
    ("command", "line"),
    [
        pytest.param(
            ["check", "{package}", "--no-rebuild"],
            "  packages 0 of 1 (patient_intake): rules 1 of ",
            id="check",
        ),
        pytest.param(["verify", "{release}"], "  packages 1 of 4 (patient_intake_l1)", id="verify"),
        pytest.param(["check", "{brief}"], "  checks 1 of ", id="brief"),
    ],
)
def test_commands_that_look_at_what_is_there_say_where_they_are(
    command: list[str],
    line: str,
    released: Released,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    package = Path(released.published.packages["L0"])
    places = {"package": package, "release": package.parent, "brief": REFUND}
    words = [word.format(**places) for word in command]
    monkeypatch.setenv("SOPFORGE_PROGRESS", "0")
    quiet = CliRunner().invoke(app, words)
    monkeypatch.delenv("SOPFORGE_PROGRESS")
    hear = Display.hear

    def hear_later(display: Display, steps: Sequence[Step]) -> None:
        hear(display, steps)
        clock.wait(LINE_SECONDS)

    monkeypatch.setattr(Display, "hear", hear_later)

    done = CliRunner().invoke(app, words)

    assert [said for said in done.stderr.splitlines() if said.startswith(line)] != []
    assert (quiet.stdout, quiet.exit_code) == (done.stdout, done.exit_code)
    assert quiet.stderr == ""


def test_only_the_one_who_asks_takes_the_view_away_first() -> None:
    """A question that a command put by itself was drawn over, and waited for an answer unseen."""
    cli = Path(sopforge.cli.__file__).parent
    asking = {
        path.relative_to(cli).as_posix()
        for path in cli.rglob("*.py")
        if re.search(
            r"\b(typer|click)\.(confirm|prompt|edit|getchar|pause)\(|\binput\(",
            path.read_text("utf-8"),
        )
    }
    known = {"output.py", "decide/review_user.py", "decide/edit.py"}
    assert asking == known
    assert all("wait_for_others(" in (cli / name).read_text("utf-8") for name in known)
