from __future__ import annotations

from collections import Counter

import pytest

from sopforge.errors import Fault, MaterialError
from sopforge.language.domain.expressions.expressions import Read
from sopforge.language.domain.fields import Near, Sampling
from sopforge.language.domain.reading import read_brief
from sopforge.proof.dataset.sampling.sampling import sample_rows
from tests.worlds.small_models import CLAIMS, STAYS, changed, condition, stays

FIELDS = "model.entities.stay.fields"


def fault_of(*changes: tuple[str, str]) -> Fault:
    """Return the one fault of the stays with each old text replaced."""
    with pytest.raises(MaterialError) as caught:
        read_brief(changed(STAYS, *changes), "stays.yaml")
    (fault,) = caught.value.faults
    return fault


def line(text: str) -> int:
    """Return the line of the stays that a text stands in."""
    return STAYS[: STAYS.index(text)].count("\n") + 1


def test_a_field_keeps_how_it_is_drawn_by_others() -> None:
    model = stays()
    near = Near(Read(model.fields["list_price"].type, "list_price"), -15_000, 15_000, (1, 2, 1), 95)

    assert model.fields["amount"].sampling.near == near
    assert model.fields["patient_email"].sampling == Sampling(of="patient_name")


def test_a_case_says_what_changes_and_keeps_the_rest() -> None:
    model = stays(("typical: {min: 65, max: 95, share: 100}", "missing_share: 0"))
    (given,) = model.fields["age"].sampling.given

    assert given.when == condition(model, "plan == 'Seniors'")
    assert given.sampling.typical == model.fields["age"].sampling.typical


def test_a_value_near_another_may_lie_outside_of_the_range() -> None:
    model = stays(("of: list_price", 'of: "round(list_price * 9 / 10, 2) + 30000"'))

    assert Counter(row["amount"] for row in sample_rows(model, 1, range(500)))[3_000_000] > 450


@pytest.mark.parametrize(
    ("old", "new", "code", "part", "words"),
    [
        pytest.param(
            "when: age < 18",
            "when: amount < 18 and firm == firm",
            "drawn-later",
            "escorted.given.0.when",
            "the values of 'escorted' depend on 'firm', which is drawn later",
            id="a field below",
        ),
        pytest.param(
            "when: age < 18",
            "when: settled == 'paid'",
            "drawn-later",
            "escorted.given.0.when",
            "'escorted' depend on 'settled'",
            id="an outcome",
        ),
        pytest.param(
            "when: age < 18",
            "when: patient_id == patient_id",
            "drawn-later",
            "escorted.given.0.when",
            "'escorted' depend on 'patient_id'",
            id="a key",
        ),
        pytest.param(
            "when: plan == 'Seniors'",
            "when: ward == 'Surgery'",
            "drawn-later",
            "age.given.0.when",
            "'age' depend on 'ward'",
            id="a record that refers to this one",
        ),
        pytest.param(
            "of: admitted_on",
            "of: discharged_on",
            "drawn-later",
            "discharged_on.near",
            "'discharged_on' depend on 'discharged_on'",
            id="itself",
        ),
        pytest.param(
            "when: age < 18",
            "when: agee < 18",
            "unknown-field",
            "escorted.given.0.when",
            "agee",
            id="a slip",
        ),
        pytest.param(
            "of: admitted_on",
            "of: list_price",
            "type-error",
            "discharged_on.near",
            "expected a date",
            id="a number for a date",
        ),
        pytest.param(
            "from: 0, to: 30",
            "from: 4, to: 3",
            "value-not-allowed",
            "discharged_on.near",
            "'from' is above 'to'",
            id="ends",
        ),
        pytest.param(
            "yes_share: 95}",
            "weights: [1, 2]}",
            "value-not-allowed",
            "escorted.given.0",
            "a field of type boolean has no 'weights'",
            id="a key of another type",
        ),
        pytest.param(
            "yes_share: 95}",
            "missing_share: 5}",
            "value-not-allowed",
            "escorted.given.0",
            "'missing_share' needs 'missing'",
            id="missing without a word",
        ),
        pytest.param(
            "shape: [40, 20, 10, 5, 2, 1]",
            "shape: [0, 0]",
            "value-not-allowed",
            "list_price",
            "at least one of them above 0",
            id="no weight",
        ),
        pytest.param(
            "shape: [6, 3, 1]",
            f"shape: {[1] * 32}",
            "value-not-allowed",
            "discharged_on.near",
            "no more weights than the range has values",
            id="more parts than days",
        ),
        pytest.param(
            "of: firm",
            "of: ward",
            "cannot-follow",
            "firm_site.of",
            "'firm_site' cannot be made from 'ward'",
            id="no text",
        ),
        pytest.param(
            "like: email, unique: true",
            "like: email, unique: true, of: firm",
            "cannot-follow",
            "form_reference.of",
            "'form_reference' cannot be made from 'firm'",
            id="unique",
        ),
        pytest.param(
            "like: company",
            "like: company, pool: [A1]",
            "value-not-allowed",
            "firm",
            "exactly one of 'pattern', 'pool', 'like' and 'free_text'",
            id="two kinds of text",
        ),
        pytest.param(
            "values: [paid, referred,",
            "given: [{when: age > 3, weights: [1, 1, 1]}], values: [paid, referred,",
            "not-drawn",
            "settled",
            "'settled' is of role outcome",
            id="an outcome is not drawn",
        ),
        pytest.param(
            'pattern: "P[0-9]{5}"',
            'given: [{when: escorted}], pattern: "P[0-9]{5}"',
            "not-drawn",
            "patient_id",
            "'patient_id' is a key",
            id="a key is not drawn",
        ),
    ],
)
def test_a_fault_says_where_and_what(old: str, new: str, code: str, part: str, words: str) -> None:
    fault = fault_of((old, new))
    entity = "patient" if part.startswith("age") else "stay"

    assert (fault.code, words in fault.message) == (code, True), fault
    assert f"model.entities.{entity}.fields.{part}" in fault.where
    assert fault.where.startswith(f"stays.yaml:{line(old)}")


def test_texts_of_different_kinds_are_not_compared() -> None:
    fault = fault_of(("age >= 18, then: declined", "patient_name == firm, then: declined"))

    assert "cannot compare texts like a person name with texts like a company" in fault.message


def test_a_text_that_is_made_up_is_not_written_in_a_rule() -> None:
    fault = fault_of(("age >= 18, then: declined", "patient_name == 'Ann Hill', then: declined"))

    assert (fault.code, "are invented" in fault.message) == ("unknown-value", True)


def test_unique_texts_must_be_enough_for_all_tasks() -> None:
    fault = fault_of(("like: email, unique: true", "like: department, unique: true"))

    assert (
        fault.code,
        "'department' allows only 20 texts, but each of the 60" in fault.message,
    ) == (
        "pattern-too-small",
        True,
    )


@pytest.mark.parametrize(
    ("old", "new", "code", "part", "words"),
    [
        pytest.param(
            "typical: {min: 10.00, max: 90.00, share: 85}",
            "near: {of: total, from: 0, to: 1}",
            "drawn-later",
            "items.amount.near",
            "'lines' depend on 'total'",
            id="an item by what is worked out",
        ),
        pytest.param(
            "type: boolean, yes_share: 85",
            "type: boolean, given: [{when: grade == 'Lead', yes_share: 1}]",
            "drawn-later",
            "items.has_receipt.given.0.when",
            "'lines' depend on 'grade'",
            id="an item by a field below the list",
        ),
        pytest.param(
            "empty: no line",
            "empty: no line\n          given: [{when: pin == 'K7Q', member_share: 3}]",
            "value-not-allowed",
            "given.0",
            "a field of type list has no 'member_share'",
            id="a list has no members",
        ),
        pytest.param(
            "empty: no line",
            "empty: no line\n          shape: [1, 1, 1, 1, 1, 1]",
            "value-not-allowed",
            "",
            "no more weights than the range has values",
            id="more parts than numbers of items",
        ),
    ],
)
def test_a_fault_in_how_a_list_is_drawn_says_where(
    old: str, new: str, code: str, part: str, words: str
) -> None:
    with pytest.raises(MaterialError) as caught:
        read_brief(changed(CLAIMS, (old, new)), "everything.yaml")
    (fault,) = caught.value.faults

    assert (fault.code, words in fault.message) == (code, True), fault
    assert f"model.entities.claim.fields.lines.{part}".rstrip(".") in fault.where
