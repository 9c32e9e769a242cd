from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from sopforge.authors.offline import OfflineAuthor
from sopforge.briefs.brief_files import load_brief
from sopforge.checks.sop.sop_states_all import SopStatesAll
from sopforge.complexity.operators import (
    cross_references,
    indirect_thresholds,
    redundant_detail,
    superseded,
    tangents,
)
from sopforge.complexity.trade.changes import draw_change
from sopforge.complexity.trade.setting import read_setting
from sopforge.complexity.variant import Operator, Variant
from sopforge.domain.reading import read_brief
from sopforge.domain.rules import Table
from sopforge.material.pools.tangents import SENTENCES
from sopforge.rendering.sop.added.indirect_limits import LIMIT, name_limit
from sopforge.rendering.sop.added.moved_rules import (
    POINTERS,
    POINTERS_OF_RESULTS,
    POINTERS_OF_TRANSITIONS,
)
from sopforge.rendering.sop.added.reminders import (
    REMINDER,
    find_untrue_reminders,
    make_reminder,
)
from sopforge.rendering.sop.added.side_values import SIDE
from sopforge.rendering.sop.added.standing_alone import complete_line
from sopforge.rendering.sop.added.superseded import collect_first_days, is_void
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.sop import render_sop
from sopforge.stages.sop import build_sop_files
from sopforge.workspace import DOMAIN, Workspace, name_stage_files
from tests.worlds.small_models import claims, parcel

BRIEF = Path(__file__).parents[3] / "briefs" / "patient_intake.yaml"
CARE = "        - {id: C1, when: fragile or 'Glass' in contents, then: careful}\n"
LISTED = parcel((CARE, f"{CARE}        - {{id: C3, when: weight > 29, then: plain}}\n"))
"""Three rules stand in a list, each in a line of its own."""
PLAIN = Variant(LISTED, render_sop(LISTED, ""))
PART = "section {}.{}"
_GO = re.compile(r"go to step .+\.$")


def lines(operator: Operator, dose: int) -> list[Line]:
    return list(operator.apply(PLAIN, dose, 7).sop.lines)


def complete_lines(operator: Operator, dose: int) -> list[Line]:
    """Return the lines as each reads alone, for so reminders repeat them."""
    return [complete_line(line, PLAIN.model) for line in lines(operator, dose)]


def texts(operator: Operator, dose: int) -> list[str]:
    return [line.text for line in lines(operator, dose)]


LAST = sum(line.style is Style.SECTION for line in PLAIN.sop.lines) + 1


def last_section(found: list[str]) -> list[str]:
    return found[next(n for n, text in enumerate(found) if text.startswith(f"{LAST}. ")) :]


def pointers(*numbers: int) -> list[str]:
    """Return all wordings of the pointers to parts of the last section, without their results."""
    forms = [*POINTERS, *POINTERS_OF_RESULTS, *POINTERS_OF_TRANSITIONS]
    forms = [text.removeprefix("{result}").removesuffix("{result}.") for text in forms]
    return [text.format(part=PART.format(LAST, n)) for n in numbers for text in forms]


def is_pointer(text: str, *numbers: int) -> bool:
    known = _GO.sub("", text)
    return any(known.endswith(form) for form in pointers(*numbers))


def read_entries(found: Iterable[Line]) -> dict[str, str]:
    """Return what each entry in the section of limits gives, by the name of its limit."""
    said = (line.text.rpartition(": ") for line in found if line.excused == LIMIT)
    return {name_limit(name): amount for name, _, amount in said}


def test_a_moved_rule_leaves_a_pointer_and_stands_in_the_last_section() -> None:
    before, found = texts(redundant_detail.OPERATOR, 0), texts(cross_references.OPERATOR, 1)

    (place,) = [n for n, text in enumerate(found) if is_pointer(text, 1)]
    heading, title, rule = last_section(found)
    assert heading == f"{LAST}. Particular cases"
    assert re.fullmatch(rf"{LAST}\.1 [A-Z][a-z ]+", title)
    assert rule == before[place]
    assert found[:place] == before[:place]
    assert found[place + 1 : -3] == before[place + 1 :]


def test_references_lead_further_where_no_more_rules_are_moved() -> None:
    few = last_section(texts(cross_references.OPERATOR, 3))
    more = last_section(texts(cross_references.OPERATOR, 5))

    moved = few[2::2]
    assert len(moved) == 3
    assert [title.partition(" ")[0] for title in more[1::2]] == [f"{LAST}.{n}" for n in range(1, 6)]
    assert is_pointer(more[2], 4)
    assert is_pointer(more[4].removeprefix('"careful"'), 5)
    assert [more[8], more[10], more[6]] == moved


def test_a_limit_is_named_in_the_rule_and_given_in_a_section_of_its_own() -> None:
    found = lines(indirect_thresholds.OPERATOR, 1)
    last = [line.text for line in found if line.style is Style.SECTION][-1]
    number, _, title = last.partition(". ")
    ((name, amount),) = read_entries(found).items()

    assert title == "Limits and amounts"
    assert any(f" the {name} (see section {number})" in line.text for line in found)
    assert amount[:1].isdigit()
    assert " than the " not in amount
    assert name in {item.meaning for item in PLAIN.model.policy.values()}


def test_a_share_of_an_amount_stays_in_its_rule_and_other_limits_do_not() -> None:
    brief = load_brief(BRIEF.parents[1] / "tests/briefs/tool_hire.yaml")
    plain = Variant(brief.model, render_sop(brief.model, ""))
    found = [line.text for line in indirect_thresholds.OPERATOR.apply(plain, 9, 3).sop.lines]

    (fee,) = [text for text in found if "late fee (fee), in EUR: " in text]
    assert ": 15 percent of the price of the hire, rounded to 2 decimal places, but at most" in fee
    assert re.search(r", but at most the [a-z ]+ \(see section \d+\)\.$", fee)
    assert not any("more than 3 days and" in text for text in found)


def test_a_number_of_entries_stays_before_what_they_are_called() -> None:
    text = (BRIEF.parents[1] / "tests/worlds/said_together.yaml").read_text(encoding="utf-8")
    most = "most: {value: 2, unit: damages, meaning: maximum number of open damages}"
    rule = "{id: P11, when: count(d for d in damages if not d.repaired) > most, then: 1}"
    text = text.replace("  entities:\n", f"  policy:\n    {most}\n  entities:\n", 1)
    text = text.replace("        - {id: P1,", f"        - {rule}\n        - {{id: P1,", 1)
    model = read_brief(text, "said_together.yaml").model
    plain = Variant(model, render_sop(model, ""))
    (counted,) = [line for line in plain.sop.lines if "there are more than 2 damages" in line.text]

    found = indirect_thresholds.OPERATOR.apply(plain, 9, 3).sop.lines

    assert counted in found


def test_a_term_that_only_a_limit_has_is_used_where_a_section_of_its_own_says_the_limit() -> None:
    text = (BRIEF.parents[1] / "tests/worlds/said_together.yaml").read_text(encoding="utf-8")
    most = "most: {value: 7, unit: points, meaning: fewest points with a Concession}"
    text = text.replace("  entities:\n", f"  policy:\n    {most}\n  entities:\n", 1)
    brief = read_brief(text.replace("when: points >= 6", "when: points >= most"), "rigs.yaml")
    draft = "# Definitions\n\n- **Concession**: a written permission."
    plain = Variant(brief.model, render_sop(brief.model, draft, control=brief.parts.document))
    sop = indirect_thresholds.OPERATOR.apply(plain, 1, 3).sop
    files = {
        DOMAIN: OfflineAuthor().write_domain(brief),
        **name_stage_files("sop", build_sop_files(sop)),
    }

    found = SopStatesAll().examine(Workspace(replace(brief, draft=draft), files))

    assert "- Fewest points with a Concession: 7" in sop.as_text()
    assert "sop-term-unused" not in {item.id for item in found}


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

    meanings = list(read_entries(variant.sop.lines))
    assert both
    assert model.policy["late_after"].meaning in meanings
    assert not any(model.calendars["office"][1] in text for text in meanings)


def test_a_limit_is_given_through_others_where_there_are_no_more_limits() -> None:
    entries = read_entries(lines(indirect_thresholds.OPERATOR, 8))

    assert len(entries) == 8
    assert sum(" than the " in amount for amount in entries.values()) >= 4


def named(line: Line) -> str:
    """Return a heading as a reminder names it."""
    number, _, title = line.text.partition(" ")
    kind = "step" if line.style is Style.STEP else "section"
    return f"{kind} {number.removesuffix('.')} ({title})"


def test_a_day_is_given_by_days_from_another_day() -> None:
    model = claims()
    plain = Variant(model, render_sop(model, ""))
    found = indirect_thresholds.OPERATOR.apply(plain, 16, 7).sop.lines
    entries = read_entries(found)
    limit = next(name for name in entries if name.startswith("first day of the rules"))

    days, further = timedelta(), limit
    while step := re.fullmatch(r"(\d+) days? (later|earlier) than the (.+)", entries[further]):
        days += timedelta(days=int(step[1])) * (1 if step[2] == "later" else -1)
        further = step[3]

    assert further == f"reference day for the {limit}"
    assert date.fromisoformat(entries[further]) + days == date(2026, 3, 1)
    assert any(f"on or after the {limit} (see section " in line.text for line in found)
    assert not any("2026-03-01" in line.text for line in found)


def test_superseded_rules_name_the_limits_that_the_text_names() -> None:
    model = load_brief(BRIEF).model
    plain = Variant(model, render_sop(model, ""))
    indirect = indirect_thresholds.OPERATOR.apply(plain, 64, 7)
    given = set(read_entries(indirect.sop.lines))
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
        made = superseded.OPERATOR.apply(variant, 64, 7).sop.lines
        said = [line.text for line in made if line.excused == "superseded"]
        assert len(said) > 20
        return sum(bool(amount.search(text)) for amount in amounts for text in said)

    assert count_shown(plain) > 0
    assert count_shown(indirect) == 0


@pytest.mark.parametrize("seed", range(5))
def test_superseded_passages_are_void_before_every_case_and_vary(seed: int) -> None:
    brief = load_brief(BRIEF)
    plain = Variant(brief.model, render_sop(brief.model, brief.draft))
    made = superseded.OPERATOR.apply(plain, 12, seed).sop.lines
    said = [line.text for line in made if line.excused == "superseded"]

    assert len(set(said)) == 12
    days = collect_first_days(brief.model)
    assert all(is_void(text, days) for text in said)
    assert len({" ".join(text.split()[:2]) for text in said}) >= 4
    first = read_setting(plain).first_day
    ended = [re.search(r"\b20\d\d-\d\d-\d\d\b", text) for text in said]
    assert all(ended)
    assert max(found[0] for found in ended if found) <= date.fromordinal(first).isoformat()


def test_an_edition_ends_on_the_same_day_in_all_passages() -> None:
    setting = read_setting(PLAIN)
    changes = {draw_change(setting, number, 7) for number in range(64)}

    assert len(changes) == len({change.edition for change in changes}) > 4
    ordered = sorted(changes, key=lambda change: change.edition)
    assert [change.since[-4:] for change in ordered] == sorted(c.since[-4:] for c in ordered)


def test_a_superseded_limit_stands_beside_the_rule_that_it_was_in() -> None:
    brief = load_brief(BRIEF)
    plain = Variant(brief.model, render_sop(brief.model, brief.draft))
    made = superseded.OPERATOR.apply(plain, 30, 7).sop.lines
    heading = ""
    for line in made:
        heading = line.text if line.style in {Style.SECTION, Style.STEP} else heading
        if line.excused == "superseded" and "copay tier" in line.text:
            assert heading.endswith("Validate the prescription benefit")
        if line.excused == "superseded" and "lifestyle score" in line.text:
            assert heading.endswith("Assess the lifestyle risk")


def test_a_reminder_repeats_a_line_under_its_own_heading() -> None:
    found = complete_lines(redundant_detail.OPERATOR, 3)

    said = [line.text for line in found if line.excused == "reminder"]
    assert len(said) == 3
    for text in said:
        # The line may name further headings, as a transition does.
        places = [n for n, line in enumerate(found) if is_heading(line) and named(line) in text]
        under = [found[n + 1 : find_end(found, n)] for n in places]
        # Inside a sentence, its first letter is small.
        (one,) = [
            part
            for part in under
            if any(line.text[1:-1] in text for line in part if line.states and not line.excused)
        ]
        assert text not in [line.text for line in one]


def test_a_reminder_stands_where_one_would_look_for_what_it_repeats() -> None:
    brief = load_brief(BRIEF.parents[1] / "briefs/patient_intake.yaml")
    plain = Variant(brief.model, render_sop(brief.model, ""))
    heading = ""
    places: list[tuple[str, str]] = []
    for line in redundant_detail.OPERATOR.apply(plain, 12, 3).sop.lines:
        heading = line.text if is_heading(line) else heading
        target = re.search(r"go to step (\S+ \(.*\))", line.text)
        if line.excused == REMINDER and target is not None:
            places.append((heading, target[1]))

    assert len(places) >= 3
    for place, led in places:
        number, _, title = led.partition(" ")
        # The section on escalation says at which steps somebody takes over.
        assert place in {f"{number} {title[1:-1]}", "9. Escalation"}


def is_heading(line: Line) -> bool:
    return line.style in {Style.SECTION, Style.STEP}


def find_end(found: list[Line], start: int) -> int | None:
    """Return where the part under a heading ends, None for the end of the text."""
    return next((n for n in range(start + 1, len(found)) if is_heading(found[n])), None)


def test_a_reminder_has_nothing_worked_out_and_speaks_of_no_other_step_as_this_one() -> None:
    said = [line.text for line in lines(redundant_detail.OPERATOR, 60) if line.excused == REMINDER]

    assert len(said) > 10
    assert not [text for text in said if re.search(r"\b(?:Determine|Calculate|Work out)\b", text)]
    assert not [text for text in said if "this step" in text]


def test_reminders_are_worded_in_several_manners() -> None:
    said = [
        line.text for line in lines(redundant_detail.OPERATOR, 12) if line.excused == "reminder"
    ]
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
    untrue = find_untrue_reminders(complete_lines(redundant_detail.OPERATOR, 5), PLAIN.model)
    assert untrue == []


def test_a_reminder_of_what_is_not_said_is_untrue() -> None:
    found = complete_lines(redundant_detail.OPERATOR, 1)
    (place,) = [n for n, line in enumerate(found) if line.excused == "reminder"]
    true = found[place]
    false = Line(true.style, f"{true.text[:-1]}!", excused="reminder")
    changed = [*found[:place], false, *found[place + 1 :]]

    assert find_untrue_reminders(found, PLAIN.model) == []
    assert find_untrue_reminders(changed, PLAIN.model) == [false]


def test_a_rule_after_others_is_repeated_with_the_words_that_they_come_first() -> None:
    table = PLAIN.model.decisions["care"]
    assert isinstance(table, Table)
    first, second = table.rules[0].id, table.rules[1].id
    stated = [line for line in complete_lines(redundant_detail.OPERATOR, 0) if line.states]
    by_rule = {line.states[0]: line for line in stated}

    def remind(rule: str) -> list[str]:
        line = by_rule[f"rule care.{rule}"]
        return [make_reminder("3.1 Look", line, PLAIN.model, n).text for n in range(4)]

    assert not any("earlier rule" in text for text in remind(first))
    assert all("nless an earlier rule" in text for text in remind(second))


def test_a_transition_is_repeated_after_the_name_of_its_step() -> None:
    first = [line for line in PLAIN.sop.lines if line.states and line.states[0].endswith(".1")]
    edge = next(line for line in first if line.states[0].startswith("edge "))
    said = [make_reminder("3.1 Look", edge, PLAIN.model, n).text for n in range(4)]

    assert all(text.startswith(("As step 3.1 (Look)", "Under step 3.1 (Look)")) for text in said)


def test_tangents_repeat_only_when_all_are_used() -> None:
    made = tangents.OPERATOR.apply(PLAIN, 30, 7)
    found = [item.text for item in made.added]

    assert len(set(found)) == len(found) == 30
    assert {"tangential", SIDE} <= {line.excused for line in made.sop.lines}
    assert not any(letter.isdigit() for text in SENTENCES for letter in text)
