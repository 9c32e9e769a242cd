"""The figures of one agent on one package, and how agents compare, worked out by hand."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest

from sopforge.evaluation.figures.means import Mean, compute_mean
from sopforge.evaluation.figures.paths import shorten_path
from sopforge.evaluation.figures.series import find_model, list_series
from sopforge.evaluation.figures.summaries import (
    Summary,
    find_cost_at_equal_success,
    group_by_package,
    rank_shares,
    rank_summaries,
    summarize,
)
from sopforge.evaluation.figures.tables import COLUMNS, build_records, write_csv
from sopforge.evaluation.runs.rows import Row
from sopforge.harness.grading.grades import Divergence, DivergenceKind
from tests.worlds.attempt_rows import make_epochs, make_row, make_signed_rows

RULE, STOP = DivergenceKind.WRONG_RULE, DivergenceKind.EARLY_STOP
ROWS = [
    make_row("1", path=("look", "look.1", "hold"), calls=2, precision=0.5, fabricated=()),
    make_row("2", path=("look", "look.1", "hold"), calls=4, precision=None, fabricated=("a.b",)),
    make_row(
        "3",
        path=("look", "look.1", "hold"),
        is_right=False,
        divergence_kind=RULE,
        divergence_at="look: care.C1",
        calls=3,
        precision=1.0,
        fabricated=("a.b", "answer.c"),
    ),
    make_row(
        "4",
        path=("look", "look.2", "done"),
        is_right=False,
        is_complete=False,
        divergence_kind=STOP,
        divergence_at="look: find",
        calls=0,
        precision=None,
        fabricated=(),
    ),
]


def summarize_rows(rows: list[Row]) -> Summary:
    """Return the summary of the rows of one series."""
    (series,) = list_series(rows)
    return summarize(series)


def test_shares_and_means_are_of_all_attempts_that_have_them() -> None:
    found = summarize_rows(ROWS)

    assert (found.rates.ecr.share, found.rates.c_tsr.share, found.rates.tsr.share) == (
        3 / 4,
        2 / 3,
        1 / 2,
    )
    assert (found.means["calls"].value, found.means["calls"].of) == (9 / 4, 4)
    assert (found.means["tool_precision"].value, found.means["tool_precision"].of) == (3 / 4, 2)
    assert found.means["fabricated"].value == 3 / 4
    assert found.shares["with_fabricated"].share == 1 / 2
    # No model judged the order of these.
    assert found.shares["in_needed_order"].share is None


def test_failures_are_counted_by_path_and_by_place() -> None:
    found = summarize_rows(ROWS)

    assert found.failures == {"early stop": 1, "wrong rule": 1}
    assert found.places == {("early stop", "look: find"): 1, ("wrong rule", "look: care.C1"): 1}
    done, hold = sorted(found.paths, key=lambda path: path.path[-1])
    assert (done.tasks, done.tsr.share, done.failures) == (1, 0, {"early stop": 1})
    assert (hold.tasks, hold.tsr.share, hold.failures) == (3, 2 / 3, {"wrong rule": 1})
    assert done.is_few
    assert shorten_path(hold.path) == ["look", "hold"]


def test_rows_of_packages_without_a_model_have_the_coarse_divergence() -> None:
    row = make_row("1", is_right=False, divergence_kind=None, divergence=Divergence.WRONG_TOOL)

    assert summarize_rows([row]).failures == {"wrong tool": 1}


def test_a_path_with_five_tasks_is_not_few_whatever_the_attempts() -> None:
    assert not summarize_rows(make_signed_rows("+++++")).paths[0].is_few
    assert summarize_rows(make_epochs(["+++", "+++"])).paths[0].is_few


def test_a_mean_has_the_interval_of_its_clusters() -> None:
    # Two clusters with sums of 2 and -2 about the mean of 2: variance 2 * (4 + 4), over 4 values.
    found = compute_mean([(3.0, "x"), (3.0, "x"), (1.0, "y"), (1.0, "y")])

    assert found.value == 2
    assert found.low == pytest.approx(2 - 1.96 * 4 / 4, abs=1e-4)
    assert found.high == pytest.approx(2 + 1.96 * 4 / 4, abs=1e-4)
    assert compute_mean([(3.0, "x")]).low is None
    assert compute_mean([]).value is None


def test_attempts_of_one_task_are_no_independent_tasks() -> None:
    once = summarize_rows(make_signed_rows("+" * 10)).rates.tsr
    often = summarize_rows(make_epochs(["+" * 10] * 8)).rates.tsr

    assert often.of == 80
    assert (often.low, often.high) == (once.low, once.high)


def make_priced(agent: str, signs: str, cost: float | None) -> Summary:
    """Return the summary of an agent whose every attempt costs the same."""
    return summarize_rows(make_signed_rows(signs, agent=agent, cost=cost))


def test_cost_is_what_a_right_answer_takes_all_attempts_for() -> None:
    found = make_priced("a", "++-+", 0.3)

    assert found.cost == pytest.approx(0.3)
    assert found.cost_per_right == pytest.approx(0.4)
    assert make_priced("a", "----", 0.3).cost_per_right is None
    assert make_priced("a", "++-+", None).cost is None


def test_a_cost_that_one_attempt_lacks_is_not_known() -> None:
    rows = [make_row("1", cost=0.5), make_row("2")]

    assert summarize_rows(rows).cost is None
    assert summarize_rows(rows).cost_per_right is None


def test_equal_success_costs_what_the_cheapest_takes_that_is_not_surely_worse() -> None:
    best = make_priced("best", "+" * 40, 0.75)
    near = make_priced("near", "+" * 39 + "-", 0.5)
    poor = make_priced("poor", "+" * 20 + "-" * 20, 0.125)
    silent = make_priced("silent", "+" * 40, None)
    everyone = [best, near, poor, silent]

    def find(item: Summary, rivals: list[Summary]) -> tuple[float, str] | None:
        found = find_cost_at_equal_success(item, rivals)
        return found and (found[0], found[1].series.agent)

    # Wilson's interval of 39 in 40 ends below 1, that of 38 in 40 above 39 in 40.
    assert find(best, everyone) == find(silent, everyone) == (0.75, "best")
    assert find(near, everyone) == (0.5, "near")
    assert find(poor, everyone) == (0.125, "poor")
    slightly = make_priced("slightly", "+" * 38 + "--", 0.25)
    assert find(near, [*everyone, slightly]) == (0.25, "slightly")
    assert find(silent, [silent]) is None


def test_equal_shares_have_the_same_rank() -> None:
    assert rank_shares([0.5, None, 0.75, 0.75]) == [2, None, 1, 1]


def test_series_are_agents_with_settings_on_packages() -> None:
    rows = [
        make_row("1"),
        make_row("1", settings="model=m2"),
        make_row("1", package="stays"),
        make_row("2"),
        make_row("2"),
    ]
    found = list_series(rows)

    assert [(item.package, item.name, len(item.rows)) for item in found] == [
        ("parcels", "a", 2),
        ("parcels", "a (m2)", 1),
        ("stays", "a", 1),
    ]
    assert [len(group) for group in group_by_package(map(summarize, found)).values()] == [2, 1]


@pytest.mark.parametrize(
    ("settings", "model"),
    [
        ("", ""),
        ("temperature=0.5", ""),
        ("temperature=0.5, model=acme/m-1", "acme/m-1"),
        (json.dumps({"model": "acme/m-1", "top_p": 1}), "acme/m-1"),
        ("[1]", ""),
        ("supermodel=x", ""),
    ],
)
def test_the_model_is_read_from_the_settings(settings: str, model: str) -> None:
    assert find_model(settings) == model


def test_the_table_has_a_line_for_each_figure() -> None:
    rows = [*ROWS, *make_epochs(["+-", "++"], agent="b", cost=0.5)]
    records = build_records([summarize(item) for item in list_series(rows)])
    found = {(item["agent"], item["group"], item["metric"]): item for item in records}

    assert len(found) == len(records)
    assert found["a", "all", "tsr"]["value"] == 0.5
    assert found["a", "path look > look.2 > done", "failure early stop"]["value"] == 1
    assert found["a", "at look: care.C1", "failure wrong rule"]["value"] == 1 / 4
    assert found["b", "all", "pass^2"]["value"] == 0.5
    assert found["b", "all", "cost_per_right"]["value"] == pytest.approx(2 / 3)
    assert ("a", "all", "pass^1") not in found
    read = list(csv.DictReader(io.StringIO(write_csv(records))))
    assert tuple(read[0]) == COLUMNS
    assert len(read) == len(records)


@pytest.mark.parametrize("name", ['=HYPERLINK("x")', "+1", "-2+3", "@SUM(A1)", "\t=1"])
def test_no_name_is_a_formula_to_a_spreadsheet(name: str) -> None:
    rows = [make_row("1", agent=name, settings=name, path=(name,), package=name)]
    records = build_records([summarize(item) for item in list_series(rows)])

    read = list(csv.DictReader(io.StringIO(write_csv(records), newline="")))

    cells = [cell for line in read for cell in line.values()]
    assert f"'{name}" in cells
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t"))]


def make_unfinished() -> list[Summary]:
    """Return an agent with three of twenty tasks, all right, and one with all of them."""
    part, whole = make_signed_rows("+++", agent="part"), make_signed_rows("+" * 19 + "-", agent="b")
    asked = [replace(row.asked, agent=agent) for row in whole for agent in ("part", "b")]
    return [summarize(item) for item in list_series([*part, *whole], asked)]


def test_a_run_that_is_not_finished_says_so_and_has_no_rank() -> None:
    part, whole = make_unfinished()

    assert (part.series.is_finished, whole.series.is_finished) == (False, True)
    assert part.series.progress == "3 of 20 tasks attempted"
    assert rank_summaries([part, whole]) == [None, 1]
    records = build_records([part, whole])
    (share,) = (
        item for item in records if item["agent"] == "part" and item["metric"] == "attempted"
    )
    assert (share["value"], share["n"]) == (3 / 20, 20)


def test_epochs_that_lack_count_as_attempts() -> None:
    first, second = make_epochs(["++", "++"])[:2], make_epochs(["++", "++"])[2:]
    (series,) = list_series(first, [row.asked for row in (*first, *second)])

    assert series.progress == "2 of 4 attempts made"


def test_nobody_is_compared_with_the_cost_of_what_is_not_finished() -> None:
    part, whole = make_unfinished()
    cheap = replace(part, means={**part.means, "cost": Mean(0.1, None, None, 3)})
    dear = replace(whole, means={**whole.means, "cost": Mean(0.5, None, None, 20)})

    assert find_cost_at_equal_success(dear, [cheap, dear]) == (0.5, dear)
