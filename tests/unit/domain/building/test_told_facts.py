"""Which facts words cannot carry, and which sentences could be read in two senses."""

from __future__ import annotations

import pytest

from sopforge.errors import Fault, MaterialError
from sopforge.language.domain.reading import read_brief
from tests.worlds.small_models import DOMAINS

BRIEF = (DOMAINS / "mailbox.yaml").read_text(encoding="utf-8")
WET = "Water drips from the housing."


def find_faults(*changes: tuple[str, str]) -> tuple[Fault, ...]:
    """Return what is wrong with the mailbox once parts are replaced, each of which stands once."""
    text = BRIEF
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    with pytest.raises(MaterialError) as caught:
        read_brief(text, "mailbox.yaml")
    return caught.value.faults


CASES = [
    pytest.param(
        "tells: [symptom, daily_use, opened]",
        "tells: [symptom, opened]",
        "told-not-once",
        "no text tells 'daily_use'",
        "fields.daily_use",
        id="no text",
    ),
    pytest.param(
        "tells: [failed_on]",
        "tells: [failed_on, symptom]",
        "told-not-once",
        "'symptom' is told more than once, in 'mail' and 'note'",
        "fields.symptom",
        id="two texts",
    ),
    pytest.param(
        "tells: [failed_on]",
        "tells: [failed_on, shop]",
        "unknown-field",
        "no field of role told is 'shop'",
        "fields.note.tells",
        id="no fact",
    ),
    pytest.param(
        "label: note of the call\n          role: input",
        "label: note of the call\n          role: distractor",
        "text-cannot-carry",
        "'note' cannot carry facts: it must be an input with 'free_text' that no case lacks",
        "fields.note.tells",
        id="no input",
    ),
    pytest.param(
        "            No start: [Nothing happens when I press the switch.]\n",
        "",
        "value-not-allowed",
        "'told' has no sentence for 'No start'",
        "fields.symptom",
        id="a label without a sentence",
    ),
    pytest.param(
        "            No start: [Nothing",
        "            Dead: [It is dead.]\n            No start: [Nothing",
        "value-not-allowed",
        "'told' has sentences for 'Dead', which is no value of the field",
        "fields.symptom",
        id="sentences of no label",
    ),
    pytest.param(
        "We use it {} out of twenty-four.",
        "We use it all day.",
        "value-not-allowed",
        "'We use it all day.' does not have {} once, for the value",
        "fields.daily_use",
        id="no place for the value",
    ),
    pytest.param(
        WET,
        "Water drips. I can hear it.",
        "value-not-allowed",
        "'Water drips. I can hear it.' is more than one sentence",
        "fields.symptom",
        id="two sentences",
    ),
    pytest.param(
        WET,
        "water everywhere",
        "value-not-allowed",
        "'water everywhere' does not begin with a letter, a digit or {} and end with a full stop,"
        " an exclamation mark or a question mark",
        "fields.symptom",
        id="no sentence",
    ),
    pytest.param(
        "role: told\n          type: boolean",
        "role: observed\n          type: boolean",
        "value-not-allowed",
        "only a field of role told can have 'told'",
        "fields.opened",
        id="sentences of another role",
    ),
    pytest.param(
        "Nothing happens when I press the switch.",
        "WATER drips - from the housing!",
        "told-words-alike",
        "'WATER drips - from the housing!' of 'symptom' = No start reads like"
        " 'Water drips from the housing.' of 'symptom' = Leak",
        "fields.symptom.told.No start",
        id="two values",
    ),
    pytest.param(
        "I have not touched a single screw.",
        WET,
        "told-words-alike",
        "'Water drips from the housing.' of 'opened' = no reads like"
        " 'Water drips from the housing.' of 'symptom' = Leak",
        "fields.opened.told.no",
        id="two facts",
    ),
    pytest.param(
        "The line was bad.",
        "We talked. Trouble since last week.",
        "told-words-alike",
        "'Trouble since {}.' of 'failed_on' reads like 'Trouble since last week.' of the free text"
        " of 'note'",
        "fields.failed_on.told",
        id="around, whatever the value",
    ),
    pytest.param(
        "The line was bad.",
        "He had a leak last year.",
        "told-words-reveal",
        "'He had a leak last year.' of the free text of 'note' has the words 'Leak', which stand"
        " for 'symptom' = Leak",
        "fields.note.free_text",
        id="a label around",
    ),
    pytest.param(
        "The line was bad.",
        "I believe the customer has not opened the housing so far.",
        "told-words-reveal",
        "'I believe the customer has not opened the housing so far.' of the free text of 'note' has"
        " the words 'the customer has not opened the housing', which stand for 'opened' = no",
        "fields.note.free_text",
        id="a clause around",
    ),
    pytest.param(
        WET,
        "I want a replacement.",
        "told-words-reveal",
        "'I want a replacement.' of 'symptom' = Leak has the words 'replacement', which stand for"
        " 'remedy' = replacement",
        "fields.symptom.told.Leak",
        id="an answer",
    ),
    pytest.param(
        WET,
        "It is no noise but water.",
        "told-words-reveal",
        "'It is no noise but water.' of 'symptom' = Leak has the words 'Noise', which stand for"
        " 'symptom' = Noise",
        "fields.symptom.told.Leak",
        id="another label",
    ),
]


@pytest.mark.parametrize(("old", "new", "code", "message", "place"), CASES)
def test_a_fact_is_told_once_in_one_sense(
    old: str, new: str, code: str, message: str, place: str
) -> None:
    faults = find_faults((old, new))
    found = [fault for fault in faults if fault.code == code]
    assert found, faults
    assert found[0].message == message or found[0].message.startswith(f"{message};"), found[0]
    assert found[0].where.endswith(f"model.entities.complaint.{place}")
    assert found[0].hint


def test_a_set_is_no_fact_of_words() -> None:
    day = "type: date\n          min: 2026-02-01\n          max: 2026-02-28\n"
    kind = "type: set\n          values: [Lid, Hose]\n          empty: nothing\n"
    (fault,) = find_faults((day, kind))
    assert fault.message == "words cannot carry a set of this kind"
    assert "use a yes/no field for each label of a set" in fault.hint


def test_a_sentence_may_hold_its_own_label() -> None:
    read_brief(BRIEF.replace(WET, "I think it has a leak."), "mailbox.yaml")


def test_an_article_is_no_label_of_one_letter() -> None:
    text = BRIEF.replace("[Harbour, Station]", "[A, B]").replace("'Harbour'", "'A'")
    read_brief(text, "mailbox.yaml")
