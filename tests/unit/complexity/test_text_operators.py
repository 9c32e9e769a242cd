"""What each operator of the text puts in: where it stands, and what it says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from datetime import date, timedelta
from pathlib import Path

import pytest

from sopforge.artifacts.complexity.operators import (
    cross_references,
    indirect_thresholds,
    redundant_detail,
    superseded,
    tangents,
)
from sopforge.artifacts.complexity.rules.changes import draw_change
from sopforge.artifacts.complexity.rules.rule_statements import stand_alone
from sopforge.artifacts.complexity.setting import build_setting
from sopforge.artifacts.complexity.trade.pools.tangents import SENTENCES
from sopforge.artifacts.complexity.variant import Operator, Variant
from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.artifacts.rendering.sop.limits import name_limit
from sopforge.artifacts.rendering.sop.marks import (
    LIMIT,
    REFERENCE,
    REMINDER,
    SIDE,
    SUPERSEDED,
    TANGENTIAL,
)
from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.briefs.brief_files import load_brief
from tests.worlds.plain_variants import collect_first_days, find_excused, is_void, load_variant
from tests.worlds.small_models import changed, claims, parcel

ROOT = Path(__file__).parents[3]
CARE = "        - {id: C1, when: fragile or 'Glass' in contents, then: careful}\n"
LISTED = parcel((CARE, f"{CARE}        - {{id: C3, when: weight > 29, then: plain}}\n"))
"""Three rules stand in a list, each in a line of its own."""


def make(model: DomainModel) -> Variant:
    return Variant(model, render_sop(model, ""))


PLAIN = make(LISTED)


def statements(operator: Operator, dose: int) -> list[Statement]:
    return list(operator.apply(PLAIN, dose, 7).sop.statements)


def texts(operator: Operator, dose: int) -> list[str]:
    return [item.text for item in statements(operator, dose)]


LAST = sum(item.style is Style.SECTION for item in PLAIN.sop.statements) + 1


def last_section(found: list[str]) -> list[str]:
    return found[next(n for n, text in enumerate(found) if text.startswith(f"{LAST}. ")) :]


def list_pointed(found: Iterable[Statement]) -> list[str]:
    """Return to which part of the last section each pointer leads."""
    return [x.term[1] for x in found if x.excused == REFERENCE and x.term is not None]


def read_entries(found: Iterable[Statement]) -> dict[str, str]:
    """Return what each entry in the section of limits gives, by the name of its limit."""
    said = (item.text.rpartition(": ") for item in found if item.excused == LIMIT)
    return {name_limit(name): amount for name, _, amount in said}


def test_a_moved_rule_leaves_a_pointer_and_stands_in_the_last_section() -> None:
    before, found = PLAIN.sop.statements, statements(cross_references.OPERATOR, 1)
    *kept, heading, title, rule = found

    (place,) = [n for n, item in enumerate(kept) if item.excused == REFERENCE]
    assert heading.text == f"{LAST}. Particular cases"
    assert re.fullmatch(rf"{LAST}\.1 [A-Z][a-z ]+", title.text)
    assert rule == stand_alone(PLAIN, before[place])
    assert kept[:place] == list(before[:place])
    assert kept[place + 1 :] == list(before[place + 1 :])


@pytest.mark.parametrize("seed", range(4))
def test_a_pointer_has_the_result_of_its_rule_and_the_number_of_its_part(seed: int) -> None:
    found = cross_references.OPERATOR.apply(PLAIN, 3, seed).sop.statements
    before = {item.states: item for item in PLAIN.sop.statements if item.term is not None}
    pointers = {x.term[1]: x for x in found if x.excused == REFERENCE and x.term is not None}
    parts = [item for item in found if item.style is Style.STEP and not item.states]

    assert len(pointers) == len(parts) == 3
    for heading in parts:
        number = heading.text.partition(" ")[0]
        rule = found[found.index(heading) + 1]
        pointer, known = pointers[number], before[rule.states]
        assert re.search(rf"section {re.escape(number)}(?!\d)", pointer.text)
        match known.term:
            case ("rule", result, _) | ("goes", _, result):
                assert pointer.term == ("points", number, result)
            case _:
                raise AssertionError(known)


def test_a_pointer_begins_with_the_case_of_its_rule() -> None:
    """A capital among results in small letters would show which rule was moved."""
    fees = (ROOT / "tests" / "briefs" / "fees.yaml").read_text(encoding="utf-8")
    risen = changed(fees, ("then: most}", "then: days_late + 5}"))
    plain = make(read_brief(risen, "fees.yaml").model)
    found = cross_references.OPERATOR.apply(plain, 4, 0).sop.statements
    beside = zip(found, plain.sop.statements, strict=False)
    pairs = [(x, rule) for x, rule in beside if x.excused == REFERENCE and x.kind == "rule"]

    assert any(rule.text[:1].islower() for _, rule in pairs)
    assert [x.text for x, rule in pairs if x.text[:1] != rule.text[:1]] == []


def test_references_lead_further_where_no_more_rules_are_moved() -> None:
    few = statements(cross_references.OPERATOR, 3)
    more = statements(cross_references.OPERATOR, 5)
    first, second = (last_section([x.text for x in found]) for found in (few, more))

    moved = first[2::2]
    assert len(moved) == 3
    assert [title.partition(" ")[0] for title in second[1::2]] == [
        f"{LAST}.{n}" for n in range(1, 6)
    ]
    # Two parts have a pointer where their rule stood, each to another part.
    assert f"section {LAST}.4" in second[2]
    assert f"section {LAST}.5" in second[4]
    assert [second[8], second[10], second[6]] == moved
    assert sorted(list_pointed(more)) == [f"{LAST}.{n}" for n in range(1, 6)]


def test_a_limit_is_named_in_the_rule_and_given_in_a_section_of_its_own() -> None:
    found = statements(indirect_thresholds.OPERATOR, 1)
    last = [item.text for item in found if item.style is Style.SECTION][-1]
    number, _, title = last.partition(". ")
    ((name, amount),) = read_entries(found).items()

    assert title == "Limits and amounts"
    assert any(f" the {name} (see section {number})" in item.text for item in found)
    assert amount[:1].isdigit()
    assert " than the " not in amount
    assert name in {item.meaning for item in PLAIN.model.policy.values()}


def test_a_limit_is_named_with_a_share_of_an_amount_beside_it() -> None:
    plain = make(load_brief(ROOT / "tests/briefs/tool_hire.yaml").model)
    found = [x.text for x in indirect_thresholds.OPERATOR.apply(plain, 9, 3).sop.statements]

    (fee,) = [text for text in found if "late fee (fee), in EUR: " in text]
    assert ": 15 percent of the price of the hire, rounded to 2 decimal places, but at most" in fee
    assert re.search(r", but at most the [a-z ]+ \(see section \d+\)\.$", fee)
    assert not any("more than 3 days and" in text for text in found)


def test_a_number_of_entries_is_compared_with_the_limit_by_its_name() -> None:
    text = (ROOT / "tests/worlds/said_together.yaml").read_text(encoding="utf-8")
    most = "most: {value: 2, meaning: maximum number of open damages}"
    rule = "{id: P11, when: count(d for d in damages if not d.repaired) > most, then: 1}"
    text = text.replace("  entities:\n", f"  policy:\n    {most}\n  entities:\n", 1)
    text = text.replace("        - {id: P1,", f"        - {rule}\n        - {{id: P1,", 1)
    plain = make(read_brief(text, "said_together.yaml").model)
    found = indirect_thresholds.OPERATOR.apply(plain, 1, 3).sop.statements

    def say(every: Iterable[Statement]) -> list[str]:
        return [x.text for x in every if {"policy most", "rule points.P11"} <= set(x.states)]

    assert say(plain.sop.statements) == [
        "1 point if there are more than 2 damages found that were not repaired."
    ]
    assert say(found) == [
        (
            "1 point if the number of damages found that were not repaired is more than the"
            " maximum number of open damages (see section 13)."
        )
    ]


def test_a_limit_beside_a_calendar_is_named_and_the_calendar_is_none() -> None:
    """A rule that states both the days of the office and the limit of 12 working days."""
    days = "workdays_between(trip_end, date_of(handed_in_at), office)"
    model = claims(
        (
            "when: days_taken > late_after and trip_end >= new_rules_from",
            f'when: "{days} > late_after and trip_end >= new_rules_from"',
        )
    )
    plain = make(model)
    named = {"policy late_after", "policy office"}
    both = [item for item in plain.sop.statements if named <= set(item.states)]
    variant = indirect_thresholds.OPERATOR.apply(plain, 20, 7)

    meanings = list(read_entries(variant.sop.statements))
    assert both
    assert model.policy["late_after"].meaning in meanings
    assert not any(model.calendars["office"][1] in text for text in meanings)


def test_a_limit_is_given_through_others_where_there_are_no_more_limits() -> None:
    entries = read_entries(statements(indirect_thresholds.OPERATOR, 8))

    assert len(entries) == 8
    assert sum(" than the " in amount for amount in entries.values()) >= 4


def test_a_day_is_given_by_days_from_another_day() -> None:
    found = indirect_thresholds.OPERATOR.apply(make(claims()), 16, 7).sop.statements
    entries = read_entries(found)
    limit = next(name for name in entries if name.startswith("first day of the rules"))

    days, further = timedelta(), limit
    while step := re.fullmatch(r"(\d+) days? (later|earlier) than the (.+)", entries[further]):
        days += timedelta(days=int(step[1])) * (1 if step[2] == "later" else -1)
        further = step[3]

    assert re.fullmatch(rf"reference day(?: \d+)? for the {limit}", further)
    assert date.fromisoformat(entries[further]) + days == date(2026, 3, 1)
    assert any(f"on or after the {limit} (see section " in item.text for item in found)
    assert not any("2026-03-01" in item.text for item in found)


def test_superseded_rules_name_the_limits_that_the_text_names() -> None:
    plain = load_variant("referral_abuse")
    model = plain.model
    indirect = indirect_thresholds.OPERATOR.apply(plain, 64, 7)
    given = set(read_entries(indirect.sop.statements))
    # Of one amount of several limits, nobody could say which of them a figure is.
    shown = Counter(str(item.constant.value) for item in model.policy.values())
    amounts = [
        re.compile(rf"(?<![\w.]){item.constant.value} {unit}")
        for item in model.policy.values()
        if (unit := getattr(item.constant.type, "unit", ""))
        and shown[str(item.constant.value)] == 1
        and item.meaning in given
    ]

    def count_shown(variant: Variant) -> int:
        made = superseded.OPERATOR.apply(variant, 64, 7)
        said = [item.text for item in find_excused(made, SUPERSEDED)]
        assert len(said) > 12
        return sum(bool(amount.search(text)) for amount in amounts for text in said)

    assert count_shown(plain) > 0
    assert count_shown(indirect) == 0


@pytest.mark.parametrize("seed", range(5))
def test_superseded_passages_are_void_before_every_case_and_vary(seed: int) -> None:
    plain = load_variant("patient_intake")
    said = [x.text for x in find_excused(superseded.OPERATOR.apply(plain, 12, seed), SUPERSEDED)]

    assert len(set(said)) == 12
    days = collect_first_days(plain.model)
    assert all(is_void(text, days) for text in said)
    assert len({" ".join(text.split()[:2]) for text in said}) >= 4
    first = plain.setting.first_day
    ended = [re.search(r"\b20\d\d-\d\d-\d\d\b", text) for text in said]
    assert all(ended)
    assert max(found[0] for found in ended if found) <= date.fromordinal(first).isoformat()


def test_an_edition_ends_on_the_same_day_in_all_passages() -> None:
    setting = build_setting(LISTED)
    changes = {draw_change(setting, number, 7) for number in range(64)}

    assert len(changes) == len({change.edition for change in changes}) > 4
    ordered = sorted(changes, key=lambda change: change.edition)
    assert [change.since[:4] for change in ordered] == sorted(c.since[:4] for c in ordered)


def test_a_superseded_limit_stands_beside_the_rule_that_it_was_in() -> None:
    places = {
        "copay tier": "Validate the prescription benefit",
        "lifestyle score": "Assess the lifestyle risk",
    }
    found = Counter[str]()
    heading = ""
    for item in superseded.OPERATOR.apply(load_variant("patient_intake"), 30, 7).sop.statements:
        heading = item.text if item.style in {Style.SECTION, Style.STEP} else heading
        for words in (x for x in places if item.excused == SUPERSEDED and x in item.text):
            assert heading.endswith(places[words])
            found[words] += 1
    assert set(found) == set(places)


def list_places(found: Iterable[Statement]) -> dict[str, list[str]]:
    """Return the statements under each heading, by what a reminder calls that."""
    places: dict[str, list[str]] = {}
    heading = ""
    for item in found:
        if item.style in {Style.SECTION, Style.STEP}:
            number, _, title = item.text.partition(" ")
            kind = "step" if item.style is Style.STEP else "section"
            heading = f"{kind} {number.removesuffix('.')} ({title})"
        elif not item.excused:
            places.setdefault(heading, []).append(stand_alone(PLAIN, item).text)
    return places


def test_a_reminder_repeats_a_statement_and_says_under_which_heading_it_stands() -> None:
    made = redundant_detail.OPERATOR.apply(PLAIN, 12, 7)
    places = list_places(PLAIN.sop.statements)
    said = [item.text for item in find_excused(made, REMINDER)]

    assert len(said) == 12
    for text in said:
        # Inside a sentence, its first letter is small.
        repeated = [
            (place, one)
            for place, under in places.items()
            for one in under
            if place in text.replace(one[1:-1], "") and one[1:-1] in text
        ]
        assert repeated, text
        assert text not in [one for _, one in repeated]


def test_a_reminder_does_not_stand_under_the_heading_that_it_names() -> None:
    found = statements(redundant_detail.OPERATOR, 12)
    heading = ""
    for item in found:
        heading = item.text if item.style in {Style.SECTION, Style.STEP} else heading
        number, _, title = heading.partition(" ")
        if item.excused == REMINDER:
            assert f"{number.removesuffix('.')} ({title})" not in item.text.partition("go to")[0]


def test_a_reminder_stands_where_one_would_look_for_what_it_repeats() -> None:
    heading = ""
    places: list[tuple[str, str]] = []
    made = redundant_detail.OPERATOR.apply(load_variant("patient_intake"), 12, 3)
    for item in made.sop.statements:
        heading = item.text if item.style in {Style.SECTION, Style.STEP} else heading
        target = re.search(r"go to step (\S+ \(.*\))", item.text)
        if item.excused == REMINDER and target is not None:
            places.append((heading, target[1]))

    assert len(places) >= 3
    for place, led in places:
        number, _, title = led.partition(" ")
        # The section on escalation says at which steps somebody takes over.
        assert place in {f"{number} {title[1:-1]}", "9. Escalation"}


def test_a_reminder_has_nothing_worked_out_and_speaks_of_no_other_step_as_this_one() -> None:
    made = redundant_detail.OPERATOR.apply(PLAIN, 60, 7)
    said = [item.text for item in find_excused(made, REMINDER)]

    assert len(said) > 10
    assert not [text for text in said if re.search(r"\b(?:Determine|Calculate|Work out)\b", text)]
    assert not [text for text in said if "this step" in text]


def test_reminders_are_worded_in_several_manners() -> None:
    made = redundant_detail.OPERATOR.apply(PLAIN, 12, 7)
    said = [item.text for item in find_excused(made, REMINDER)]
    manners = (
        *(r".*; see \w+ [\d.]+ \(.+\)\.", r"As \w+ \d.*", r"Under \w+ \d.*"),
        *(
            r".*, as set out .*",
            r"Unless an earlier rule .*",
            r"In \w+ [\d.]+ \(.+\), .*, unless an earlier rule there applies\.",
        ),
    )

    used = {n for n, manner in enumerate(manners) for text in said if re.fullmatch(manner, text)}
    assert len(used) >= 4
    assert all(any(re.fullmatch(manner, text) for manner in manners) for text in said)


def test_a_rule_after_others_is_repeated_with_the_words_that_they_come_first() -> None:
    made = redundant_detail.OPERATOR.apply(PLAIN, 60, 7)
    said = [item.text for item in find_excused(made, REMINDER)]
    first = [text for text in said if 'the care is "careful"' in text]
    second = [text for text in said if "more than 29 kg" in text]

    assert len({text.partition(" ")[0] for text in first}) > 1
    assert not any("earlier rule" in text for text in first)
    assert second
    assert all("nless an earlier rule" in text for text in second)


def test_a_transition_is_repeated_after_the_name_of_its_step() -> None:
    made = redundant_detail.OPERATOR.apply(PLAIN, 60, 7)
    said = [x.text for x in find_excused(made, REMINDER) if "go to step" in x.text]

    assert said
    assert all(text.startswith(("As step 6.1 (Look)", "Under step 6.1 (Look)")) for text in said)


def test_tangents_repeat_only_when_all_are_used() -> None:
    made = tangents.OPERATOR.apply(PLAIN, 30, 7)
    found = [item.text for item in made.added]

    assert len(set(found)) == len(found) == 30
    assert {TANGENTIAL, SIDE} <= {item.excused for item in made.sop.statements}
    assert not any(letter.isdigit() for text in SENTENCES for letter in text)
