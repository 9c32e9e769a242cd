"""Missing values: a read is found exactly where a case comes to it without a value."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from random import Random

import pytest

from sopforge.findings import Finding, Severity
from sopforge.language.domain.expressions.expressions import (
    AllOf,
    AnyOf,
    Expression,
    Not,
    Read,
    list_children,
)
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_domain
from sopforge.language.domain.rules import Table
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.readings.scalar import holds
from sopforge.proof.solving.examining.missing_values import examine_missing
from tests.worlds.small_models import DOMAINS, changed, claims, day, lending, parcel, row

TRANSFERS = (DOMAINS / "transfers.yaml").read_text(encoding="utf-8")
TEST = '{when: "present(due_on) and days_between(due_on, sent_on) > grace", to: hold}'
NOT_THERE = "{when: not present(due_on), to: hold}"
CARE = "        - {id: C1, when: fragile or 'Glass' in contents, then: careful}\n"
LOOK = "call: findParcel\n        decide: [care]\n"
PRICE = "call: priceParcel\n"
LATER = ((LOOK, "call: findParcel\n"), (PRICE, "call: priceParcel\n        decide: [care]\n"))


def found(*changes: tuple[str, str]) -> list[tuple[str, str]]:
    """Return where parcels are read that may lack a due date, and the case that shows it."""
    return [(item.where, item.evidence) for item in examine_missing(parcel(*changes))]


def test_models_whose_conditions_are_guarded_are_sound() -> None:
    assert examine_missing(parcel()) == []
    assert examine_missing(claims()) == []


def test_a_test_on_the_path_to_a_step_counts() -> None:
    early = (CARE, "        - {id: C1, when: due_on < '2026-02-01', then: careful}\n")

    assert found(early, *LATER, (TEST, NOT_THERE)) == []
    assert found(early, *LATER) == [
        ("decisions.care, rule C1", "sent_on = 2026-01-01, due_on = no due date")
    ]
    assert found(early, (TEST, NOT_THERE)) == [("decisions.care, rule C1", "due_on = no due date")]


def test_where_edges_meet_each_of_them_counts() -> None:
    early = (CARE, "        - {id: C1, when: due_on < '2026-02-01', then: careful}\n")
    around = (
        f"- {TEST}",
        f"- {{when: weight > 7, to: price}}\n          - {NOT_THERE}",
    )

    assert found(early, *LATER, around) == [
        ("decisions.care, rule C1", "weight = 7.01, due_on = no due date")
    ]


@pytest.mark.parametrize(
    ("hit", "where"),
    [("first", []), ("any", ["decisions.care, rule C2"]), ("unique", ["decisions.care, rule C2"])],
)
def test_an_earlier_rule_counts_where_rules_are_in_order(hit: str, where: list[str]) -> None:
    rules = (
        "        - {id: C1, when: not present(due_on), then: plain}\n"
        "        - {id: C2, when: due_on < sent_on, then: careful}\n"
    )
    otherwise = "{id: C2, otherwise: plain}"
    last = "{id: C3, otherwise: plain}"
    changes = ((CARE, rules), (otherwise, last), ("      hit: first", f"      hit: {hit}"))

    assert [place for place, _ in found(*changes)] == where


def test_what_constraints_promise_counts() -> None:
    rules = (
        "        - {id: C1, when: fragile, then: plain}\n"
        "        - {id: C0, when: due_on < sent_on, then: careful}\n"
    )
    constraint = ("  decisions:\n", "  constraints: [fragile or present(due_on)]\n  decisions:\n")

    assert [place for place, _ in found((CARE, rules))] == ["decisions.care, rule C0"]
    assert found((CARE, rules), constraint) == []


TAKES = ("takes: [parcel_id, weight, service]", "takes: [parcel_id, weight, service, due_on]")


def test_a_parameter_must_be_there_when_a_tool_is_called() -> None:
    (finding,) = examine_missing(parcel(TAKES))

    assert finding == Finding(
        "parameter-missing",
        Severity.ERROR,
        "priceParcel takes 'due_on', which may be missing when it is called",
        "procedure.steps.price",
        "sent_on = 2026-01-01, due_on = no due date",
        "let an edge before it lead these cases elsewhere: not present(due_on)",
    )
    assert found(TAKES, (TEST, NOT_THERE)) == []


def test_a_look_up_takes_the_word_for_missing() -> None:
    takes = ("takes: [parcel_id, sent_on, fragile]", "takes: [parcel_id, sent_on, weight]")
    missing = ("unit: kg, description: weight}", "unit: kg, missing: not weighed, description: w}")

    places = {place for place, _ in found(takes, missing)}

    assert "procedure.steps.look" not in places
    assert "procedure.steps.price" in places


def test_a_guard_stands_alone_for_tools_are_called_off_the_path_too() -> None:
    guard = ("is: surcharge <= 30,", "is: due_on < '2026-02-01',")
    chain = ("is: surcharge <= 30,", "is: present(due_on) and due_on < '2026-02-01',")

    assert found(guard, (TEST, NOT_THERE)) == [
        ("tools.releaseParcel, guard G1", "due_on = no due date")
    ]
    assert found(chain) == []


def test_a_guard_after_another_of_its_chain_is_sound() -> None:
    guard = (
        "- {id: G1, is: surcharge <= 30, refusal: too_dear, says: the surcharge is too high}",
        (
            "- {id: G1, is: present(due_on), refusal: no_date, says: there is no date}\n"
            "          - {id: G3, is: due_on > '2026-02-01', refusal: too_soon, says: too soon}"
        ),
    )

    assert found(guard) == []


def test_reads_inside_of_a_list_happen_where_an_item_is_counted() -> None:
    old = '"present(earlier_claims) and count(c for c in earlier_claims if c.was_late) >= 2"'
    grade = (
        "grade: {role: observed, type: enum, values: [Staff, Lead, Chief],",
        "grade: {role: observed, type: enum, values: [Staff, Lead, Chief], missing: no grade,",
    )
    nested = (old, "\"any(i.amount > 5 and grade == 'Lead' for i in lines)\"")
    safe = (old, "\"any(present(grade) and grade == 'Lead' for i in lines)\"")

    def rule(change: tuple[str, str]) -> list[str]:
        findings = examine_missing(claims(grade, change))
        return [item.evidence for item in findings if item.where == "decisions.risk, rule K3"]

    (case,) = rule(nested)
    assert '"amount": 5.01' in case
    assert rule(safe) == []


# brute force


DAYS: tuple[int | None, ...] = (None, day("2026-01-01"), day("2026-02-15"))
ATOMS = ("present(due_on)", "due_on < '2026-02-01'", "fragile", "service == 'Night'")


def made_condition(random: Random, depth: int) -> str:
    if depth == 0:
        return random.choice(ATOMS)
    left, right = (made_condition(random, depth - 1) for _ in range(2))
    shape = random.choice(["{0}", "not ({0})", "({0}) and ({1})", "({0}) or ({1})"])
    return shape.format(left, right)


class ReadsMissingError(Exception):
    """A reader who stops at the first part that settles a condition came to a missing value."""


def read(node: Expression, case: Mapping[str, Value | None]) -> bool:
    """Return a condition as a person reads it, part by part."""
    match node:
        case AllOf():
            return all(read(item, case) for item in node.operands)
        case AnyOf():
            return any(read(item, case) for item in node.operands)
        case Not():
            return not read(node.operand, case)
        case Read(field=name) if case[name] is None:
            raise ReadsMissingError
        case _:
            for child in list_children(node):
                read(child, case)
            return holds(node, case)


def places_read(model: DomainModel, case: Mapping[str, Value | None]) -> str | None:
    """Return where a case first reads a missing value, None if nowhere."""
    for edge in model.steps["look"].edges[:-1]:
        try:
            if edge.when is not None and read(edge.when, case):
                return None
        except ReadsMissingError:
            return f"procedure.edges.{edge.id}"
    table = model.decisions["care"]
    assert isinstance(table, Table)
    for rule in table.rules[:-1]:
        try:
            if rule.when is not None and read(rule.when, case):
                return None
        except ReadsMissingError:
            return f"decisions.care, rule {rule.id}"
    return None


def test_reads_are_found_where_rows_come_to_them() -> None:
    random = Random(11)  # noqa: S311 - made cases, no secrets
    seen = 0
    for _ in range(60):
        conditions = [made_condition(random, random.choice([0, 1, 2])) for _ in range(4)]
        edges = "\n          - ".join(f'{{when: "{text}", to: hold}}' for text in conditions[:2])
        rules = "".join(
            f'        - {{id: C{n + 5}, when: "{text}", then: careful}}\n'
            for n, text in enumerate(conditions[2:])
        )
        model = parcel((TEST, edges), (CARE, rules), *LATER)
        cases = [
            row(due_on=due, fragile=fragile, service=service)
            for due, fragile, service in product(DAYS, (0, 1), (0, 1, 2))
        ]
        expected = {place for case in cases if (place := places_read(model, case))}

        places = [item.where for item in examine_missing(model)]

        # A case that came to one missing value goes on, for the solver, with any value at all.
        assert bool(places) == bool(expected), conditions
        assert expected <= set(places), conditions
        seen += bool(expected)
    assert 10 <= seen <= 50


def lent(*changes: tuple[str, str]) -> list[tuple[str, str]]:
    """Return where loans are read of which a rule may have given no value."""
    return [(item.where, item.evidence) for item in examine_missing(lending(*changes))]


def test_what_rules_may_leave_without_a_value_is_read_after_a_test() -> None:
    assert lent() == []


@pytest.mark.parametrize(
    ("change", "where", "fact"),
    [
        (
            (
                "{id: F1, when: not present(raw_fee), then: missing}",
                "{id: F1, when: waived, then: 1}",
            ),
            "decisions.fee, rule F2",
            "item_kind = Game",
        ),
        (
            ("if present(grace) and not waived else", "if not waived else"),
            "tools.computeFee, raw_fee",
            "",
        ),
        (("or present(reminder) and reminder", "or reminder"), "", ""),
        (
            ("not present(fee) and not present(shelf)", "shelf == 'film room'"),
            "procedure.edges.price.1",
            "item_kind = Game",
        ),
    ],
    ids=["a derived value", "inside of a calculator", "proved by an edge before", "an outcome"],
)
def test_a_value_that_a_rule_may_not_give_is_read_without_a_test(
    change: tuple[str, str], where: str, fact: str
) -> None:
    found = lent(change)

    assert {place for place, _ in found} == ({where} if where else set())
    assert all(fact in evidence for _, evidence in found)


@pytest.mark.parametrize(
    ("name", "step"),
    [pytest.param("payer", "move", id="action"), pytest.param("agent", "read", id="lookup")],
)
def test_no_operation_takes_the_word_for_a_missing_reference(name: str, step: str) -> None:
    """A key of a table is never missing: the tool would refuse the word as no parameter of it."""
    whole = f"{name}: {{role: input, type: reference, to: account,"
    lacking = f"{whole} missing: nobody given, missing_share: 30,"
    model = read_domain(changed(TRANSFERS, (whole, lacking)), "transfers.yaml")

    assert examine_missing(read_domain(TRANSFERS, "transfers.yaml")) == []
    assert [(item.id, item.where) for item in examine_missing(model)] == [
        ("parameter-missing", f"procedure.steps.{step}")
    ]
