"""What commands show of runs: a line for each, and what is particular about it."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from sopforge.cli.output import Parts, make_table

if TYPE_CHECKING:
    from sopforge.evaluation.figures.repeats import Repeats
    from sopforge.evaluation.runs.metrics import Rate
    from sopforge.evaluation.runs.rows import Row, Spent

_FIGURES = {
    "ecr": "ECR",
    "c_tsr": "C-TSR",
    "tsr": "TSR",
    "gold_calls": "gold calls",
    "compatible": "SOP-Bench compatible",
    "pairs": "pairs",
}
"""What of a record stands in the table of runs; the last two only where any run has them."""
_LONGEST_SAID = 160


@dataclass(frozen=True)
class ShownRun:
    """An agent on a package: its rows, how many tasks were asked for, and what was assumed."""

    rows: Sequence[Row]
    tasks_asked: int
    assumed: Sequence[str]

    @property
    def names(self) -> tuple[str, str]:
        """The package and the agent."""
        return self.rows[0].asked.package, self.rows[0].asked.agent

    @cached_property
    def record(self) -> dict[str, Any]:
        """The run for programs."""
        from sopforge.evaluation.figures.manners import compute_manner_rates
        from sopforge.evaluation.figures.means import compute_row_rates
        from sopforge.evaluation.figures.sessions import compute_pair_rate, compute_part_rates
        from sopforge.evaluation.runs.rows import sum_spent
        from sopforge.evaluation.runs.running import list_divergences

        rows = self.rows
        rates, repeats, pairs = compute_row_rates(rows), self.repeats, compute_pair_rate(rows)
        manners = compute_manner_rates(rows)
        return {
            "package": self.names[0],
            "digest": rows[0].asked.digest,
            "agent": self.names[1],
            "tasks": len({row.asked.task for row in rows}),
            "tasks_asked": self.tasks_asked,
            "epochs": len({row.asked.epoch for row in rows}),
            "ecr": asdict(rates.ecr),
            "c_tsr": asdict(rates.c_tsr),
            "tsr": asdict(rates.tsr),
            "pairs": asdict(pairs) if pairs.of else None,
            "session": {name: rate.share for name, rate in compute_part_rates(rows).items()}
            or None,
            "manners": {name: asdict(rate) for name, rate in manners.items()} or None,
            "gold_calls": _compute_share(row.grade.is_gold for row in rows),
            "compatible": _compute_share(row.grade.is_compatible for row in rows),
            "assumptions": list(self.assumed),
            "divergence": list_divergences(rows),
            "tool_faults": sum(row.grade.faults for row in rows),
            "spent": asdict(sum_spent(rows)),
            "pass_k": list(repeats.pass_k) if repeats else [],
            "run_floor": repeats.floor if repeats else None,
        }

    @cached_property
    def repeats(self) -> Repeats | None:
        """What several epochs show, None with one."""
        from sopforge.evaluation.figures.repeats import compute_repeats
        from sopforge.evaluation.figures.series import list_series

        return compute_repeats(list_series(self.rows)[0])


def _compute_share(hits: Iterable[bool | None]) -> float | None:
    """Return the share of attempts, None where nothing is said of any."""
    said = [hit for hit in hits if hit is not None]
    return sum(said) / len(said) if said else None


def lay_out_runs(done: Sequence[ShownRun], out: Path, left: int, kept: int) -> Parts:
    """Yield a line for each run, and below it what is particular.

    ``left`` attempts were not made, and ``kept`` ones were there before.
    """
    yield _make_runs_table([run.record for run in done])
    yield "In brackets: 95 percent intervals, clustered by path."
    for run in done:
        yield from _list_particulars(run)
    yield f"Rows and logs are in {out}."
    for run in done:
        yield from filter(None, (_describe_stops(run.rows), _describe_spending(run.rows)))
    for line in _list_warnings([row for run in done for row in run.rows], left, kept):
        yield Text(line, "yellow")
    assumed = {run.names[0]: run.assumed for run in done}
    for package, lines in assumed.items():
        for line in lines:
            yield Text(f"{package}: {line}.", "dim")
    if done:
        yield f"Next: sopforge report {shlex.quote(str(out))}"


def _make_runs_table(records: Sequence[dict[str, Any]]) -> Table:
    seldom = ("compatible", "pairs")
    shown = [
        name
        for name in _FIGURES
        if name not in seldom or any(record[name] is not None for record in records)
    ]
    rows = []
    for record in records:
        tasks, of = record["tasks"], record["tasks_asked"]
        figures = (_format_figure(record[name]) for name in shown)
        count = tasks if tasks == of else f"{tasks} of {of}"
        rows.append((record["package"], record["agent"], count, *figures))
    columns = ["package", "agent", "tasks", *(_FIGURES[name] for name in shown)]
    made = make_table("", columns, rows)
    # The ends of names distinguish levels and agents: they go on in the next line.
    for column in made.columns[:2]:
        column.overflow = "fold"
    return made


def _list_particulars(run: ShownRun) -> Iterator[str]:
    """Yield what several epochs, sessions and users show, where there are any."""
    from sopforge.evaluation.figures.manners import count_lacking
    from sopforge.evaluation.figures.repeats import WANTED
    from sopforge.evaluation.figures.sessions import compute_case_scores

    (package, agent), repeats, record = run.names, run.repeats, run.record
    if repeats is not None:
        found = ", ".join(f"pass^{k} {share:.3f}" for k, share in enumerate(repeats.pass_k, 1))
        more = f" Use --epochs {WANTED} or more for a better estimate."
        yield (
            f"{package}, {agent}, {repeats.epochs} epochs: {found};"
            f" two runs differ in TSR by up to {repeats.floor:.3f} by chance."
            f"{'' if repeats.epochs >= WANTED else more}"
        )
    if scores := compute_case_scores(run.rows):
        yield (
            f"{agent}: {scores.right} of {scores.of} cases are right; if cases were"
            f" independent, all cases would be right in {scores.independent:.3f} of sessions."
        )
    if parts := record["session"]:
        named = ", ".join(f"{name} {share or 0:.3f}" for name, share in parts.items())
        yield f"{agent}: share of correct sessions: {named}."
    if manners := record["manners"]:
        named = ", ".join(
            f"{name} {rate['share'] or 0:.3f} of {rate['of']}" for name, rate in manners.items()
        )
        yield f"{agent}: right by the user's manner: {named}."
    for name, count in count_lacking(run.rows).items():
        do, counts = ("s do", "count") if count != 1 else (" does", "counts")
        yield f"{agent}: {count} task{do} not allow a user who {name}, and {counts} without it."


def _list_warnings(rows: Sequence[Row], left: int, kept: int) -> Iterator[str]:
    """Yield what keeps figures from saying what they seem to say."""
    from sopforge.evaluation.runs.rows import sum_spent

    if kept:
        yield (
            f"{kept} of {len(rows)} attempts existed already and were not repeated."
            " If an agent has changed, name a different folder with --out."
        )
    if left:
        cut_off = sum_spent(rows).describe_cut_off()
        perhaps = f", or may be ({cut_off})" if cut_off else ""
        yield f"The budget is spent{perhaps}: {describe_left(left)}."
    if faults := sum(row.grade.faults for row in rows):
        yield (
            f"{faults} call{'s' * (faults != 1)} got no answer: the tool hung or died, or its"
            " answer was not JSON. Run 'sopforge check' to see which."
        )


def describe_left(left: int) -> str:
    """Return that a budget left attempts out."""
    were, do = ("s were", "do") if left != 1 else (" was", "does")
    return f"{left} attempt{were} not made and {do} not count"


def _describe_stops(rows: Sequence[Row]) -> str:
    """Return how attempts ended that have no final text, nothing where all have one."""
    from sopforge.harness.grading.grades import Stop

    without = [row for row in rows if row.stop != Stop.ANSWER]
    if not without:
        return ""
    counts = Counter(row.stop for row in without)
    # What the first says: of an agent that breaks, the others say the same as a rule.
    says = {row.stop: f" ({row.says[:_LONGEST_SAID]})" for row in reversed(without) if row.says}
    ended = ", ".join(f"{stop} {n}{says.get(stop, '')}" for stop, n in sorted(counts.items()))
    again = ""
    if Stop.PROVIDER in counts:
        again = f" To retry where the {Stop.PROVIDER}, run the same command again."
    agent, package = rows[0].asked.agent, rows[0].asked.package
    return f"{agent} on {package}, without a final text: {ended}.{again}"


def _describe_spending(rows: Sequence[Row]) -> str:
    """Return what a run took of models, nothing where none was asked."""
    from sopforge.evaluation.runs.rows import sum_spent

    spent = sum_spent(rows)
    if not spent.turns:
        return ""
    tokens = f"{spent.tokens_in:,} tokens read, {spent.tokens_out:,} written"
    agent, package = rows[0].asked.agent, rows[0].asked.package
    return f"{agent} on {package}: {spent.turns:,} replies, {tokens}, {_describe_cost(spent)}."


def _describe_cost(spent: Spent) -> str:
    cut_off = spent.describe_cut_off()
    if spent.cost is not None:
        return ", ".join(filter(None, [f"${spent.cost:.2f}", cut_off]))
    # Where all that is known is what was cut off, its price is.
    is_priced = bool(spent.cut_off) and not spent.cut_off_unpriced
    unknown = "" if is_priced else "price not known (use --prices FILE)"
    return ", ".join(filter(None, [unknown, cut_off]))


def _format_figure(figure: float | Mapping[str, Any] | None) -> str:
    """Return a share, with its interval where it has one."""
    if isinstance(figure, float | None):
        return "-" if figure is None else f"{figure:.3f}"
    if figure["share"] is None:
        return "-"
    return "{share:.3f} [{low:.3f}, {high:.3f}]".format_map(figure)


def format_rate(rate: Rate) -> str:
    """Return a share with its interval."""
    return _format_figure(asdict(rate))
