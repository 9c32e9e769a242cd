from __future__ import annotations

from collections import Counter

from sopforge.language.domain.expressions.expressions import Read
from sopforge.language.domain.fields import Near, Sampling
from sopforge.proof.dataset.sampling.sampling import sample_rows
from tests.conftest import Golden
from tests.unit.domain.refusals import FAULTS, list_faults
from tests.worlds.small_models import CLAIMS, STAYS, condition, stays


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


def test_values_that_cannot_be_drawn_so_are_refused(golden: Golden) -> None:
    faults = list_faults(
        [("when: age < 18", "when: amount < 18 and firm == firm")],
        [("when: age < 18", "when: settled == 'paid'")],
        [("when: age < 18", "when: patient_id == patient_id")],
        [("when: plan == 'Seniors'", "when: ward == 'Surgery'")],
        [("of: admitted_on", "of: discharged_on")],
        [("when: age < 18", "when: agee < 18")],
        [("of: admitted_on", "of: list_price")],
        [("from: 0, to: 30", "from: 4, to: 3")],
        [("yes_share: 95}", "weights: [1, 2]}")],
        [("yes_share: 95}", "missing_share: 5}")],
        [("shape: [40, 20, 10, 5, 2, 1]", "shape: [0, 0]")],
        [("shape: [6, 3, 1]", f"shape: {[1] * 32}")],
        [("of: firm", "of: ward")],
        [("like: email, unique: true", "like: email, unique: true, of: firm")],
        [("like: company", "like: company, pool: [A1]")],
        [
            (
                "values: [paid, referred,",
                "given: [{when: age > 3, weights: [1, 1, 1]}], values: [paid, referred,",
            )
        ],
        [('pattern: "P[0-9]{5}"', 'given: [{when: escorted}], pattern: "P[0-9]{5}"')],
        [("age >= 18, then: declined", "patient_name == firm, then: declined")],
        [("age >= 18, then: declined", "patient_name == 'Ann Hill', then: declined")],
        [("like: email, unique: true", "like: department, unique: true")],
        base=STAYS,
        source="stays.yaml",
    )
    golden(FAULTS / "draws.txt", faults)


def test_lists_that_cannot_be_drawn_so_are_refused(golden: Golden) -> None:
    faults = list_faults(
        [("typical: {min: 10.00, max: 90.00, share: 85}", "near: {of: total, from: 0, to: 1}")],
        [
            (
                "type: boolean, yes_share: 85",
                "type: boolean, given: [{when: grade == 'Lead', yes_share: 1}]",
            )
        ],
        [
            (
                "empty: no line",
                "empty: no line\n          given: [{when: pin == 'K7Q', member_share: 3}]",
            )
        ],
        [("empty: no line", "empty: no line\n          shape: [1, 1, 1, 1, 1, 1]")],
        base=CLAIMS,
        source="everything.yaml",
    )
    golden(FAULTS / "draws_of_lists.txt", faults)
