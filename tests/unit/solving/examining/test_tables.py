from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from sopforge.findings import Severity
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief
from sopforge.language.domain.rules import Collect, HitPolicy, Table
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.solving.examining.tables import examine_table, examine_tables
from sopforge.proof.solving.questions import NoRow, Row, find_row
from tests.worlds.small_models import claims, condition, parcel, row, table, value

MODEL = parcel()


def found(
    hit: str, model: DomainModel | None = None, /, **rules: str | None
) -> list[tuple[str, str]]:
    """Return the findings about a table of ``care``: what is wrong, and the case that shows it."""
    findings = examine_table(model or MODEL, table(model or MODEL, hit, rules))
    for finding in findings:
        is_dead = finding.id == "unreachable-rule"
        assert finding.severity is (Severity.WARNING if is_dead else Severity.ERROR)
    return [(finding.id, finding.evidence or finding.where) for finding in findings]


GAPS = {
    "one weight between": ({"R1": "weight < 5", "R2": "weight > 5"}, "weight = 5.00"),
    "the least weight": ({"R1": "weight >= 0.01"}, "weight = 0.00"),
    "the greatest weight": ({"R1": "weight <= 39.99"}, "weight = 40.00"),
    "the least of many cases": ({"R1": "weight < 5 or weight > 6"}, "weight = 5.00"),
    "one label": ({"R1": "service != 'Express'"}, "service = Express"),
    "the other flag": ({"R1": "fragile"}, "fragile = no"),
    "empty set": ({"R1": "'Glass' in contents"}, "contents = nothing listed"),
    "all": ({"R1": "count(contents) < 3"}, "contents = Books; Glass; Medicine"),
    "missing": ({"R1": "present(due_on)"}, "due_on = no due date"),
    "present": ({"R1": "not present(due_on)"}, "due_on = 2026-01-01"),
    "two dates": (
        {"R1": "not present(due_on) or due_on >= sent_on"},
        "sent_on = 2026-01-02, due_on = 2026-01-01",
    ),
}


@pytest.mark.parametrize(("rules", "case"), GAPS.values(), ids=GAPS)
def test_a_gap_is_shown_by_its_least_case(rules: dict[str, str | None], case: str) -> None:
    assert ("gap", case) in found("unique", **rules)


SOUND = {
    "two halves": ("unique", {"R1": "weight < 5", "R2": "weight >= 5"}),
    "two places": ("unique", {"R1": "weight <= 4.99", "R2": "weight >= 5"}),
    "labels": ("unique", {"R1": "service == 'Night'", "R2": "service in ['Standard', 'Express']"}),
    "missing, before and after": (
        "unique",
        {
            "R1": "not present(due_on)",
            "R2": "present(due_on) and due_on < sent_on",
            "R3": "present(due_on) and due_on >= sent_on",
        },
    ),
    "a rest": ("unique", {"R1": "fragile", "R2": None}),
    "an overlap in order": ("first", {"R1": "weight > 1", "R2": "weight <= 9"}),
}


@pytest.mark.parametrize(("hit", "rules"), SOUND.values(), ids=SOUND)
def test_a_sound_table_has_no_findings(hit: str, rules: dict[str, str | None]) -> None:
    assert found(hit, **rules) == []


def test_two_rules_of_a_unique_table_must_not_share_a_case() -> None:
    assert found("unique", R1="weight <= 5", R2="weight >= 5", R3="weight > 20") == [
        ("overlap", "weight = 5.00"),
        ("overlap", "weight = 20.01"),
    ]


def test_derived_fields_follow_their_formulas() -> None:
    # The points are 0, 2 or 4, so that 1 and 3 need no rule and 4 means Night.
    assert found("unique", R1="service_points == 0") == [("gap", "service_points = 2")]
    assert found("unique", R1="service_points <= 2", R2="service_points == 4") == []
    assert found("first", R1="service == 'Night'", R2="service_points > 2", R3=None) == [
        ("unreachable-rule", "decisions.care, rule R2")
    ]


def test_a_formula_is_followed_to_its_last_place() -> None:
    # The surcharge is 1.50 for each kilogram above 5, and 40 kg is the most: 52.50.
    above = condition(MODEL, "surcharge > 52.5")
    at = condition(MODEL, "surcharge == 52.5")

    assert find_row(MODEL, [above]) == NoRow()
    assert find_row(MODEL, [at]) == Row({"surcharge": "52.5000"}, {"surcharge": 525_000})
    assert find_row(MODEL, [at, condition(MODEL, "weight < 40")]) == NoRow()


def test_constraints_over_other_fields_count_too() -> None:
    both = condition(MODEL, "fragile and weight >= 7 or not fragile and weight >= 3")
    constrained = replace(MODEL, constraints=(both,))

    assert found("unique", constrained, R1="weight > 3") == [("gap", "weight = 3.00")]
    assert found("unique", constrained, R1="weight >= 3") == []


def examined(*changes: tuple[str, str], decision: str) -> list[tuple[str, str]]:
    """Return the findings about a table of the claims: what is wrong, and the case or the place."""
    model = claims(*changes)
    table_ = model.decisions[decision]
    assert isinstance(table_, Table)
    return [(item.id, item.evidence or item.where) for item in examine_table(model, table_)]


def test_rules_of_any_may_overlap_where_they_agree() -> None:
    wider = ("W3, when: risk < much_risk and present(", "W3, when: risk < 7 and present(")
    alike = ("then: short}", "then: thorough}")

    found = examined(wider, decision="kind_of_review")

    assert found == [("disagreement", "earlier_claims = no earlier claim, risk = 5")]
    assert examined(wider, alike, decision="kind_of_review") == []


def test_rules_of_any_that_agree_by_formula_do_not_disagree() -> None:
    same, other = (
        table(MODEL, "any", {"R1": "weight > 5", "R2": "fragile", "R3": "weight <= 5"}),
        value(MODEL, "'careful'", "care"),
    )
    fragile = replace(
        same, rules=(same.rules[0], replace(same.rules[1], then=other), same.rules[2])
    )

    assert examine_table(MODEL, same) == []
    assert [(item.id, item.evidence) for item in examine_table(MODEL, fragile)] == [
        ("disagreement", "weight = 5.01, fragile = yes"),
        ("disagreement", "weight = 0.00, fragile = yes"),
    ]


@pytest.mark.parametrize(
    ("collect", "case"),
    [("sum", None), ("count", None), ("min", "weight = 5.00"), ("max", "weight = 5.00")],
)
def test_a_case_without_a_rule_is_a_gap_of_an_extreme_only(collect: str, case: str | None) -> None:
    rules = table(MODEL, "unique", {"R1": "weight < 5", "R2": "weight > 5"}).rules
    points = tuple(replace(rule, then=value(MODEL, "1", "service_points")) for rule in rules)
    collected = Table("service_points", HitPolicy.COLLECT, points, "", Collect(collect))

    findings = examine_table(MODEL, collected)

    assert [item.evidence for item in findings if item.id == "gap"] == ([case] if case else [])
    assert {item.id for item in findings} <= {"gap"}


def test_rules_that_are_collected_may_overlap() -> None:
    rules = table(MODEL, "unique", {"R1": "weight < 5", "R2": "weight < 9", "R3": None}).rules
    points = tuple(replace(rule, then=value(MODEL, "1", "service_points")) for rule in rules)
    collected = Table("service_points", HitPolicy.COLLECT, points, "", Collect.SUM)

    assert examine_table(MODEL, collected) == []


CARE = "        - {id: C1, when: fragile or 'Glass' in contents, then: careful}\n"
ON_TIME = '{when: "present(due_on) and days_between(due_on, sent_on) > grace", to: hold}'
LATER = (
    ("call: findParcel\n        decide: [care]\n", "call: findParcel\n"),
    ("call: priceParcel\n", "call: priceParcel\n        decide: [care]\n"),
)
ATOMS = ("fragile", "service == 'Night'", "'Glass' in contents", "weight > 5")


def dead_rules(model: DomainModel) -> set[str]:
    return {
        item.where.rpartition(" ")[2]
        for item in examine_tables(model)
        if item.id == "unreachable-rule"
    }


def test_a_rule_whose_cases_an_edge_leads_elsewhere_is_found() -> None:
    model = parcel((ON_TIME, "{when: fragile, to: hold}"), *LATER)
    only = (CARE, "        - {id: C1, when: fragile, then: careful}\n")

    assert dead_rules(model) == set()
    (finding,) = examine_tables(parcel((ON_TIME, "{when: fragile, to: hold}"), *LATER, only))
    assert finding.where == "decisions.care, rule C1"
    assert finding.message == (
        "rule C1 of 'care' never decides a case: no case that it covers reaches the step that"
        " decides it"
    )
    assert dead_rules(parcel(only)) == set()


SWALLOWED = {
    "one": (
        "first",
        {"R1": "weight > 30", "R2": "fragile", "R3": "fragile and weight > 3", "R4": None},
        "R3",
        "rule R2 before it takes all of its cases",
        "remove it, or narrow rule R2",
    ),
    "two that both are needed": (
        "first",
        {"R1": "service == 'Night'", "R2": "weight > 5", "R3": "weight <= 5", "R4": "fragile"},
        "R4",
        "rules R2 and R3 before it together cover all of its cases",
        "remove it, or narrow one of the rules R2 and R3",
    ),
    "all, of the rule for all other cases": (
        "first",
        {
            "R1": "service == 'Night'",
            "R2": "service == 'Express'",
            "R3": "service == 'Standard'",
            "R4": None,
        },
        "R4",
        "rules R1, R2 and R3 before it together cover all of its cases",
        "remove it, or narrow one of the rules R1, R2 and R3",
    ),
    "none": (
        "first",
        {"R1": "fragile", "R2": "weight > 5 and weight < 4", "R3": None},
        "R2",
        "no case meets its condition",
        "remove it, or correct its condition",
    ),
    "where the order decides nothing": (
        "any",
        {"R1": "fragile", "R2": "weight > 40", "R3": None},
        "R2",
        "no case meets its condition",
        "remove it, or correct its condition",
    ),
    "after the rest": (
        "first",
        {"R1": None, "R2": "fragile"},
        "R2",
        "rule R1 before it takes all of its cases",
        "remove it, or narrow rule R1",
    ),
}


@pytest.mark.parametrize(
    ("hit", "rules", "rule", "reason", "hint"), SWALLOWED.values(), ids=SWALLOWED
)
def test_a_rule_that_earlier_rules_swallow_names_them(
    hit: str, rules: dict[str, str | None], rule: str, reason: str, hint: str
) -> None:
    (finding,) = examine_table(MODEL, table(MODEL, hit, rules))

    assert (finding.id, finding.where) == ("unreachable-rule", f"decisions.care, rule {rule}")
    assert finding.message.endswith(f" of 'care' never decides a case: {reason}")
    assert finding.hint == hint


def test_a_rule_whose_cases_are_taken_where_they_come_names_who_takes_them() -> None:
    # Light parcels never come to the table, and those that do are taken by the first rule.
    rules = (
        "        - {id: C1, when: weight > 5, then: careful}\n"
        "        - {id: C3, when: fragile, then: careful}\n"
    )
    model = parcel((ON_TIME, "{when: weight <= 5, to: hold}"), (CARE, rules), *LATER)

    (message,) = [item.message for item in examine_tables(model) if item.where.endswith("C3")]

    assert message == (
        "rule C3 of 'care' never decides a case: rule C1 before it takes all of its cases that"
        " come here"
    )


def test_a_rule_is_sound_where_one_of_two_steps_leaves_it_cases() -> None:
    only = (CARE, "        - {id: C1, when: fragile, then: careful}\n")
    also = ("hold: {title: Hold,", "hold: {title: Hold, decide: [care],")

    assert dead_rules(parcel((ON_TIME, "{when: fragile, to: hold}"), *LATER, only, also)) == set()


def test_rules_are_dead_where_no_row_is_decided_by_them() -> None:
    random = Random(5)  # noqa: S311 - made cases, no secrets
    rows = [
        row(fragile=fragile, service=service, contents=contents, weight=weight)
        for fragile, service, contents, weight in product((0, 1), (0, 2), (0, 2), (400, 600))
    ]
    counts = Counter[int]()
    for _ in range(40):
        first, *others = (
            f"{random.choice(ATOMS)} {random.choice(['and', 'or'])} not {random.choice(ATOMS)}"
            for _ in range(4)
        )
        rules = "".join(
            f'        - {{id: C{n + 5}, when: "{text}", then: careful}}\n'
            for n, text in enumerate(others)
        )
        edge = f'{{when: "{first}", to: hold}}'
        model = parcel((ON_TIME, edge), (CARE, rules), *LATER)
        decided = {rule for case in rows for rule in label_row(model, case).rules.get("care", ())}

        dead = {"C5", "C6", "C7", "C2"} - decided

        # Where no row comes to the table at all, the path to it is what is wrong.
        assert dead_rules(model) == (dead if decided else dead_rules(model)), (first, others)
        counts[len(dead)] += 1
    assert counts[0] > 0
    assert counts[1] + counts[2] > 5


def test_a_case_is_named_in_words() -> None:
    due = table(MODEL, "unique", {"R1": "not present(due_on)", "R2": "service != 'Night'"})
    light = table(MODEL, "any", {"R1": "weight < 1.25 or fragile"})
    both = table(MODEL, "unique", {"R1": "'Glass' in contents", "R2": "weight > 5", "R3": None})

    messages = [item.message for part in (due, light, both) for item in examine_table(MODEL, part)]

    assert messages == [
        "no rule of 'care' covers service 'Night' with due date 2026-01-01",
        "rules R1 and R2 of 'care' both cover service 'Standard' with due date 'no due date'",
        "no rule of 'care' covers weight 1.25 kg with fragile 'no'",
        "rules R1 and R2 of 'care' both cover weight 5.01 kg with contents 'Glass'",
    ]


LOANS = """\
format: 1
domain: loans
title: Loans
business_task: Decide on a loan.
task_context: A desk.
dataset: {n_samples: 4, seed: 1}
model:
  entities:
    loan:
      key: slip
      fields:
        slip: {role: input, type: string, pattern: "S[0-9]{4}", unique: true, description: slip}
        due_on: {role: observed, type: date, min: 2026-03-01, max: 2026-03-10, description: due}
        back_on: {role: input, type: date, min: 2026-03-13, max: 2026-04-10, description: back}
        torn: {role: observed, type: boolean, description: whether it is torn}
        lent: {role: observed, type: boolean, description: whether it is lent}
        late: {role: derived, type: integer, min: 0, max: 99, unit: days, description: days}
        next: {role: outcome, type: enum, values: [keep, fix, ask], primary: true, description: x}
  decisions:
    late: {value: "days_between(due_on, back_on)"}
    next:
      hit: unique
      rules:
        - {id: N1, when: torn, then: fix}
        - {id: N2, when: lent, then: ask}
        - {id: N3, when: late > 20, then: ask}
        - {id: N4, otherwise: keep}
  tools:
    read: {kind: lookup, description: Read, takes: [slip], returns: [due_on, torn, lent]}
  procedure:
    start: read
    steps:
      read: {title: Read, call: read, decide: [late, next], edges: [{to: done}]}
      done: {title: Close, end: {}}
"""


def test_a_case_of_an_overlap_has_no_derived_value_that_no_case_can_have() -> None:
    """Every case is at least 3 days late, which N1 and N2 do not ask for."""
    findings = examine_tables(read_brief(LOANS, "loans.yaml").model)
    shown = [item.evidence for item in findings if item.id == "overlap"]

    assert shown[0] == "torn = yes, lent = yes"
    assert [text.partition(", ")[0] for text in shown[1:]] == ["torn = yes", "lent = yes"]
    assert all(21 <= int(text.rpartition(" = ")[2]) <= 40 for text in shown[1:])
