"""What a comparison says: what was held, proved and open, and which facts matter."""

from __future__ import annotations

import json
import re

import pytest

from sopforge.language.domain.reading import read_domain
from sopforge.proof.comparing.aligning.alignment import Alignment, read_alignment
from sopforge.proof.comparing.aligning.matching import match_models
from sopforge.proof.comparing.asking.composing import BothSources
from sopforge.proof.comparing.asking.grounds import Grounds, read_sources
from sopforge.proof.comparing.comparison import ReadingsVerdict, compare_readings
from sopforge.proof.dataset.oracle import label_row
from tests.worlds.readings import FIXTURES, bicycle_pair, renamed_pair

NAMES = (FIXTURES / "names.yaml").read_text("utf-8")
LATER = ("delay >= 11 and", "delay >= 21 and")


def test_two_representations_of_one_reading_are_proved_alike() -> None:
    found = bicycle_pair().compare(10_000)

    assert found.verdict is ReadingsVerdict.ALIKE
    assert found.questions == ()
    # A return can be 91 days late by its dates, and 60 by a count of days.
    assert found.census.unheld.keys() == {"delay"}
    assert found.census.held + found.census.unheld["delay"] == found.census.drawn


def test_the_case_of_a_limit_stands_at_the_limit() -> None:
    (question,) = bicycle_pair(LATER).compare().questions

    row = question.rows[0]
    returned_on, due_on = row["returned_on"], row["due_on"]
    assert isinstance(returned_on, int)
    assert isinstance(due_on, int)
    assert returned_on - due_on in {11, 20}
    facts = {fact.label for fact in question.case}
    assert facts == {"day of the return", "damage", "due day", "report of the delay"}
    assert (question.first.decides, question.second.decides) == (
        {"decision": "Suspended"},
        {"decision": "Charged"},
    )


def test_a_question_names_no_field_and_says_the_rules_of_both() -> None:
    (question,) = bicycle_pair(LATER).compare().questions

    said = json.dumps([question.text, question.offered, *question.first.because])
    assert "returned_on" not in said
    assert "due_on" not in said
    assert question.first.items[0] == "decisions.decision.D2"
    assert question.second.items[0] == "steps.sort.3"
    assert "days of lateness are more than 10 and" in question.first.because[0]
    assert "at least 21 days" in question.second.because[0]
    assert question.offered[0].endswith('the decision is "Suspended".')
    assert question.offered[1].endswith('the decision is "Charged".')


def test_a_limit_that_no_drawn_case_meets_is_found_all_the_same() -> None:
    # The surcharge of one parcel in millions is exactly 30.
    (question,) = (
        renamed_pair("tests/domains/parcel.yaml", ("is: surcharge <= 30", "is: surcharge < 30"))
        .compare(50)
        .questions
    )

    assert question.cases == 0
    assert question.first.decides.keys() == question.second.decides.keys()


def test_the_same_question_has_the_same_id_whatever_was_drawn() -> None:
    pair = bicycle_pair(LATER)
    first, again = pair.compare(300), pair.compare(300)

    assert [item.id for item in first.questions] == [item.id for item in again.questions]
    assert first.as_record() == again.as_record()
    other = bicycle_pair(("delay >= 11 and", "delay >= 31 and")).compare(300)
    assert first.questions[0].id != other.questions[0].id


def test_sentences_of_the_brief_stand_by_what_rests_on_them() -> None:
    pair = bicycle_pair(LATER)
    remarks = {
        "sources": [
            {"says": "Whoever is more than 10 days late is suspended.", "items": ["policy.grace"]},
            {"says": "Nothing of this.", "items": ["decisions.fee.F1"]},
            {"says": 7, "items": ["policy.grace"]},
            {"says": "No items."},
            "not a mapping",
        ]
    }
    theirs = {"steps.sort.3": ("Suspended after three weeks.",)}
    sources = BothSources(read_sources(remarks), theirs)

    found = compare_readings(pair.ours, pair.theirs, pair.alignment, sources, count=300)

    (question,) = found.questions
    assert question.first.sources == ("Whoever is more than 10 days late is suspended.",)
    assert question.second.sources == ("Suspended after three weeks.",)
    assert read_sources(None) == {}


def test_a_sentence_may_be_about_the_rule_its_decision_or_its_facts() -> None:
    ground = Grounds(bicycle_pair().ours).known["decisions.decision.D2"]
    items = ("decisions.decision.D2", "decisions.decision", "fields.reported", "policy.grace")
    others = ("decisions.decision.D1", "policy.daily_fee", "fields.is_student")

    found = [ground.find_sources({item: ("A sentence.",)}) for item in (*items, *others)]

    assert found == [*[("A sentence.",)] * len(items), *[()] * len(others)]


def test_a_fact_that_one_reading_alone_asks_for_is_a_question_whether_it_matters() -> None:
    pair = bicycle_pair()
    lacking = NAMES.replace("  tariff: \"'student' if is_student else 'full'\"\n", "")
    alignment = read_alignment(
        lacking + "lacking: [tariff]\n", "names.yaml", pair.ours, pair.theirs
    )
    # Ours asks whether somebody is a student, theirs for a tariff: each is lacking in the other.
    found = compare_readings(pair.ours, pair.theirs, alignment, count=2_000)

    kinds = [(question.kind, question.text.partition("?")[0]) for question in found.questions]
    assert sorted(kinds) == [
        ("fact", 'Does it matter whether the student is "yes"'),
        ("fact", 'Does it matter whether the tariff of the member is "student"'),
    ]
    for question in found.questions:
        assert question.first.decides != question.second.decides
        assert any(fact.label in {"student", "tariff of the member"} for fact in question.case)


def test_what_is_open_is_not_asked_about_and_nothing_is_called_alike() -> None:
    pair = bicycle_pair()
    some = re.sub("(?m)^  (delay|notice):.*\n", "", NAMES)
    alignment = read_alignment(some, "names.yaml", pair.ours, pair.theirs)

    found = compare_readings(pair.ours, pair.theirs, alignment, count=500)

    assert found.verdict is ReadingsVerdict.UNDECIDED
    assert {item.name for item in found.open} == {"delay", "notice"}
    assert not found.is_whole


def test_without_an_outcome_in_common_nothing_is_compared() -> None:
    pair = bicycle_pair()

    found = compare_readings(pair.ours, pair.theirs, Alignment(), count=50)

    assert found.verdict is ReadingsVerdict.NOT_COMPARED
    assert found.census.drawn == 0


def test_what_one_states_the_other_may_work_out() -> None:
    """Theirs is handed the days that it works out from dates which ours does not hold."""
    pair = bicycle_pair()
    names = """
fields:
  days_late: max(delay, 0)
  is_damaged: condition == 'damaged'
  reported: notice == 'given beforehand'
  is_student: tariff == 'student'
outcomes:
  decision:
    is: result
    labels:
      Accepted: taken back
      Charged: fee charged
      Suspended: member suspended
      Workshop: to the workshop
  fee: {is: late_fee}
"""
    alignment = read_alignment(names, "names.yaml", pair.theirs, pair.ours)
    assert alignment.open == ()

    found = compare_readings(pair.theirs, pair.ours, alignment, count=1_000)
    assert found.verdict is ReadingsVerdict.ALIKE

    changed = bicycle_pair(LATER)
    alignment = read_alignment(names, "names.yaml", changed.theirs, changed.ours)
    (question,) = compare_readings(changed.theirs, changed.ours, alignment, count=1_000).questions
    assert question.second.items[0] == "decisions.decision.D2"
    walked = label_row(changed.theirs, question.rows[0])
    assert walked.path[-1] == "paid"


def test_a_number_with_more_places_is_compared_where_the_other_can_hold_it() -> None:
    text = (FIXTURES / "by_days.yaml").read_text("utf-8")
    text = text.replace(
        "delay: {label: delay, role: input, type: integer, min: -60, max: 60",
        "delay: {label: delay, role: input, type: number, places: 1, min: -60.0, max: 60.0",
    ).replace(
        "full_fee: {label: full fee, role: derived, type: integer, min: 0, max: 60",
        "full_fee: {label: full fee, role: derived, type: number, places: 1, min: 0.0, max: 60.0",
    )
    finer = read_domain(text, "finer.yaml")
    coarser = bicycle_pair().theirs

    names = "fields: {delay: 'round(delay, 0)'}"
    given = read_alignment(names, "names.yaml", finer, coarser)

    found = compare_readings(finer, coarser, match_models(finer, coarser, given), count=3_000)

    assert found.verdict is ReadingsVerdict.ALIKE
    # Nine of ten delays are no whole days.
    assert 0.85 < found.census.unheld["delay"] / found.census.drawn < 0.95


def test_a_procedure_that_unrolls_into_too_much_is_walked_and_never_called_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    alike, changed = bicycle_pair(), bicycle_pair(LATER)
    monkeypatch.setattr("sopforge.proof.solving.unfolded_places.MOST_PLACES", 1)

    assert alike.compare(200).verdict is ReadingsVerdict.UNDECIDED
    found = changed.compare(200)
    assert found.verdict is ReadingsVerdict.DIFFERENT
    assert not found.is_whole
    decided = [(item.first.decides, item.second.decides) for item in found.questions]
    assert ({"decision": "Suspended"}, {"decision": "Charged"}) in decided
