"""Functions of a brief: named calculations, read wherever an expression stands."""

from __future__ import annotations

import pytest

from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.schema.unused_fields import CHECK
from sopforge.language.domain.reading import read_brief
from sopforge.language.domain.rules import Formula, Table
from sopforge.workspace import DOMAIN, Workspace
from tests.unit.domain.minimal_brief import SOURCE, fault_of, faults_of, place, read_model, replaced
from tests.worlds.counters import Parts, build_counter, find_rule

AT = "  constraints:\n"
LATE = "late: {takes: [day, most], is: 'days_between(bought_on, day) > most'}"
DAYS, SHARE = "days_between(bought_on, returned_on)", "round(price * (2.5 + 1) / 100, 2)"
ITEMS = "{cost: {type: integer, min: 0, max: 9, description: c}}"
OF_LIST = "type: list, role: observed, size: 3, empty: no part, description: parts"
LISTED = f"parts: {{{OF_LIST}, items: {ITEMS}}}"
WRITE = "write late(day, most)"
RULE = "when: age <= return_days, then: full"


def functions(*lines: str) -> tuple[str, str]:
    """Return the change of the brief that defines functions, a line each."""
    return AT, "".join(["  functions:\n", *(f"    {line}\n" for line in lines), AT])


def test_arguments_are_fields_constants_numbers_and_expressions() -> None:
    shared = "share: {takes: [whole, rate], is: 'round(whole * rate / 100, 2)'}"
    model = read_model(
        functions(LATE, shared, "worth: {takes: [rate], is: 'share(price, rate) + fee'}"),
        (RULE, "when: 'not late(returned_on, return_days) or worth(2.5 + 1) > 9', then: full"),
    )
    plain = read_model(
        (
            RULE,
            f"when: 'not {DAYS} > return_days or {SHARE} + fee > 9', then: full",
        )
    )

    assert model.decisions == plain.decisions
    assert model.unused_functions == ()


def test_a_function_may_give_a_label_a_day_or_a_table_of_choices() -> None:
    model = read_model(
        functions("least: {takes: [days], is: \"'full' if age <= days else 'part'\"}"),
        (RULE, "when: is_opened, then: least(9)"),
    )
    plain = read_model((RULE, "when: is_opened, then: \"'full' if age <= 9 else 'part'\""))

    refund = model.decisions["refund"]
    assert isinstance(refund, Table)
    assert refund == plain.decisions["refund"]


def test_a_record_stands_for_what_it_holds() -> None:
    def change(model: Parts) -> None:
        model["functions"] = {"left": {"takes": ["account"], "is": "account.balance - amount"}}
        find_rule(model, "R3")["when"] = "left(payer) < 5"

    def change_plainly(model: Parts) -> None:
        find_rule(model, "R3")["when"] = "payer.balance - amount < 5"

    assert build_counter(change).decisions == build_counter(change_plainly).decisions


def test_a_call_may_be_about_an_item_of_a_list() -> None:
    listed = ("        age: {role", f"        {LISTED}\n        age: {{role")
    returned = ("returns: [returned_on]", "returns: [returned_on, parts]")
    dear = functions("dear: {takes: [cost, most], is: cost * 2 > most}")
    model = read_model(
        listed,
        returned,
        dear,
        (RULE, "when: 'any(dear(p.cost, age) for p in parts)', then: full"),
    )
    plain = read_model(
        listed, returned, (RULE, "when: any(p.cost * 2 > age for p in parts), then: full")
    )

    assert model.decisions == plain.decisions


def test_values_of_fields_may_be_calls() -> None:
    model = read_model(
        functions("since: {takes: [day], is: 'days_between(day, returned_on)'}"),
        ("value: days_between(bought_on, returned_on)", "value: since(bought_on)"),
    )

    age = model.decisions["age"]
    assert isinstance(age, Formula)
    assert age == read_model().decisions["age"]


@pytest.mark.parametrize(
    ("lines", "code", "message", "hint"),
    [
        (
            ("twice: {takes: [x], is: twice(x) * 2}",),
            "cyclic-function",
            "'twice' is not defined above: a function calls only those above it",
            "move 'twice' up; a function that would call itself is not allowed",
        ),
        (
            ("one: {takes: [x], is: 3 + two(x)}", "two: {takes: [x], is: x + 1}"),
            "cyclic-function",
            "'two' is not defined above: a function calls only those above it",
            "move 'two' up; a function that would call itself is not allowed",
        ),
        (
            ("one: {takes: [x, y], is: x + 1}",),
            "type-error",
            "the expression does not use the parameter 'y'",
            "use it, or delete it under 'takes'",
        ),
        (
            ("one: {takes: [x, x], is: x + 1}",),
            "duplicate-name",
            "the parameter 'x' is listed twice",
            "remove one of them",
        ),
        (
            ("one: {takes: [x], is: x + agee}",),
            "unknown-field",
            "there is no parameter, field or policy constant 'agee'",
            "did you mean 'age'?",
        ),
        (
            ("one: {takes: [p], is: 'sum(p.cost for p in parts) + p'}",),
            "unknown-field",
            "there is no parameter, field or policy constant 'parts'",
            "",
        ),
        (
            ("max: {takes: [x], is: x + 1}",),
            "duplicate-name",
            "the name 'max' is used for both a function and a function of the brief",
            "rename one of them",
        ),
        (
            ("one: {takes: [x], is: x +}",),
            "syntax-error",
            "something is missing after '+'",
            "",
        ),
    ],
)
def test_a_function_that_cannot_be_read_is_refused(
    lines: tuple[str, ...], code: str, message: str, hint: str
) -> None:
    fault, *_ = faults_of(functions(*lines))

    assert fault.code == code
    assert fault.message.removesuffix(" of the expression)").partition(" (at column ")[0] == message
    assert fault.hint.startswith(hint)
    changed = replaced(functions(*lines))
    name = lines[0].partition(":")[0]
    assert fault.where.startswith(place(lines[0], f"model.functions.{name}", changed))


@pytest.mark.parametrize(
    ("called", "code", "message", "hint"),
    [
        ("late(returned_on)", "type-error", "late(...) takes 2 arguments, found 1", WRITE),
        ("late(price, 3)", "type-error", "expected", ""),
        ("lat(returned_on, 3)", "unknown-function", "there is no function 'lat'", "did you mean"),
        ("late(day, most=3)", "type-error", "late(...) does not take named arguments", WRITE),
        ("late(bought, 3)", "unknown-field", "there is no field or policy constant 'bought'", ""),
    ],
)
def test_a_call_that_cannot_be_read_is_refused(
    called: str, code: str, message: str, hint: str
) -> None:
    fault = fault_of(functions(LATE), (RULE, f"when: '{called}', then: full"))

    assert fault.code == code
    assert fault.message.startswith(message)
    assert fault.hint.startswith(hint)


def test_functions_do_not_grow_without_bound() -> None:
    lines = ["f0: {takes: [x], is: x + x}"]
    lines += [f"f{n}: {{takes: [x], is: f{n - 1}(x) + f{n - 1}(x)}}" for n in range(1, 15)]

    fault, *_ = faults_of(functions(*lines))

    assert fault.code == "expression-too-long"
    assert "with its functions written out" in fault.message


def test_a_call_that_would_become_too_long_is_refused_at_once() -> None:
    called = "price"
    for _ in range(40):
        called = f"f({called})"

    fault, *_ = faults_of(
        functions("f: {takes: [x], is: x + x}"), (RULE, f"when: '{called} > 3', then: full")
    )

    assert fault.code == "expression-too-long"
    assert "f(...) is too long when it is written out here" in fault.message


def test_items_of_the_caller_and_of_the_function_stay_apart() -> None:
    listed = ("        age: {role", f"        {LISTED}\n        age: {{role")
    returned = ("returns: [returned_on]", "returns: [returned_on, parts]")

    inner = "total: {takes: [w], is: 'sum(p.cost * w for p in parts)'}"
    captured = fault_of(
        listed, returned, functions(inner), (RULE, "when: total(p.cost) > 3, then: full")
    )
    assert "the expression of total(...) has items of its own called 'p'" in captured.message

    outer = "dear: {takes: [w], is: p.cost > w}"
    fault, *_ = faults_of(
        listed, returned, functions(outer), (RULE, "when: any(dear(3) for p in parts), then: full")
    )
    assert "there is no parameter, field or policy constant 'p'" in fault.message

    named = "same: {takes: [p], is: 'count(p for p in parts) + p'}"
    clash, *_ = faults_of(listed, returned, functions(named))
    assert "the expression calls an item as the parameter 'p' is called" in clash.message


def test_a_condition_on_an_item_may_have_a_name() -> None:
    listed = ("        age: {role", f"        {LISTED}\n        age: {{role")
    returned = ("returns: [returned_on]", "returns: [returned_on, parts]")
    model = read_model(
        listed,
        returned,
        functions("dear: {takes: [part], is: part.cost > 3 and part.cost < 8}"),
        (RULE, "when: any(dear(p) for p in parts), then: full"),
    )
    plain = read_model(
        listed,
        returned,
        (RULE, "when: any(p.cost > 3 and p.cost < 8 for p in parts), then: full"),
    )

    assert model.decisions == plain.decisions


def test_a_function_that_nothing_uses_is_noticed() -> None:
    brief = read_brief(replaced(functions(LATE)), SOURCE)

    workspace = Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)})
    (found,) = [item for item in CHECK.examine(workspace) if item.id == "function-not-used"]
    assert (found.message, found.where) == ("nothing uses the function 'late'", "functions.late")
