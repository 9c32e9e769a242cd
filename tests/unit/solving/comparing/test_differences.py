"""What two procedures make of the same rows is asked about in one place."""

from __future__ import annotations

from collections.abc import Iterator

from sopforge.language.domain.expressions.expressions import Expression, Read
from sopforge.language.domain.expressions.numbers import make_number_constant
from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.variants.substitution import Replacement
from sopforge.proof.solving.comparing.differences import build_difference, find_differing_row
from sopforge.proof.solving.questions import NoRow, Row, Undecided
from sopforge.proof.solving.unfolded_places import TooManyStepsError
from sopforge.proof.solving.unfolding import FALSE
from tests.worlds.small_models import condition, parcel

MODEL: DomainModel = parcel()
WEIGHT = Replacement(Read(MODEL.fields["weight"].type, "weight"))
FIVE = Replacement(make_number_constant(5))
HEAVY, LIGHT = condition(MODEL, "weight > 5"), condition(MODEL, "weight <= 5")


def test_rows_are_looked_for_only_within_the_conditions() -> None:
    assert isinstance(find_differing_row(MODEL, [HEAVY]), Row)
    assert find_differing_row(MODEL, [HEAVY], [LIGHT]) == NoRow()


def test_one_difference_of_several_is_enough() -> None:
    found = find_differing_row(MODEL, [FALSE, HEAVY, FALSE])
    assert isinstance(found, Row)
    assert found.cells["weight"] == "5.01"


def test_no_difference_is_proved_where_there_is_none_to_ask_about() -> None:
    assert find_differing_row(MODEL, ()) == NoRow()
    assert build_difference([(WEIGHT, WEIGHT), (FIVE, FIVE)]) is FALSE


def test_a_procedure_of_too_many_steps_is_undecided_and_no_proof() -> None:
    def derive() -> Iterator[Expression]:
        yield FALSE
        raise TooManyStepsError("a procedure of many loops")

    assert find_differing_row(MODEL, derive()) == Undecided()


def test_the_least_row_on_which_values_differ_is_found() -> None:
    found = find_differing_row(MODEL, [build_difference([(WEIGHT, FIVE)])], [HEAVY])
    assert isinstance(found, Row)
    assert found.cells["weight"] == "5.01"
