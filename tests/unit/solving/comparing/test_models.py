"""Two models are compared on the rows that both have."""

from __future__ import annotations

import pytest

from sopforge.proof.solving.comparing.models import compare_models, list_answers_of_one
from sopforge.proof.solving.questions import NoRow, Row, Undecided
from tests.worlds.changed_briefs import DECLINED, FEES, LONGER, REFUND, model_of


def test_models_that_agree_are_proved_to() -> None:
    found = compare_models(model_of(REFUND), model_of(REFUND))
    assert (found.answer, found.narrowed, found.apart) == (NoRow(), (), ())


CHANGED = {
    "refund": (
        REFUND,
        LONGER,
        {"reason": "Wrong item", "days_since_delivery": "31", "order_amount": "5.00"},
    ),
    "grace": (FEES, ("value: 3,", "value: 4,"), {"days_late": "4"}),
    "amount": (FEES, ("value: 12.50", "value: 12.75"), {"days_late": "11"}),
}


@pytest.mark.parametrize(("text", "change", "least"), CHANGED.values(), ids=CHANGED)
def test_the_least_row_of_another_answer_is_found(
    text: str, change: tuple[str, str], least: dict[str, str]
) -> None:
    found = compare_models(model_of(text), model_of(text, change))

    assert isinstance(found.answer, Row)
    assert {**found.answer.cells, **least} == found.answer.cells


def test_what_one_model_alone_answers_is_named() -> None:
    # The scored amount is renamed wherever it stands.
    renamed = (("fee: {role", "due: {role"), ("    fee:\n", "    due:\n"), ("[fee]", "[due]"))
    other = model_of(FEES, *renamed)
    assert list_answers_of_one(model_of(FEES), other) == ("fee",)
    assert list_answers_of_one(other, model_of(FEES)) == ("due",)


def test_labels_of_outcomes_are_compared_as_words() -> None:
    found = compare_models(model_of(REFUND), model_of(REFUND, DECLINED))
    assert isinstance(found.answer, Row)
    # Only a case that is refused has another answer.
    assert int(str(found.answer.values["days_since_delivery"])) > 30


def test_labels_of_outcomes_in_another_order_are_the_same_answers() -> None:
    other = model_of(REFUND, ("[paid, passed on, refused]", "[refused, paid, passed on]"))
    assert compare_models(model_of(REFUND), other).answer == NoRow()


def test_a_label_of_an_input_that_one_model_lacks_is_not_asked_about() -> None:
    other = model_of(REFUND, ("Changed mind]", "No reason]"))
    found = compare_models(model_of(REFUND), other)
    assert (found.answer, found.narrowed) == (NoRow(), ("reason",))


def test_labels_of_an_input_that_changed_places_are_not_taken_for_each_other() -> None:
    other = model_of(
        REFUND, ("[Damaged, Wrong item, Changed mind]", "[Wrong item, Damaged, Changed mind]")
    )
    found = compare_models(model_of(REFUND), other)
    assert (found.answer, found.narrowed) == (NoRow(), ("reason",))


def test_a_value_that_may_be_missing_in_one_model_is_asked_about_where_it_is_there() -> None:
    other = model_of(
        FEES,
        ("Reference], description", "Reference], missing: not stated, description"),
        ("kind != 'Film'", "(not present(kind) or kind != 'Film')"),
    )
    found = compare_models(other, model_of(FEES))
    assert (found.answer, found.narrowed) == (NoRow(), ("kind",))


def test_ranges_that_share_no_value_are_apart() -> None:
    other = model_of(REFUND, ("min: 5.00, max: 400.00", "min: 500.00, max: 900.00"))
    found = compare_models(model_of(REFUND), other)
    assert (found.answer, found.apart) == (None, ("order_amount",))


def test_a_procedure_of_too_many_steps_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sopforge.proof.solving.unfolded_places.MOST_PLACES", 0)
    assert compare_models(model_of(REFUND), model_of(REFUND)).answer == Undecided()
