"""What counts as shown: a task whose answer the mistake would change, and what else may be said.

The models are small enough for their tasks and verdicts to be worked out by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief
from sopforge.language.domain.values.types import Value
from sopforge.proof.dataset.coverage import covering as coverings
from sopforge.proof.dataset.coverage import goal_rows
from sopforge.proof.dataset.coverage.coverage import Coverage, GoalReport, GoalVerdict
from sopforge.proof.dataset.coverage.coverage import judge_goals as judge
from sopforge.proof.dataset.coverage.covering import NOT_COMPARED, Covering, Unmet, cover_goals
from sopforge.proof.dataset.coverage.drawing import index_sightings
from sopforge.proof.dataset.coverage.goal_rows import FAR_NUMBERS
from sopforge.proof.dataset.coverage.noticing import Noticed
from sopforge.proof.dataset.coverage.proofs import describe_proofs
from sopforge.proof.dataset.sampling.placing import Places
from sopforge.proof.solving import budgets
from sopforge.proof.solving.questions import Undecided
from sopforge.proof.solving.unfolded_places import PlaceUnfolder, TooManyStepsError
from tests.worlds.small_models import condition, derived, judged, observed, orders

BRIEFS = Path(__file__).parents[3] / "briefs"
Tasks = list[Mapping[str, Value | None]]
GROUP = {"role": "observed", "type": "enum", "values": ["north", "south"]}


def reported(model: DomainModel, level: Noticed = Noticed.OUTCOMES) -> tuple[Covering, Coverage]:
    """Return what is reported of the tasks that cover a model."""
    covering = cover_goals(model, 5, level=level)
    names = [task.id for task in covering.tasks]
    proofs = describe_proofs(model, covering)
    return covering, judge(covering, names, index_sightings(covering, covering.tasks), proofs)


@cache
def of_orders(level: Noticed = Noticed.OUTCOMES) -> tuple[Covering, Coverage]:
    """Return what is reported of orders, which several tests look at."""
    return reported(orders(), level)


def tasks_of(covering: Covering, report: GoalReport) -> Tasks:
    return [task.row for task in covering.tasks if task.id in report.tasks]


@cache
def by_group() -> tuple[Covering, Coverage]:
    """Return a model in which 10 is the limit in the north, and 20 in the south."""
    rules = {
        "N": ("area == 'north' and value > 10", "good"),
        "S": ("area == 'south' and value > 20", "good"),
    }
    return reported(judged({"area": GROUP, "value": observed(0, 50)}, rules))


@pytest.mark.parametrize(
    ("goal", "area", "value"),
    [
        ("rule result.N, part 2 at -1", 0, 9),
        ("rule result.N, part 2 at +0", 0, 10),
        ("rule result.N, part 2 at +1", 0, 11),
        ("rule result.S, part 2 at -1", 1, 19),
        ("rule result.S, part 2 at +0", 1, 20),
        ("rule result.S, part 2 at +1", 1, 21),
    ],
)
def test_the_limit_of_a_group_is_shown_by_a_case_of_the_group(
    goal: str, area: int, value: int
) -> None:
    """A case of the other group at the same value has the same answer in either case."""
    covering, coverage = by_group()
    found = tasks_of(covering, coverage.goals[goal])

    assert coverage.goals[goal].verdict is GoalVerdict.PRIMARY
    assert {(row["area"], row["value"]) for row in found} == {(area, value)}


def test_a_part_that_may_be_left_out_is_without_effect_which_is_proved() -> None:
    """Whoever has at most 10 has at most 30."""
    model = judged(
        {"value": observed(0, 50), "other": observed(0, 50)},
        {"A": ("value <= 10 and other > 4 and value <= 30", "good")},
    )
    _, coverage = reported(model)
    report = next(
        item for item in coverage.mutants.values() if item.words.endswith("part 3 of 3 left out")
    )

    assert report.verdict is GoalVerdict.WITHOUT_EFFECT
    assert report.tasks == ()
    assert report.proof != ()
    assert coverage.goals["rule result.A, part 3 no"].verdict is GoalVerdict.IMPOSSIBLE
    assert coverage.goals["rule result.A, part 3 no"].proof == (
        "asked for: the value is at most 10",
        "asked for: the value is more than 30",
    )


HALF = {"value": observed(0, 50), "half": derived(0, 25)}


def test_a_half_is_shown_where_its_rounding_changes_the_answer() -> None:
    """9.5 becomes 10, which is good; to 9, it would not be. 10 is even: that shows no more."""
    model = judged(HALF, {"A": ("half >= 10", "good")}, formulas={"half": "round(value / 2, 0)"})
    covering, coverage = reported(model)

    tie, odd = (coverage.goals[f"tie formula half 1{name}"] for name in ("", " odd"))
    assert tie.verdict is GoalVerdict.PRIMARY
    assert {row["value"] for row in tasks_of(covering, tie)} == {19}
    assert odd.verdict is GoalVerdict.WITHOUT_EFFECT


def test_a_comparison_of_products_is_shown_at_the_nearest_values() -> None:
    """100 times the usage and 115 times the expected differ by 5, or by nothing: 23 and 20."""
    model = judged(
        {"usage": observed(0, 99), "expected": observed(1, 99)},
        {"A": ("usage * 100 >= 115 * expected", "good")},
    )
    covering, coverage = reported(model)

    gaps = {}
    for side in ("-1", "+0", "+1"):
        report = coverage.goals[f"rule result.A, part 1 at {side}"]
        assert report.verdict is GoalVerdict.PRIMARY
        assert report.gap == 0
        gaps[side] = {
            int(str(row["usage"])) * 100 - 115 * int(str(row["expected"]))
            for row in tasks_of(covering, report)
        }
    assert gaps == {"-1": {-5}, "+0": {0}, "+1": {5}}


def test_a_value_on_the_path_or_beside_the_primary_answer_has_its_own_verdict() -> None:
    """Orders: R1 releases; N1 gives the reason; a walk-in ends alike; the reservations are lost."""
    _, coverage = of_orders()
    reports = {**coverage.goals, **coverage.mutants}

    assert {
        name: reports[name].verdict
        for name in (
            "rule release.R1",
            "rule reason.N1",
            "edge read.1",
            "mutant effect reserveGoods.reserved 1",
        )
    } == {
        "rule release.R1": GoalVerdict.PRIMARY,
        "rule reason.N1": GoalVerdict.OUTCOMES,
        "edge read.1": GoalVerdict.PATH_ONLY,
        "mutant effect reserveGoods.reserved 1": GoalVerdict.WITHOUT_EFFECT,
    }


def test_what_is_beyond_the_primary_answer_is_said_so_where_that_alone_is_asked_for() -> None:
    """The tasks for the primary answer show a reason as well, and none has a walk-in."""
    covering, coverage = of_orders(Noticed.PRIMARY)

    beyond = ("rule reason.N1", "edge read.1")
    assert [covering.unmet[name] for name in beyond] == [Unmet.BEYOND] * 2
    assert [coverage.goals[name].verdict for name in beyond] == [
        GoalVerdict.OUTCOMES,
        GoalVerdict.BEYOND,
    ]
    assert covering.unmet["mutant reason, N1 dropped"] is Unmet.BEYOND
    assert not any(name.startswith("mutant open_limit") for name in covering.unmet)
    assert coverage.goals["rule release.R1"].verdict is GoalVerdict.PRIMARY


@pytest.mark.parametrize("level", [Noticed.OUTCOMES, Noticed.TRAJECTORY])
def test_an_edge_that_the_path_alone_shows_is_walked_by_a_task(level: Noticed) -> None:
    covering, coverage = of_orders(level)
    report = coverage.goals["edge read.1"]

    assert report.verdict is GoalVerdict.PATH_ONLY
    found = tasks_of(covering, report)
    assert found
    assert all(row["customer_id"] is None for row in found)


def test_answers_are_preferred_where_paths_are_asked_for_too() -> None:
    """What an answer shows is shown so, whatever paths notice as well."""
    answers, paths = (of_orders(level)[1] for level in (Noticed.OUTCOMES, Noticed.TRAJECTORY))

    assert {name: item.verdict for name, item in paths.goals.items()} == {
        name: item.verdict for name, item in answers.goals.items()
    }
    for item in (*paths.goals.values(), *paths.mutants.values()):
        assert (item.verdict in {GoalVerdict.WITHOUT_EFFECT, GoalVerdict.IMPOSSIBLE}) != bool(
            item.tasks
        )


OPEN = (
    r"the solver gave up( \d times, the last one)? after (?P<units>[\d,]+) of its units of work"
    r"(, and none of [\d,]+ drawn rows shows it)?"
)


def test_a_goal_that_the_solver_leaves_open_says_what_was_spent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No drawn row meets the sum exactly, and the solver may do next to nothing."""
    for module, name, value in (
        (budgets, "EASY_WITNESS", 1),
        (budgets, "HARD_GOAL", 1),
        (goal_rows, "POOL", 4),
        (goal_rows, "FAR_NUMBERS", FAR_NUMBERS[:4]),
        (coverings, "FAR_NUMBERS", FAR_NUMBERS[:4]),
        (budgets, "GUESS", 1),
    ):
        monkeypatch.setattr(module, name, value)
    fields = {name: observed(0, 90_000) for name in ("one", "two", "three")}
    model = judged(fields, {"A": ("one + two * 3 - three * 7 == 1234", "good")})
    _, coverage = reported(model)

    report = coverage.goals["rule result.A"]
    found = re.fullmatch(OPEN, report.reason)
    assert report.verdict is GoalVerdict.UNDECIDED
    assert found
    assert int(found["units"].replace(",", "")) >= 1


def test_a_result_that_is_worked_out_has_a_mistake_to_be_noticed_by() -> None:
    """Who is at most ten days late pays for each day, which is a rule without a condition."""
    fees = (BRIEFS / "fees.yaml").read_text(encoding="utf-8")
    covering, coverage = reported(read_brief(fees, "fees.yaml").model)
    report = coverage.goals["rule fee.F2"]

    assert report.verdict is GoalVerdict.OUTCOMES
    assert all(int(str(row["days_late"])) <= 10 for row in tasks_of(covering, report))


def test_what_cannot_be_compared_is_undecided_not_without_effect(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = judged({"value": observed(0, 50)}, {"A": ("value > 10", "good")})

    unrolled: Any = PlaceUnfolder.unfold

    def unfold(self: Any) -> Iterator[Any]:  # noqa: ANN401 - of any reading
        if self.model is not model:
            raise TooManyStepsError
        yield from unrolled(self)

    monkeypatch.setattr(PlaceUnfolder, "unfold", unfold)
    covering, coverage = reported(model)

    assert set(covering.unmet.values()) <= {Unmet.IMPOSSIBLE}
    assert {item.reason for item in coverage.list_undecided()} == {NOT_COMPARED}
    assert coverage.goals["rule result.A"].verdict is GoalVerdict.UNDECIDED


def test_a_question_about_a_label_in_brackets_is_left_open_under_its_goal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(budgets, "EASY_WITNESS", 1)
    monkeypatch.setattr(budgets, "HARD_GOAL", 1)
    model = orders()
    rows = goal_rows.GoalRows(model, Places(model, 5))
    goal = "mutant no_customer, release held (for long) for refused"

    asked = condition(model, "open_amount + amount == 1234.56")
    assert isinstance(rows.is_possible(f"{goal} (begins)", lambda: asked), Undecided)
    assert list(rows.reasons) == [goal]
