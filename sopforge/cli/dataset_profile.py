"""The profile of a dataset for a terminal: shortcuts, answers and paths as bars, and fields."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from rich.bar import Bar
from rich.console import Console
from rich.text import Text

from sopforge.cli.output import say, shown, table
from sopforge.dataset.profile import FieldProfile, Profile, read_profile
from sopforge.workspace import DATA_PROFILE, SHORTCUTS

BAR_WIDTH = 24
STEPS = " ▁▂▃▄▅▆▇█"


def print_dataset(screen: Console, files: Mapping[str, str]) -> None:
    """Print what the files of a dataset say of it; nothing where they hold no profile."""
    profile, shortcuts = (name.partition("/")[2] for name in (DATA_PROFILE, SHORTCUTS))
    if profile in files and shortcuts in files:
        _print_shortcuts(screen, files[shortcuts])
        _print_profile(screen, read_profile(files[profile]))


def _print_shortcuts(screen: Console, text: str) -> None:
    report = json.loads(text)
    rows = [
        (found["name"], found["primary"]["right"], found["primary"]["share"])
        for found in report["shortcuts"]
    ]
    title = f"shortcuts: tasks with {report['outcome']} right; at most {report['bar']} may be"
    _print_bars(screen, title, rows, report["tasks"])


def _print_profile(screen: Console, profile: Profile) -> None:
    for item in profile.outcomes:
        if item.labels is not None:
            rows = [(label, count, str(count)) for label, count in item.labels.items()]
            _print_bars(screen, f"answers: {item.name}{_lacking(item)}", rows, profile.tasks)
    taken = [(" → ".join(item.steps), item.tasks, str(item.tasks)) for item in profile.paths]
    _print_bars(screen, "paths", taken, profile.tasks)
    fields = table("fields", "field", "role", "values", "spread")
    for item in profile.others:
        fields.add_row(
            *(Text(shown(cell)) for cell in (item.name, item.role, _values(item), drawn(item)))
        )
    screen.print(fields)


def _print_bars(
    screen: Console, title: str, rows: Iterable[tuple[str, int, str]], longest: int
) -> None:
    say(screen, title)
    made = table("", "", "", "")
    made.show_header = False
    for label, length, says in rows:
        bar = Bar(max(1, longest), 0, length, width=BAR_WIDTH)
        made.add_row(bar, Text(shown(says)), Text(shown(label)))
    screen.print(made)


def drawn(item: FieldProfile) -> str:
    """Return the bins of a field as a line of columns; the highest is a full one."""
    if item.spread is None:
        return ""
    counts = [part.tasks for part in item.spread.bins]
    highest = max(counts)
    return "".join(STEPS[-(-count * (len(STEPS) - 1) // highest)] for count in counts)


def _values(item: FieldProfile) -> str:
    lacking = _lacking(item)
    if item.labels is not None:
        return ", ".join(f"{label} {count}" for label, count in item.labels.items()) + lacking
    if item.distinct is not None:
        return f"{item.distinct} different texts{lacking}"
    if item.spread is None:
        return lacking.removeprefix(", ")
    spread, unit = item.spread, f" {item.unit}" if item.unit else ""
    return f"{' | '.join((spread.least, *spread.quartiles, spread.greatest))}{unit}{lacking}"


def _lacking(item: FieldProfile) -> str:
    missing = f", {item.missing} missing" if item.missing else ""
    return f"{missing}, {item.malformed} malformed" if item.malformed else missing
