"""What rules say of a number beside an amount, as "the patient is less than 18 years old"."""

from __future__ import annotations

import pytest

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.dataset.sampling.sampling import sample_rows
from sopforge.errors import MaterialError
from sopforge.rendering.sop.sop import render_sop
from tests.faults.sop_faults import planted
from tests.judges.sop_walker import list_other_answers
from tests.worlds.edited_sops import list_edit_errors
from tests.worlds.small_models import parcel

WEIGHT = "min: 0.00, max: 40.00, unit: kg"
AGE = (
    "        service: {role: observed",
    (
        '        age: {label: age of the sender, said: "the sender is {} old", role: observed,'
        " type: integer, min: 0, max: 99, unit: years, description: age}\n"
        "        service: {role: observed"
    ),
)
SAID = (WEIGHT, f'{WEIGHT}, said: "the parcel weighs {{}}"')
RULES = (
    "        - {id: C1, when: fragile or 'Glass' in contents, then: careful}\n",
    (
        "        - {id: C1, when: fragile or 'Glass' in contents, then: careful}\n"
        "        - {id: C3, when: weight > 30.00 and age < 18, then: careful}\n"
        "        - {id: C4, when: weight >= 20.00 and weight < 25.00, then: careful}\n"
        "        - {id: C5, when: age == 21 or (age >= 65 and weight <= 0.50), then: careful}\n"
    ),
)
RETURNED = ("returns: [service, due_on]", "returns: [service, due_on, age]")
MODEL = parcel(SAID, AGE, RULES, RETURNED)
LINES = render_sop(MODEL, "").lines
YOUNG = "the parcel weighs more than 30 kg and the sender is less than 18 years old;"
OTHERS = "the sender is at least 65 years old and the parcel weighs at most 0.50 kg."


@pytest.mark.parametrize(
    "said", [YOUNG, "the weight is at least 20 kg and less than 25 kg;", OTHERS]
)
def test_it_is_said_so(said: str) -> None:
    assert any(said in line.text for line in LINES), [line.text for line in LINES]


@pytest.mark.parametrize("seed", [None, 0, 1, 2])
def test_it_is_read_back_in_every_wording(seed: int | None) -> None:
    assert list(read_back_findings(MODEL, render_sop(MODEL, "", (), seed).lines)) == []


def test_who_walks_by_the_text_comes_to_the_same_answers() -> None:
    rows = sample_rows(MODEL, 5, range(120))

    assert list_other_answers(MODEL, render_sop(MODEL, "").lines, rows) == []


def test_every_planted_fault_is_found() -> None:
    faults = [fault for fault in planted(MODEL, render_sop(MODEL, "")) if " old" in fault.text]

    assert {"number", "comparator"} <= {fault.kind for fault in faults}
    for fault in faults:
        assert list(read_back_findings(MODEL, fault.document.lines)) != [], fault.text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("weighs more than 30 kg", "weighs more than 30 years"),
        ("weighs more than 30 kg", "weighs less than 30 kg"),
        ("less than 18 years old", "at most 18 years old"),
        ("less than 18 years old", "less than 18 kg old"),
        ("the sender is less than 18 years old", "the parcel weighs less than 18 years old"),
        ("the sender is less than 18 years old", "the sender weighs less than 18 kg"),
        ("at least 65 years old", "exactly 65 years old"),
        ("at least 65 years old", "not exactly 65 years old"),
    ],
)
def test_another_meaning_is_found(old: str, new: str) -> None:
    assert list_edit_errors(MODEL, LINES, (old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("weighs more than 30 kg", "weighs over 30 kg"),
        ("the parcel weighs more than 30 kg", "the weight is more than 30 kg"),
        ("the sender is less than 18 years old", "the sender is under 18 years old"),
        (
            "the sender is less than 18 years old",
            "the age of the sender is less than 18 years",
        ),
    ],
)
def test_other_words_of_the_same_meaning_are_accepted(old: str, new: str) -> None:
    assert list_edit_errors(MODEL, LINES, (old, new)) == []


def test_a_clause_of_two_numbers_is_left_out() -> None:
    alike = (AGE[0], AGE[1].replace("the sender is {} old", "the parcel weighs {}"))
    text = "\n".join(
        line.text for line in render_sop(parcel(SAID, alike, RULES, RETURNED), "").lines
    )

    assert "weighs" not in text
    assert "the weight is more than 30 kg and the age of the sender is less than 18 years;" in text


@pytest.mark.parametrize(
    "said",
    [
        *("the parcel is heavy", "{} kg", "the parcel weighs {} to {}", "The parcel weighs {}"),
        *("the parcel weighs {}, packed", "if the parcel weighs {}", "weighs {}"),
        *("the parcel weighs not {}", "the parcel never weighs {}", "the parcel weighs {} kg"),
        *("the parcel weighs less than {}", "the parcel is {} only"),
    ],
)
def test_words_that_are_no_clause_with_one_amount_are_refused(said: str) -> None:
    with pytest.raises(MaterialError) as caught:
        parcel((WEIGHT, f'{WEIGHT}, said: "{said}"'))

    message = str(caught.value)
    assert f"'{said}' is not a plain clause with one {{}} for the amount" in message
    assert "weight" in message


def test_that_a_number_is_another_one_is_said_of_its_label() -> None:
    other = (RULES[0], RULES[0].replace("fragile or 'Glass' in contents", "age != 65"))
    lines = render_sop(parcel(SAID, AGE, other, RETURNED), "").lines

    assert any("the age of the sender is not 65 years" in line.text for line in lines)


def test_two_clauses_that_begin_alike_are_read_by_their_ends() -> None:
    height = AGE[1].replace("age: {label: age of", "height: {label: height of", 1)
    height = height.replace("{} old", "{} tall").replace("unit: years", "unit: cm")
    both = (AGE[0], height.removesuffix(AGE[0]) + AGE[1])
    rules = (
        RULES[0],
        RULES[0].replace("fragile or 'Glass' in contents", "height <= 90 or age <= 3"),
    )
    returned = (RETURNED[0], "returns: [service, due_on, age, height]")
    model = parcel(both, rules, returned)
    lines = render_sop(model, "").lines

    assert any("the sender is at most 90 cm tall" in line.text for line in lines)
    assert list(read_back_findings(model, lines)) == []


def write_with(said: str, other: str, kind: str = "type: number, places: 2, min: 0.00") -> str:
    """Return the SOP whose rule reads the weight, beside another number in kg or clause."""
    field = (
        "        weight: {role: input",
        (
            f"        other: {{{other}, role: observed, {kind}, description: another}}\n"
            "        weight: {role: input"
        ),
    )
    rule = (RULES[0], RULES[0].replace("fragile or 'Glass' in contents", "weight > 30.00"))
    returned = (RETURNED[0], "returns: [service, due_on, other]")
    model = parcel((WEIGHT, f'{WEIGHT}, said: "{said}"'), field, rule, returned)
    lines = render_sop(model, "").lines
    assert list(read_back_findings(model, lines)) == []
    return "\n".join(line.text for line in lines)


@pytest.mark.parametrize(
    ("said", "other"),
    [
        pytest.param("the parcel is {}", "label: net load, max: 9.00, unit: kg", id="unit"),
        pytest.param("the load is {}", "label: load, max: 9.00, unit: g", id="label"),
        pytest.param(
            "the parcel is {}",
            'label: size, max: 9.00, unit: cm, said: "the parcel is {} wide"',
            id="beginning",
        ),
    ],
)
def test_a_clause_that_could_be_of_another_number_is_left_out(said: str, other: str) -> None:
    assert "the weight is more than 30 kg" in write_with(said, other)


def test_a_clause_with_the_words_of_its_label_is_of_no_other_number() -> None:
    text = write_with("the weight is {} when packed", "label: net load, max: 9.00, unit: kg")

    assert "the weight is more than 30 kg when packed" in text


def test_a_clause_that_another_one_begins_is_left_out() -> None:
    said = "label: load, said: {yes: the parcel counts, no: the parcel is free}"

    assert "the weight is more than 30 kg" in write_with(
        "the parcel counts {}", said, "type: boolean"
    )
