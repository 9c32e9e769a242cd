from __future__ import annotations

import re
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

from sopforge.briefs.brief_files import load_brief
from sopforge.complexity.operators import (
    cross_references,
    indirect_thresholds,
    redundant_detail,
    superseded,
    tangents,
)
from sopforge.complexity.variant import Operator, Variant
from sopforge.material.pools.tangents import SENTENCES
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.reminders import find_untrue_reminders
from sopforge.rendering.sop.sop import render_sop
from tests.worlds.small_models import claims, parcel

PLAIN = Variant(parcel(), render_sop(parcel(), ""))
POINTER = "Apply here the rule in item A{} of section 14 (Annex: rules to which the steps refer)."


def lines(operator: Operator, dose: int) -> list[Line]:
    return list(operator.apply(PLAIN, dose, 7).sop.lines)


def texts(operator: Operator, dose: int) -> list[str]:
    return [line.text for line in lines(operator, dose)]


def annex(found: list[str]) -> list[str]:
    return found[next(n for n, text in enumerate(found) if ". Annex: " in text) :]


def test_a_moved_rule_leaves_a_pointer_and_stands_in_the_annex() -> None:
    before, found = texts(redundant_detail.OPERATOR, 0), texts(cross_references.OPERATOR, 1)

    place = found.index(POINTER.format(1))
    heading, *items = annex(found)
    sections = [line for line in PLAIN.sop.lines if line.style is Style.SECTION]
    assert heading == f"{len(sections) + 1}. Annex: rules to which the steps refer"
    assert items == ["Item A1", before[place]]
    assert found[:place] == before[:place]
    assert found[place + 1 : -3] == before[place + 1 :]


def test_references_lead_further_where_no_more_rules_are_moved() -> None:
    few = annex(texts(cross_references.OPERATOR, 2))
    more = annex(texts(cross_references.OPERATOR, 4))

    moved = [text for text in few if text not in {"Item A1", "Item A2"}][1:]
    assert len(moved) == 2
    assert more[1:] == [
        *("Item A1", POINTER.format(3), "Item A2", POINTER.format(4)),
        *("Item A3", moved[0], "Item A4", moved[1]),
    ]


def test_a_limit_is_named_in_the_rule_and_given_in_the_annex() -> None:
    (limit,) = {"T1"}
    found = texts(indirect_thresholds.OPERATOR, 1)

    assert sum(f"[limit {limit}]" in text for text in found) >= 1
    (entry,) = [text for text in found if text.startswith("Limit ")]
    assert entry.startswith("Limit T1 is ")
    assert " than limit " not in entry


def test_a_limit_beside_a_calendar_is_named_and_the_calendar_is_none() -> None:
    """A rule that states both the days of the office and the limit of 12 working days."""
    days = "workdays_between(trip_end, date_of(handed_in_at), office)"
    model = claims(
        (
            "when: days_taken > late_after and trip_end >= new_rules_from",
            f'when: "{days} > late_after and trip_end >= new_rules_from"',
        )
    )
    before = render_sop(model, "")
    both = [
        line for line in before.lines if {"policy late_after", "policy office"} <= set(line.states)
    ]
    variant = indirect_thresholds.OPERATOR.apply(Variant(model, before), 20, 7)

    entries = [line.text for line in variant.sop.lines if line.text.startswith("Limit ")]
    meaning = model.policy["late_after"].meaning
    assert both
    assert any(text.endswith(f": {meaning}.") for text in entries)
    assert not any(model.calendars["office"][1] in text for text in entries)


def test_a_limit_is_given_through_others_where_there_are_no_more_limits() -> None:
    entries = [text for text in texts(indirect_thresholds.OPERATOR, 8) if text.startswith("Limit ")]

    assert len(entries) == 8
    assert sum(" than limit " in text for text in entries) >= 4


def named(line: Line) -> str:
    """Return a heading as a reminder names it."""
    number, _, title = line.text.partition(" ")
    kind = "step" if line.style is Style.STEP else "section"
    return f"{kind} {number.removesuffix('.')} ({title})"


def test_a_day_is_given_by_days_from_another_day() -> None:
    model = claims()
    plain = Variant(model, render_sop(model, ""))
    found = indirect_thresholds.OPERATOR.apply(plain, 16, 7).sop.lines
    entries = [line.text for line in found if line.text.startswith("Limit ")]
    named = next(text for text in entries if "first day of the rules of this year" in text)
    limit = named.split()[1]

    days, further = timedelta(), limit
    while (text := next(t for t in entries if t.startswith(f"Limit {further} is "))) and (
        step := re.match(r"Limit T\d+ is (\d+) days? (later|earlier) than limit (T\d+):", text)
    ):
        days += timedelta(days=int(step[1])) * (1 if step[2] == "later" else -1)
        further = step[3]
    first = re.match(r"Limit T\d+ is (\d{4}-\d{2}-\d{2}): an intermediate day for limit", text)

    assert first is not None
    assert date.fromisoformat(first[1]) + days == date(2026, 3, 1)
    assert any(f"on or after [limit {limit}]" in line.text for line in found)
    assert not any("2026-03-01" in line.text for line in found)
    assert any("put in the amount or the day that it has here" in line.text for line in found)


def test_superseded_rules_name_the_limits_that_the_text_names() -> None:
    brief = Path(__file__).parents[3] / "briefs" / "patient_intake.yaml"
    model = load_brief(brief).model
    plain = Variant(model, render_sop(model, ""))
    indirect = indirect_thresholds.OPERATOR.apply(plain, 64, 7)
    shown = Counter(str(item.constant.value) for item in model.policy.values())
    amounts = [
        re.compile(rf"(?<![\w.]){item.constant.value} {unit}")
        for item in model.policy.values()
        if (unit := getattr(item.constant.type, "unit", ""))
        and shown[str(item.constant.value)] == 1
        and any(line.text.endswith(f": {item.meaning}.") for line in indirect.sop.lines)
    ]

    def rules(variant: Variant) -> list[str]:
        made = superseded.OPERATOR.apply(variant, 64, 7).sop.lines
        return [line.text for line in made if "had a rule that is superseded" in line.text]

    assert any(amount.search(text) for amount in amounts for text in rules(plain))
    assert [t for t in rules(indirect) if any(amount.search(t) for amount in amounts)] == []
    assert len(rules(indirect)) == len(rules(plain))
    assert any("[limit T" in text for text in rules(indirect))


def test_a_reminder_repeats_a_line_under_its_own_heading() -> None:
    found = lines(redundant_detail.OPERATOR, 3)

    said = [line.text for line in found if line.excused == "reminder"]
    assert len(said) == 3
    for text in said:
        heading, _, repeated = text.removeprefix("As a reminder, ").partition(
            " says, in its place among the rest: "
        )
        place = [named(line) for line in found].index(heading)
        under = found[place + 1 :]
        end = next(
            (n for n, line in enumerate(under) if line.style in {Style.SECTION, Style.STEP}), None
        )
        assert repeated in [line.text for line in under[:end]]


def test_a_reminder_of_what_is_not_said_is_untrue() -> None:
    found = lines(redundant_detail.OPERATOR, 1)
    (place,) = [n for n, line in enumerate(found) if line.excused == "reminder"]
    true = found[place]
    false = Line(true.style, true.text.replace(".", "!"), excused="reminder")

    assert find_untrue_reminders(found) == []
    assert find_untrue_reminders([*found[:place], false, *found[place + 1 :]]) == [false]


def test_tangents_name_no_number_and_repeat_only_when_all_are_used() -> None:
    found = [line.text for line in lines(tangents.OPERATOR, 30) if line.excused == "tangential"]

    assert len(set(found)) == len(found) == 30
    assert not any(letter.isdigit() for text in SENTENCES for letter in text)
