"""Words that could mean two acts are not used; where there are no others, they are refused."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from sopforge.errors import MaterialError
from sopforge.harness.users.acts import Act, ActKind
from sopforge.harness.users.speaking import Speech
from sopforge.harness.users.words import load_words, parse_words
from sopforge.language.domain.reading import read_brief

ROOT = Path(__file__).parents[3]
COUNTER = (ROOT / "docs/examples/small_counter.yaml").read_text("utf-8")
MODEL = read_brief(COUNTER, "counter.yaml").model
OURS = (files("sopforge.harness.users") / "words.yaml").read_text(encoding="utf-8")
STATED = Act(ActKind.STATE, "amount", "30.00")


def speak(text: str) -> Speech:
    return Speech(MODEL, parse_words(text, "own.yaml"))


def test_the_words_on_the_page_of_users_can_be_used() -> None:
    page = (ROOT / "docs/users.md").read_text("utf-8")
    speech = speak(page.partition("```yaml\n")[2].partition("```")[0])
    acts = (
        STATED,
        Act(ActKind.CHANGE, "payer", "A000001", "A000002"),
        Act(ActKind.SKIP, "getOwner"),
    )

    assert speech.read(speech.write(acts)) == acts


def test_of_two_wordings_the_one_is_used_that_can_be_read_back() -> None:
    twin = OURS.replace('"You ask for the {label}: {value}."', '"{Label}: {value}."')
    speech = speak(twin)

    lines = {speech.write_line(STATED, seed) for seed in range(30)}

    assert lines == {
        "For the amount, put down 30.00 EUR.",
        "The entry for the amount is 30.00 EUR.",
    }


def test_an_act_without_words_of_its_own_is_refused_with_its_line() -> None:
    acts = "  insist:\n" + OURS.partition("  insist:\n")[2]
    said = OURS.replace(acts, '  insist: ["Well."]\n  close: ["Well."]\n')

    with pytest.raises(MaterialError) as raised:
        speak(said).write((Act(ActKind.CLOSE),))

    (fault,) = raised.value.faults
    assert fault.code == "user-words-ambiguous"
    assert fault.message == "'Well.' is read as 'close' or 'insist', but it means 'close'"
    assert fault.where.startswith(f"own.yaml:{len(said.splitlines())}, acts.close")


def test_the_wording_is_drawn_by_what_it_is_asked_with_and_nothing_else() -> None:
    speech = Speech(MODEL, load_words())

    assert speech.write([STATED], 1, "task") == speech.write([STATED], 1, "task")
    assert len({speech.write([STATED], seed, "task") for seed in range(30)}) == 3


def test_a_number_is_said_with_its_unit_and_read_without() -> None:
    speech = Speech(MODEL, load_words())

    assert "30.00 EUR" in speech.write([STATED])
    assert speech.read("Amount: 30.00 USD.") == ()
    assert speech.read("Amount: 30.0 EUR.") == ()
