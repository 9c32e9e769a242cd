"""A second reader writes in words of its own; the two readings are aligned, and asked for once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from sopforge.authors.writers.model_author import ModelAuthor
from sopforge.language.domain.documents.schema import AuthorDocument
from sopforge.language.domain.reading import read_brief, read_domain
from sopforge.pipeline.stages.pipeline import advance
from sopforge.proof.comparing.aligning.alignment import read_alignment
from sopforge.proof.comparing.comparison import compare_readings
from sopforge.store.opening import open_store
from tests.unit.authors.test_model_author import AROUND, PLAYERS, PROSE, Answer, Played

SECOND = """
model:
  policy:
    free: {value: 4, unit: days, meaning: days that cost nothing}
    a_day: {value: 1.25, unit: EUR, meaning: what a day costs}
    highest: {value: 12.50, unit: EUR, meaning: what it costs at most}
  entities:
    slip:
      key: slip_number
      fields:
        slip_number: {role: input, type: string, pattern: "S[0-9]{6}", unique: true, description: number}
        delay: {role: input, type: integer, min: 0, max: 100, unit: days, description: days late}
        is_film: {role: input, type: boolean, description: whether a film was lent}
        judgement: {role: outcome, type: enum, values: [in time, tolerated, charged], primary: true, description: how it is judged}
        owed: {role: outcome, type: number, places: 2, min: 0, max: 200, unit: EUR, missing: no fee due, description: what is due}
  decisions:
    judgement:
      hit: first
      rules:
        - {id: A, when: delay == 0, then: in time}
        - {id: B, when: delay <= free and not is_film, then: tolerated}
        - {id: C, otherwise: charged}
    owed:
      hit: first
      rules:
        - {id: A, when: delay > 10, then: highest}
        - {id: B, otherwise: delay * a_day}
  procedure:
    start: judge
    steps:
      judge: {title: Judge, decide: [judgement], edges: [{when: judgement == 'charged', to: bill}, {to: done}]}
      bill: {title: Bill, decide: [owed], edges: [{to: done}]}
      done: {title: Done, end: {}}
"""  # noqa: E501 - a field to a line
CITED = [{"says": "Up to 3 days late it is tolerated", "items": ["policy.free", "judgement.B"]}]


def aligned(values: Mapping[str, Any]) -> Answer:
    asked = {item["name"] for item in values["second"]}
    fields = {"delay": "days_late", "is_film": "kind == 'Film'"}
    return {
        "fields": [{"theirs": n, "expression": e} for n, e in fields.items() if n in asked],
        "outcomes": [
            {"theirs": name, "ours": ours, "labels": []}
            for name, ours in (("judgement", "lateness"), ("owed", "fee"))
            if name in asked
        ],
        "lacking": [],
    }


SECOND_PLAYERS = {
    "second_reading": lambda _: {"model": SECOND, "sources": CITED},
    "align_readings": aligned,
    "clause_judge": lambda _: {"cases": []},
}


def read_twice(
    store: Path, players: Mapping[str, Any] = SECOND_PLAYERS
) -> tuple[Mapping[str, str], Played, Played]:
    """Return the schema's files, and what the two readers were asked."""
    author = {"name": "anthropic", "model": "played", "rounds": 2, "readers": 2}
    brief = read_brief(yaml.safe_dump({**AROUND, "author": author}), "fees.yaml")
    first, second = Played(PLAYERS), Played({**SECOND_PLAYERS, **players})
    writer = replace(ModelAuthor(brief.parts.writer, first), second=second)
    advance(open_store(store), brief, author=writer)
    return open_store(store).get_domain("fees").list_versions("schema")[-1].files, first, second


def test_two_readings_are_kept_with_what_is_the_same_in_them(tmp_path: Path) -> None:
    files, _, second = read_twice(tmp_path)

    ours = read_domain(files["domain.yaml"], "domain.yaml")
    theirs = read_domain(files["second.yaml"], "second.yaml")
    known = read_alignment(files["alignment.yaml"], "alignment.yaml", ours, theirs)
    assert known.open == ()
    (question,) = compare_readings(ours, theirs, known, seed=3).questions
    assert {fact.label: fact.value for fact in question.case}["delay"].startswith("4")
    assert second.times("second_reading") == second.times("align_readings") == 1


def test_the_second_reader_sees_nothing_of_the_first(tmp_path: Path) -> None:
    _, first, second = read_twice(tmp_path)

    [(_, values)] = [item for item in second.asked if item[0] == "second_reading"]
    said = " ".join(str(value) for name, value in values.items() if name != "language")
    assert PROSE in said
    for name in ("grace_days", "days_late", "lateness", "lookUpLoan", "look_up"):
        assert name not in said
    assert first.times("second_reading") == 0


def test_a_reading_that_cannot_be_read_goes_back_with_its_faults(tmp_path: Path) -> None:
    models = iter([SECOND.replace("days late", "days, late"), SECOND])

    def read(values: Mapping[str, Any]) -> Answer:
        found.append(len(values["faults"]))
        return {"model": next(models), "sources": CITED}

    found: list[int] = []
    files, _, second = read_twice(tmp_path, {"second_reading": read})

    assert found[0] == 0 < found[1]
    read_domain(files["second.yaml"], "second.yaml")
    # A repair is a question that sends something back, and no other.
    counted = [
        (name, repair) for (name, _), (_, repair) in zip(second.asked, second.rounds, strict=True)
    ]
    assert counted[:3] == [("second_reading", 0), ("second_reading", 1), ("align_readings", 0)]


def test_what_nobody_aligns_stays_open(tmp_path: Path) -> None:
    nothing: Answer = {"fields": [], "outcomes": [], "lacking": []}

    files, _, _ = read_twice(tmp_path, {"align_readings": lambda _: nothing})

    assert "# open:" in files["alignment.yaml"]


@pytest.mark.parametrize(
    ("second", "expected"),
    [({}, ("anthropic", "m")), ({"name": "openai", "model": "n"}, ("openai", "n"))],
)
def test_the_second_reader_is_the_author_unless_another_is_named(
    second: Mapping[str, str], expected: tuple[str, str]
) -> None:
    author = AuthorDocument.model_validate(
        {"name": "anthropic", "model": "m", "readers": 2, "second": second}
    )

    assert (author.second_reader.name, author.second_reader.model) == expected
