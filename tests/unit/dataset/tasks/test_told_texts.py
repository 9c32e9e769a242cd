"""How a text tells the facts of a row, and what is read in it."""

from __future__ import annotations

import pytest

from sopforge.language.domain.reading import read_brief
from sopforge.language.domain.values.types import Value, ValueNotAllowedError
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.dataset.tasks.told_texts import parse_inputs, read_facts, state_cells
from tests.judges.told_reader import load_fields, read_texts
from tests.worlds.small_models import DOMAINS

BRIEF = (DOMAINS / "mailbox.yaml").read_text(encoding="utf-8")
MODEL = read_brief(BRIEF, "mailbox.yaml").model
FACTS = ["symptom", "daily_use", "opened", "failed_on"]
LEAK = "There is a puddle under it every morning."


def read(mail: str, note: str = "Trouble since 2026-02-03.") -> dict[str, Value | None]:
    """Return the facts that two texts carry."""
    return read_facts(MODEL, {"mail": mail, "note": note})


def test_a_second_reader_finds_what_rows_have() -> None:
    fields = load_fields(BRIEF)
    for row in sample_rows(MODEL, 5, range(300)):
        meant = {name: MODEL.fields[name].format_cell(row[name]) for name in FACTS}
        cells = state_cells(MODEL, row)
        assert read_texts(fields, cells) == meant
        assert {name: parse_inputs(MODEL, cells)[name] for name in FACTS} == {
            name: row[name] for name in FACTS
        }


def test_a_text_has_sentences_around_that_fit_the_row() -> None:
    rows = sample_rows(MODEL, 5, range(300))
    praised = [row["shop"] for row in rows if "colours" in state_cells(MODEL, row)["mail"]]
    assert {*praised} == {0}
    sizes = {state_cells(MODEL, row)["note"].count(".") for row in rows}
    assert sizes == {2, 3}  # the one that tells, and one or both of those around


def test_a_text_that_is_whole_stays_as_it_is() -> None:
    row = sample_rows(MODEL, 5, [1])[0]
    cells = state_cells(MODEL, row)
    assert state_cells(MODEL, {**row, "mail": cells["mail"]}) == cells


def test_facts_are_read_in_any_order_and_by_any_wording() -> None:
    assert read(f"We use it 1 hour out of twenty-four. Hello! {LEAK}") == {
        "symptom": 0,
        "daily_use": 1,
        "opened": None,
        "failed_on": MODEL.fields["failed_on"].parse("2026-02-03"),
    }
    assert read(f"{LEAK} I took the cover off to have a look. It is on for 20 hours a day.") == {
        "symptom": 0,
        "daily_use": 20,
        "opened": 1,
        "failed_on": MODEL.fields["failed_on"].parse("2026-02-03"),
    }


def test_a_text_that_tells_none_or_two_values_is_no_text_of_a_task() -> None:
    with pytest.raises(ValueNotAllowedError, match="tells no value of 'daily_use'"):
        read(LEAK)
    with pytest.raises(ValueNotAllowedError, match="tells Leak and No start of 'symptom'"):
        read(f"{LEAK} It is on for 20 hours a day. Nothing happens when I press the switch.")


TOLD = '{{role: told, {kind}, told: ["It took {{}}."], description: how long it took}}'
DAY = BRIEF[BRIEF.index("        failed_on:") : BRIEF.index("        shop:")]


@pytest.mark.parametrize(
    ("kind", "value", "sentence"),
    [
        ("type: duration, min: 1, max: 600", 90, "It took 90 minutes."),
        ("type: number, places: 2, min: 0.00, max: 9.00, unit: EUR", 250, "It took 2.50 EUR."),
        ("type: datetime, min: 2026-01-01 00:00, max: 2026-01-31 00:00", None, ""),
        ('type: string, pattern: "R-[0-9]{4}"', "R-0815", "It took R-0815."),
    ],
)
def test_a_value_stands_in_its_sentence_as_tasks_state_it(
    kind: str, value: Value | None, sentence: str
) -> None:
    more = f"        span: {TOLD.format(kind=kind)}\n{DAY}"
    text = BRIEF.replace(DAY, more).replace("tells: [failed_on]", "tells: [failed_on, span]")
    model = read_brief(text, "mailbox.yaml").model
    row = sample_rows(model, 5, [1])[0]
    row = row if value is None else {**row, "span": value}
    cells = state_cells(model, row)
    assert sentence in cells["note"]
    assert read_facts(model, cells)["span"] == row["span"]
