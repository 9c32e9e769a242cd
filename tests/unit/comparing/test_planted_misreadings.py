"""A misreading that was planted in a brief in other words is found, as one question."""

from __future__ import annotations

import pytest

from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.walking import Walk
from sopforge.proof.comparing.comparison import ReadingsVerdict
from sopforge.proof.dataset.oracle import label_row
from tests.worlds.readings import Pair, bicycle_pair, renamed_pair

PARCEL = "tests/domains/parcel.yaml"
INTAKE = "briefs/patient_intake.yaml"
STAYS = "tests/domains/stays.yaml"
COUNTER = "docs/examples/small_counter.yaml"
EVERYTHING = "tests/domains/everything.yaml"
SHIPPED = (
    PARCEL,
    INTAKE,
    STAYS,
    COUNTER,
    EVERYTHING,
    "briefs/dangerous_goods.yaml",
    "briefs/referral_abuse_simple.yaml",
    "tests/briefs/fees.yaml",
    "tests/briefs/refund.yaml",
    "tests/domains/callers.yaml",
    "tests/domains/dispatch.yaml",
    "tests/domains/kits.yaml",
    "tests/domains/lending.yaml",
    "tests/domains/orders.yaml",
    "tests/domains/permits.yaml",
    "tests/domains/rebooking.yaml",
    "tests/domains/transfers.yaml",
    "tests/domains/warranty.yaml",
)


@pytest.mark.parametrize("file", SHIPPED)
def test_a_brief_in_other_words_is_proved_alike(file: str) -> None:
    found = renamed_pair(file).compare(500)

    assert found.verdict is ReadingsVerdict.ALIKE
    assert found.questions == ()
    assert found.is_whole


PLANTED = {
    "a number": (INTAKE, "adult_age: {value: 18", "adult_age: {value: 21"),
    "a number far off": (INTAKE, "waiting_period: {value: 30", "waiting_period: {value: 90"),
    "a comparator": (PARCEL, "is: surcharge <= 30", "is: surcharge < 30"),
}


@pytest.mark.parametrize("what", PLANTED)
def test_one_planted_misreading_is_one_question(what: str) -> None:
    file, old, new = PLANTED[what]
    assert_one_question(renamed_pair(file, (old, new)))


DAMAGED = "          - {when: condition == 'damaged', to: workshop}\n"
BICYCLES = {
    "a number": ("delay >= 11 and", "delay >= 21 and"),
    "a comparator": ("delay >= 11 and", "delay > 11 and"),
    "a dropped rule": (DAMAGED, ""),
    "the order of rules": (
        f"{DAMAGED}          - {{when: delay <= 0, to: fine}}\n",
        f"          - {{when: delay <= 0, to: fine}}\n{DAMAGED}",
    ),
    "a dropped exception": ("delay >= 11 and notice == 'not given'", "delay >= 11"),
    "an exception turned round": ("notice == 'not given'", "notice == 'given beforehand'"),
    "another default": ("          - {to: paid}", "          - {to: fine}"),
    "another target": ("'not given', to: barred}", "'not given', to: workshop}"),
    "a rate": ('"min(max(delay, 1), 14) * 4"', '"min(max(delay, 1), 14) * 3"'),
    "an edge of a table": ("{id: B, when: delay >= 15", "{id: B, when: delay >= 14"),
    "a label read as another": ("when: tariff == 'student'", "when: tariff == 'full'"),
    "results exchanged": ("end: {result: taken back}", "end: {result: fee charged}"),
    "a value for none": (
        "{id: N, when: delay <= 0, then: missing}",
        "{id: N, when: delay <= 0, then: 0}",
    ),
}


@pytest.mark.parametrize("what", BICYCLES)
def test_one_misreading_of_another_representation_is_one_question(what: str) -> None:
    assert_one_question(bicycle_pair(BICYCLES[what]))


def test_two_labels_exchanged_are_one_question() -> None:
    swapped = bicycle_pair(
        ("end: {result: taken back}", "end: {result: fee charged }"),
        ("end: {result: fee charged}", "end: {result: taken back}"),
    )

    assert_one_question(swapped)


def test_two_misreadings_are_two_questions() -> None:
    pair = bicycle_pair(BICYCLES["a dropped exception"], BICYCLES["a rate"])

    compared = pair.compare()

    labels = [next(iter(question.first.decides)) for question in compared.questions]
    assert sorted(labels) == ["decision", "fee for lateness"]
    assert compared.questions[0].cases >= compared.questions[1].cases


def assert_one_question(pair: Pair) -> None:
    """Assert that one question comes, and that its case is decided otherwise by both walks."""
    found = pair.compare()

    assert found.verdict is ReadingsVerdict.DIFFERENT
    assert len(found.questions) == 1, [question.text for question in found.questions]
    (question,) = found.questions
    assert question.first.decides.keys() == question.second.decides.keys()
    assert all(
        question.first.decides[label] != question.second.decides[label]
        for label in question.first.decides
    )
    assert question.first.because
    assert question.second.because
    labels = {item.label: item.name for item in pair.ours.fields.values()}
    named = {item.name: name for name, item in pair.alignment.outcomes.items()}
    words = {item.name: item.labels for item in pair.alignment.outcomes.values()}
    walks = label_row(pair.ours, question.rows[0]), label_row(pair.theirs, question.rows[1])
    for label, shown in question.first.decides.items():
        name = labels[label]
        ours = pair.ours.fields[name].format_cell(walks[0].known.get(name))
        theirs = format_answer(pair.theirs, named[name], walks[1])
        assert walks[0].refusal is not None or ours in {shown, ""}
        said = question.second.decides[label]
        assert walks[1].refusal is not None or words[name].get(theirs, theirs) in {said, ""}


def format_answer(model: DomainModel, name: str, walked: Walk) -> str:
    return model.fields[name].format_cell(walked.known.get(name))
