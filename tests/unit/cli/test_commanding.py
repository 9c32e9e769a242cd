"""A function becomes a command: its groups become options, and its one result is printed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from sopforge.cli import app as command_line
from sopforge.cli.commanding import make_command
from sopforge.cli.commands import OLD_NAMES
from sopforge.cli.output import Parts, Result, make_table

Size = Annotated[int, typer.Option("--size", help="How large.")]


@dataclass(frozen=True)
class Box:
    """A box."""

    name: Annotated[str, typer.Argument()]
    size: Size = 2


@dataclass(frozen=True)
class Lid:
    """A lid, as large as the box that it closes."""

    colour: Annotated[str, typer.Option("--colour")] = "grey"
    size: Size = 2


def pack(box: Box, lid: Lid, count: Annotated[int, typer.Option("--count")] = 1) -> Result:
    """Pack boxes."""
    made.clear()

    def lay_out() -> Parts:
        made.append("lines")
        yield make_table("boxes", ["name"], [(box.name, box.size)], ["size"])
        yield f"{count} boxes, {lid.colour} lids of size {lid.size}"

    def build_record() -> dict[str, object]:
        made.append("record")
        return {"name": box.name, "sizes": [box.size, lid.size], "count": count}

    return Result(build_record, lay_out(), code=count)


made: list[str] = []


@pytest.fixture
def boxes() -> typer.Typer:
    one = typer.Typer()
    one.command()(make_command(pack))
    return one


def test_groups_become_options_and_share_those_of_one_name(boxes: typer.Typer) -> None:
    done = CliRunner().invoke(boxes, ["tea", "--size", "5", "--json"])

    assert json.loads(done.stdout) == {"name": "tea", "sizes": [5, 5], "count": 1}
    assert (done.exit_code, made) == (1, ["record"])


def test_people_are_printed_lines_and_tables_and_no_record_is_built(boxes: typer.Typer) -> None:
    done = CliRunner().invoke(boxes, ["tea", "--count", "3", "--colour", "[red]"])

    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[:3] == [["boxes"], ["name", "size"], ["tea", "2"]]
    assert done.stdout.endswith("3 boxes, [red] lids of size 2\n")
    assert (done.exit_code, made) == (3, ["lines"])


@pytest.mark.parametrize(("old", "new"), OLD_NAMES.items())
def test_an_old_name_does_what_its_new_one_does_and_names_it(old: str, new: str) -> None:
    runner = CliRunner()

    by_old = runner.invoke(command_line.app, [old, "--help"])
    by_new = runner.invoke(command_line.app, [*new.split(), "--help"])

    assert by_old.stdout == by_new.stdout != ""
    assert by_old.stderr == f"'sopforge {old}' is now 'sopforge {new}'\n"


def test_old_names_are_hidden() -> None:
    shown = CliRunner().invoke(command_line.app, ["--help"]).stdout.split()

    assert "check" in shown
    assert not set(OLD_NAMES) & set(shown)
