"""The profile of a dataset for a terminal: shortcuts, answers and paths as bars, and fields."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from rich.bar import Bar

from sopforge.cli.output import Parts, make_table
from sopforge.language.domain.balance import Balance, build_answer_lines, build_balance_lines
from sopforge.proof.dataset.coverage.coverage import Coverage, read_coverage
from sopforge.proof.dataset.coverage.coverage_text import COLUMNS, get_heading, select_columns
from sopforge.proof.dataset.tasks.profile import (
    FieldProfile,
    Profile,
    find_path_differences,
    read_profile,
)
from sopforge.workspace import COVERAGE, COVERAGE_TEXT, DATA_PROFILE, SHORTCUTS

BAR_WIDTH = 24
FILL_NOTE = " (in brackets: tasks that fill up the dataset)"
STEPS = " ▁▂▃▄▅▆▇█"


def lay_out_dataset(files: Mapping[str, str]) -> Parts:
    """Yield what the files of a dataset say of it; nothing where they hold no profile."""
    profile, shortcuts = (name.partition("/")[2] for name in (DATA_PROFILE, SHORTCUTS))
    if profile in files and shortcuts in files:
        yield from _lay_out_shortcuts(files[shortcuts])
        yield from _lay_out_profile(read_profile(files[profile]))
    text, report = (name.partition("/")[2] for name in (COVERAGE_TEXT, COVERAGE))
    if text in files:
        yield from _lay_out_coverage(read_coverage(files[report]))


def _lay_out_shortcuts(text: str) -> Parts:
    report = json.loads(text)
    rows = [
        (found["name"], found["primary"]["right"], found["primary"]["share"])
        for found in report["shortcuts"]
    ]
    title = f"shortcuts: tasks with {report['outcome']} right; the maximum is {report['bar']}"
    yield from _lay_out_bars(title, rows, report["tasks"])


def _lay_out_coverage(coverage: Coverage) -> Parts:
    """Yield the goals of each kind, and the mutants, in counts."""
    for title, name, rows in (
        ("coverage", "goals", (*coverage.counts, coverage.total)),
        ("", "mutants", (*coverage.mutant_counts, coverage.mutant_total)),
    ):
        columns = select_columns(rows)
        counts = [
            (get_heading(row.kind), row.asked, *map(row.count_verdicts, columns)) for row in rows
        ]
        yield make_table(title, [name], counts, ["asked", *(COLUMNS[item] for item in columns)])


def _lay_out_balance(balance: Balance) -> Parts:
    lines = (*build_balance_lines(balance), *build_answer_lines(balance))
    rows = [(line.says, line.tasks, line.share) for line in lines]
    yield make_table("balance", ["what is counted"], rows, ["tasks", "share"])


def _lay_out_profile(profile: Profile) -> Parts:
    if profile.balance is not None:
        yield from _lay_out_balance(profile.balance)
    filling = profile.filling or Profile(0, (), ())
    filled = {item.name: item.labels or {} for item in filling.outcomes}
    for item in profile.outcomes:
        if item.labels is not None:
            fill = filled.get(item.name, {})
            rows = [
                (label, count, _format_count(count, fill.get(label, 0)))
                for label, count in item.labels.items()
            ]
            title = f"answers: {item.name}{_format_lacking(item)}{FILL_NOTE}"
            yield from _lay_out_bars(title, rows, profile.tasks)
    taken = {path.path: path.tasks for path in filling.paths}
    apart = find_path_differences(profile.paths)
    paths = [
        (
            " → ".join(path.steps) + (f" by {apart[path.path]}" if apart[path.path] else ""),
            path.tasks,
            _format_count(path.tasks, taken.get(path.path, 0)),
        )
        for path in profile.paths
    ]
    yield from _lay_out_bars(f"paths{FILL_NOTE}", paths, profile.tasks)
    others = [
        (item.name, item.role, _format_values(item), render_bins(item)) for item in profile.others
    ]
    yield make_table("fields", ["field", "role", "values", "spread"], others)


def _lay_out_bars(title: str, rows: Iterable[tuple[str, int, str]], longest: int) -> Parts:
    yield title
    bars = [
        (Bar(max(1, longest), 0, length, width=BAR_WIDTH), says, label)
        for label, length, says in rows
    ]
    made = make_table("", ["", "", ""], bars)
    made.show_header = False
    yield made


def render_bins(item: FieldProfile) -> str:
    """Return the bins of a field as a line of columns; the highest is a full one."""
    if item.spread is None:
        return ""
    counts = [part.tasks for part in item.spread.bins]
    highest = max(counts)
    return "".join(STEPS[-(-count * (len(STEPS) - 1) // highest)] for count in counts)


def _format_values(item: FieldProfile) -> str:
    lacking = _format_lacking(item)
    if item.labels is not None:
        return ", ".join(f"{label} {count}" for label, count in item.labels.items()) + lacking
    if item.distinct is not None:
        return f"{item.distinct} different texts{lacking}"
    if item.spread is None:
        return lacking.removeprefix(", ")
    spread, unit = item.spread, f" {item.unit}" if item.unit else ""
    return f"{' | '.join((spread.least, *spread.quartiles, spread.greatest))}{unit}{lacking}"


def _format_count(count: int, filling: int) -> str:
    return f"{count} ({filling})"


def _format_lacking(item: FieldProfile) -> str:
    missing = f", {item.missing} missing" if item.missing else ""
    return f"{missing}, {item.malformed} malformed" if item.malformed else missing
