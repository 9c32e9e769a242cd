"""Cases at rare places are found step by step, the same ones each time, and none that is not."""

from __future__ import annotations

import pytest

from sopforge.language.domain.model import DomainModel
from sopforge.proof.solving import budgets
from sopforge.proof.solving.drawn_rows import is_met_by_drawn_row
from sopforge.proof.solving.examining.influence import examine_influence
from sopforge.proof.solving.examining.inquiry import Inquiry
from sopforge.proof.solving.questions import NoRow, Row, Undecided
from sopforge.proof.solving.search.searched_rows import SearchedRows
from sopforge.proof.solving.unfolding import unfold
from tests.worlds.small_models import branches, claims, condition, orders, parcel, warranty

# A row that is drawn at once meets the equations by one in a million.
TIED = ("f1 == f0 + 3", "f2 == f1 + 3", "f3 == f2 + 3")


def rare() -> DomainModel:
    return branches(90, 93, 96, 99, constraints=TIED)


def searched(model: DomainModel) -> SearchedRows:
    return SearchedRows(model, unfold(model))


@pytest.fixture
def no_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the solver give up at once, so that what is decided was found by a search."""
    monkeypatch.setattr(budgets, "EASY_FINDING", 1)
    monkeypatch.setattr(budgets, "FINDINGS", 0)


def test_rows_come_to_meet_constraints_that_drawn_ones_miss() -> None:
    model = rare()
    wanted = [condition(model, "f0 >= 50")]

    assert not is_met_by_drawn_row(model, wanted)
    assert searched(model).meet(wanted)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("f0 + f3 == 2 * f0 + 10", id="against the constraints"),
        pytest.param("f0 > 91 and f3 < 100", id="a little against them"),
    ],
)
def test_no_row_is_found_where_there_is_none(text: str) -> None:
    model = rare()
    wanted = [condition(model, text)]

    assert not searched(model).meet(wanted)
    assert Inquiry(model, unfold(model)).find_row(wanted, is_shown=False) == NoRow()


@pytest.mark.parametrize("model", [claims(), orders(), warranty(), parcel()])
def test_what_a_search_finds_the_solver_does_not_refute(model: DomainModel) -> None:
    places = unfold(model)
    rows, asked = SearchedRows(model, places), Inquiry(model, places)
    for place in places:
        for transition in place.transitions:
            if rows.meet([transition.condition]):
                assert isinstance(asked.find_row([transition.condition]), Row)


def test_the_same_model_has_the_same_rows() -> None:
    first, second = searched(claims()), searched(claims())
    for rows in (first, second):
        assert rows.meet([condition(rows.model, "frozen or not frozen")])

    assert first.herd is not None
    assert second.herd is not None
    assert list(first.herd.rows.values) == list(second.herd.rows.values)
    for name, column in first.herd.rows.values.items():
        assert (column == second.herd.rows.values[name]).all(), name
    assert (first.herd.broken == second.herd.broken).all()


def decided_by_search(model: DomainModel) -> dict[str, str]:
    """Return what is found where the solver may not be asked, by place."""
    places = unfold(model)
    found = examine_influence(model, places, Inquiry(model, places, budget=0))
    return {item.where: item.id for item in found}


@pytest.mark.usefixtures("no_solver")
def test_a_field_that_matters_in_rare_cases_is_found_to_without_the_solver() -> None:
    found = decided_by_search(rare())

    assert "fields.f0" not in found


def test_questions_share_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    model = rare()
    wanted = [condition(model, "f0 > 91 and f3 < 100")]
    monkeypatch.setattr(budgets, "EASY_FINDING", 1)
    rich, poor = Inquiry(model), Inquiry(model, budget=0)

    assert rich.find_row(wanted) == NoRow()
    assert rich.left < budgets.FINDINGS
    assert poor.find_row(wanted) == Undecided()
