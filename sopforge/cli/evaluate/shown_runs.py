"""What commands show of runs: a line for each, and what is particular about it."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from sopforge.cli.output import make_console, make_table, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rich.console import Console

    from sopforge.evaluation.figures.repeats import Repeats
    from sopforge.evaluation.runs.metrics import Rate
    from sopforge.evaluation.runs.rows import Row, Spent

COMPATIBLE = "SOP-Bench compatible"
_LONGEST_SAID = 160


def build_run_record(
    rows: list[Row], tasks_asked: int, assumed: tuple[str, ...]
) -> dict[str, object]:
    """Return a run for programs."""
    from sopforge.evaluation.figures.manners import compute_manner_rates
    from sopforge.evaluation.figures.means import compute_row_rates
    from sopforge.evaluation.figures.sessions import compute_part_rates
    from sopforge.evaluation.runs.rows import sum_spent
    from sopforge.evaluation.runs.running import list_divergences

    rates = compute_row_rates(rows)
    repeats = _compute_repeats(rows)
    return {
        "package": rows[0].asked.package,
        "digest": rows[0].asked.digest,
        "agent": rows[0].asked.agent,
        "tasks": len({row.asked.task for row in rows}),
        "tasks_asked": tasks_asked,
        "epochs": len({row.asked.epoch for row in rows}),
        **{
            name: {"share": rate.share, "low": rate.low, "high": rate.high, "of": rate.of}
            for name, rate in (("ecr", rates.ecr), ("c_tsr", rates.c_tsr), ("tsr", rates.tsr))
        },
        "pairs": _build_pair_record(rows),
        "session": {name: rate.share for name, rate in compute_part_rates(rows).items()} or None,
        "manners": {
            name: {"share": rate.share, "low": rate.low, "high": rate.high, "of": rate.of}
            for name, rate in compute_manner_rates(rows).items()
        }
        or None,
        "gold_calls": _compute_share([row.grade.is_gold for row in rows]),
        "compatible": _compute_share([row.grade.is_compatible for row in rows]),
        "assumptions": list(assumed),
        "divergence": list_divergences(rows),
        "tool_faults": sum(row.grade.faults for row in rows),
        "spent": asdict(sum_spent(rows)),
        "pass_k": list(repeats.pass_k) if repeats else [],
        "run_floor": repeats.floor if repeats else None,
    }


def _build_pair_record(rows: list[Row]) -> dict[str, object] | None:
    from sopforge.evaluation.figures.sessions import compute_pair_rate

    rate = compute_pair_rate(rows)
    return asdict(rate) if rate.of else None


def _compute_share(hits: list[bool | None]) -> float | None:
    """Return the share of attempts, None where nothing is said of any."""
    said = [hit for hit in hits if hit is not None]
    return sum(said) / len(said) if said else None


def _compute_repeats(rows: list[Row]) -> Repeats | None:
    from sopforge.evaluation.figures.repeats import compute_repeats
    from sopforge.evaluation.figures.series import list_series

    return compute_repeats(list_series(rows)[0])


def show_runs(done: list[list[Row]], asked: list[int], out: Path, left: int, kept: int) -> None:
    """Print a line for each run, and below it what is particular.

    ``asked`` says of each how many tasks were asked for. ``left`` attempts were not made, and
    ``kept`` ones were there before.
    """
    from sopforge.evaluation.figures.means import compute_row_rates
    from sopforge.evaluation.figures.sessions import compute_pair_rate

    screen = make_console()
    is_compared = any(row.grade.is_compatible is not None for rows in done for row in rows)
    has_pairs = any(row.grade.pair for rows in done for row in rows)
    figures = ["ECR", "C-TSR", "TSR", "gold calls", *([COMPATIBLE] if is_compared else [])]
    figures += ["pairs"] if has_pairs else []
    table = make_table("", "package", "agent", "tasks", *figures)
    for rows, of in zip(done, asked, strict=True):
        rates, tasks = compute_row_rates(rows), len({row.asked.task for row in rows})
        table.add_row(
            rows[0].asked.package,
            rows[0].asked.agent,
            str(tasks) if tasks == of else f"{tasks} of {of}",
            *map(format_rate, (rates.ecr, rates.c_tsr, rates.tsr)),
            _format_share([row.grade.is_gold for row in rows]),
            *([_format_share([row.grade.is_compatible for row in rows])] if is_compared else []),
            *([format_rate(compute_pair_rate(rows))] if has_pairs else []),
        )
    screen.print(table)
    say(screen, "In brackets: 95 percent intervals, clustered by path.")
    for rows in done:
        _show_repeats(screen, rows)
        _show_session_parts(screen, rows)
        _show_manners(screen, rows)
    say(screen, f"Rows and logs are in {out}.")
    for rows in done:
        for line in filter(None, (_describe_stops(rows), _describe_spending(rows))):
            say(screen, line)
    for line in _iterate_warnings(done, left, kept):
        say(screen, line, "yellow")


def _show_session_parts(screen: Console, rows: list[Row]) -> None:
    """Say how many attempts have each part of a session right, where there are sessions."""
    from sopforge.evaluation.figures.sessions import compute_case_scores, compute_part_rates

    if scores := compute_case_scores(rows):
        say(
            screen,
            f"{rows[0].asked.agent}: {scores.right} of {scores.of} cases are right; if cases were"
            f" independent, all cases would be right in {scores.independent:.3f} of sessions.",
        )
    parts = compute_part_rates(rows)
    if parts:
        named = ", ".join(f"{name} {rate.share or 0:.3f}" for name, rate in parts.items())
        say(screen, f"{rows[0].asked.agent}: share of correct sessions: {named}.")


def _show_manners(screen: Console, rows: list[Row]) -> None:
    """Say how many attempts are right by the manner of the user, where there was one."""
    from sopforge.evaluation.figures.manners import compute_manner_rates, count_lacking

    rates = compute_manner_rates(rows)
    if rates:
        named = ", ".join(
            f"{name} {rate.share or 0:.3f} of {rate.of}" for name, rate in rates.items()
        )
        say(screen, f"{rows[0].asked.agent}: right by the user's manner: {named}.")
    for name, count in count_lacking(rows).items():
        says = (
            f"{count} task{'s do' if count != 1 else ' does'} not allow a user who {name}, and"
            f" {'count' if count != 1 else 'counts'} without it."
        )
        say(screen, f"{rows[0].asked.agent}: {says}")


def _iterate_warnings(done: list[list[Row]], left: int, kept: int) -> Iterator[str]:
    """Yield what keeps figures from saying what they seem to say."""
    if kept:
        yield (
            f"{kept} of {sum(map(len, done))} attempts existed already and were not repeated."
            " If an agent has changed, name a different folder with --out."
        )
    if left:
        verbs = ("s were", "do") if left != 1 else (" was", "does")
        yield (
            f"The budget is spent{_describe_perhaps_spent(done)}: {left} attempt{verbs[0]} not made"
            f" and {verbs[1]} not count."
        )
    if faults := sum(row.grade.faults for rows in done for row in rows):
        yield (
            f"{faults} call{'s' * (faults != 1)} got no answer: the tool hung or died, or its"
            " answer was not JSON. Run 'sopforge check' to see which."
        )


def _describe_perhaps_spent(done: list[list[Row]]) -> str:
    """Return what of the budget was perhaps spent, nothing where all of it surely was."""
    from sopforge.evaluation.runs.rows import sum_spent

    cut_off = sum_spent(row for rows in done for row in rows).describe_cut_off()
    return f", or may be ({cut_off})" if cut_off else ""


def _describe_stops(rows: list[Row]) -> str:
    """Return how attempts ended that have no final text, nothing where all have one."""
    from sopforge.grading.grades import Stop

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


def _describe_spending(rows: list[Row]) -> str:
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


def _show_repeats(screen: Console, rows: list[Row]) -> None:
    """Print pass^k of a run with several epochs, and how much two such runs differ by chance."""
    from sopforge.evaluation.figures.repeats import WANTED

    repeats = _compute_repeats(rows)
    if repeats is None:
        return
    found = ", ".join(f"pass^{k} {share:.3f}" for k, share in enumerate(repeats.pass_k, 1))
    few = (
        "" if repeats.epochs >= WANTED else f" Use --epochs {WANTED} or more for a better estimate."
    )
    say(
        screen,
        f"{rows[0].asked.package}, {rows[0].asked.agent}, {repeats.epochs} epochs: {found};"
        f" two runs differ in TSR by up to {repeats.floor:.3f} by chance.{few}",
    )


def show_assumptions(assumed: Mapping[str, tuple[str, ...]]) -> None:
    """Print what neither the packages nor their mappings say."""
    screen = make_console()
    for package, said in assumed.items():
        for line in said:
            say(screen, f"{package}: {line}.", "dim")


def _format_share(hits: list[bool | None]) -> str:
    share = _compute_share(hits)
    return "-" if share is None else f"{share:.3f}"


def format_rate(rate: Rate) -> str:
    """Return a share with its interval."""
    if rate.share is None:
        return "-"
    return f"{rate.share:.3f} [{rate.low:.3f}, {rate.high:.3f}]"
