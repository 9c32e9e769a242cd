from __future__ import annotations

import pytest

from sopforge.errors import Fault
from sopforge.language.domain.expressions.expressions import Combination, Constant, Lookup, Read
from sopforge.language.domain.rules import Collect, Formula, HitPolicy, Table
from sopforge.language.domain.values.types import EnumType, NumberType, SetType
from tests.unit.domain.minimal_brief import (
    BRIEF,
    fault_of,
    faults_of,
    place,
    read_model,
    refusal,
    replaced,
)

REFUND = "model.decisions.refund"

# Tables on two fields


@pytest.mark.parametrize(
    ("names", "message", "hint"),
    [
        ("[kind]", "this list must have 2 items, found 1", "add the missing items"),
        ("[kind, kind, kind]", "expected at most 2 items", "remove the surplus items"),
    ],
)
def test_a_list_of_fields_for_a_table_has_two(names: str, message: str, hint: str) -> None:
    fault = fault_of(("      table: kind\n", f"      table: {names}\n"))
    assert (fault.code, fault.message, fault.hint) == ("invalid-value", message, hint)


COLOURS = "        colour: {role: input, type: enum, values: [Red, Blue], description: c}\n"
COLOUR = ("        extras: {", f"{COLOURS}        extras: {{")
TABLE = "      table: kind\n      rows: {Book: 1, Toy: 2}\n"
PAIRS = """\
      table: [kind, colour]
      rows:
        Book: {Red: 1, Blue: 2}
        Toy: {Red: 3, Blue: 4}
"""


def constant(value: int) -> Constant:
    return Constant(NumberType(value, value), value)


def test_a_table_on_two_fields_becomes_a_lookup_of_lookups() -> None:
    points, colours = NumberType(0, 9), EnumType(("Red", "Blue"))
    colour = Read(colours, "colour")
    inner = [Lookup(points, colour, tuple(map(constant, pair))) for pair in ((1, 2), (3, 4))]
    value = Lookup(points, Read(EnumType(("Book", "Toy")), "kind"), tuple(inner))
    built = read_model(COLOUR, (TABLE, PAIRS)).decisions["points"]
    assert built == Formula("points", value, "points of the kind")


@pytest.mark.parametrize(
    ("change", "code", "message", "part", "path"),
    [
        (
            ("{Red: 3, Blue: 4}", "{Blue: 4, Red: 3}"),
            "table-rows",
            "'rows' must list exactly Red, Blue, in this order; found Blue, Red",
            "        Toy: {Blue",
            "rows.Toy",
        ),
        (
            ("{Red: 3, Blue: 4}", "{Red: 3, Blue: 40}"),
            "out-of-range",
            "the value can be 40, but the field declares 0 to 9 (at column 1 of the expression)",
            "        Toy: {Red",
            "rows.Toy.Blue",
        ),
        (
            ("[kind, colour]", "[kind, color]"),
            "unknown-field",
            "there is no field 'color'",
            "table: [",
            "table",
        ),
        (
            ("[kind, colour]", "[kind, price]"),
            "type-error",
            "a table looks up enum fields, but 'price' is a number",
            "table: [",
            "table",
        ),
        (
            ("[kind, colour]", "[kind, kind]"),
            "duplicate-name",
            "the table names 'kind' twice",
            "table: [",
            "table",
        ),
    ],
    ids=["inner rows", "inner value", "unknown second field", "second field no enum", "one twice"],
)
def test_a_fault_in_a_table_on_two_fields_has_its_place(
    change: tuple[str, str], code: str, message: str, part: str, path: str
) -> None:
    changed = replaced(COLOUR, (TABLE, PAIRS.replace(*change)))
    (fault,) = refusal(changed).faults
    assert (fault.code, fault.message) == (code, message)
    assert fault.where == place(part, f"model.decisions.points.{path}", changed)


@pytest.mark.parametrize(
    ("rows", "message", "hint"),
    [
        (
            PAIRS.replace("[kind, colour]", "kind"),
            "a table on one field needs one result for each value, found several",
            "write one result, or name a second field under 'table'",
        ),
        (
            PAIRS.replace("{Red: 1, Blue: 2}", "1").replace("{Red: 3, Blue: 4}", "2"),
            "a table on two fields needs several results in each row, found one",
            "write a result for each value of 'colour': {value: result, ...}",
        ),
    ],
    ids=["rows of rows for one field", "plain rows for two"],
)
def test_rows_are_as_deep_as_the_table_has_fields(rows: str, message: str, hint: str) -> None:
    found = faults_of(COLOUR, (TABLE, rows))
    assert {fault.code for fault in found} == {"table-rows"}
    assert [fault.where.rpartition(".")[2] for fault in found] == ["Book", "Toy"]
    assert {(fault.message, fault.hint) for fault in found} == {(message, hint)}


def test_a_table_gives_labels_too() -> None:
    rules = BRIEF[BRIEF.index("      hit: first\n") : BRIEF.index("  tools:")]
    rows = "      table: kind\n      rows: {Book: full, Toy: part}\n"
    kind = EnumType(("full", "part"))
    assert read_model((rules, rows)).decisions["refund"] == Formula(
        "refund",
        Lookup(
            kind, Read(EnumType(("Book", "Toy")), "kind"), (Constant(kind, 0), Constant(kind, 1))
        ),
        "r",
    )


# Values in rules


@pytest.mark.parametrize(
    ("declared", "result", "code", "message"),
    [
        (
            "type: enum, values: [to pay, paid up]",
            "to pai",
            "value-not-allowed",
            "'to pai' is not one of: to pay, paid up",
        ),
        (
            "type: enum, values: [to pay, paid up]",
            "kind",
            "value-not-allowed",
            "'kind' is not one of: to pay, paid up",
        ),
        ("type: boolean", "maybe", "value-not-allowed", "'maybe' is not one of: no, yes"),
        (
            "type: boolean",
            "price",
            "type-error",
            "expected a condition here, found a number (at column 1 of the expression)",
        ),
        (
            "type: date, min: 2026-01-01, max: 2026-12-31",
            "2026-02-30",
            "value-not-allowed",
            "'2026-02-30' is not a date in the form 2026-03-31",
        ),
        (
            "type: date, min: 2026-01-01, max: 2026-12-31",
            "2027-02-01",
            "value-not-allowed",
            "2027-02-01 is outside 2026-01-01 to 2026-12-31",
        ),
        (
            "type: datetime, min: 2026-01-01 00:00, max: 2026-12-31 23:59",
            "2026-02-03",
            "value-not-allowed",
            "'2026-02-03' is not a date and time in the form 2026-03-31 14:05",
        ),
        (
            "type: integer, min: 0, max: 9",
            "ten",
            "unknown-field",
            "there is no field or policy constant 'ten' (at column 1 of the expression)",
        ),
    ],
    ids=[
        "label",
        "field as a label",
        "yes or no",
        "number for yes or no",
        "no date",
        "date outside",
        "date for a time",
        "number",
    ],
)
def test_a_result_that_is_none_of_its_type_is_reported_as_a_value(
    declared: str, result: str, code: str, message: str
) -> None:
    found = fault_of(*_decided(declared, result))
    assert (found.code, found.message) == (code, message)


@pytest.mark.parametrize(
    ("declared", "result"),
    [
        ("type: enum, values: [Book, Toy]", "kind"),
        ("type: enum, values: [Book, Toy]", "kind if is_opened else 'Toy'"),
        ("type: enum, values: [to pay, paid up]", "paid up"),
        ("type: boolean", "true"),
        ("type: boolean", "not is_opened"),
        ("type: boolean", "is_opened"),
        ("type: date, min: 2026-01-01, max: 2026-12-31", "bought_on"),
        ("type: date, min: 2026-01-01, max: 2026-12-31", "2026-02-28"),
        ("type: date, min: 2026-01-01, max: 2026-12-31", "add_days(bought_on, 5)"),
        ("type: number, places: 2, min: 0.00, max: 900.00", "price + fee"),
    ],
    ids=[
        "field of the same labels",
        "choice of labels",
        "label",
        "true",
        "condition",
        "yes/no field",
        "date field",
        "date",
        "later date",
        "sum",
    ],
)
def test_a_result_may_be_worked_out(declared: str, result: str) -> None:
    table = read_model(*_decided(declared, result)).decisions["extra"]
    assert isinstance(table, Table)


def _decided(declared: str, result: str) -> tuple[tuple[str, str], ...]:
    """Return the changes that add a field and decide it by one rule."""
    field = f"        extra: {{role: derived, {declared}, description: e}}\n"
    rule = f"    extra: {{hit: unique, rules: [{{id: E1, otherwise: {result}}}]}}\n"
    rule = rule.replace(f"otherwise: {result}", f'otherwise: "{result}"') if "," in result else rule
    return (("  constraints:\n", f"{field}  constraints:\n"), ("  tools:\n", f"{rule}  tools:\n"))


# Hit policies


def _collecting(head: str, *rules: str) -> tuple[str, str]:
    """Return the change that decides the points by rules."""
    lines = "".join(f"        - {rule}\n" for rule in rules)
    return TABLE, f"      {head}\n      rules:\n{lines}"


SUM = "hit: collect\n      collect: sum"
FOUR = "{id: P1, when: price > 5, then: 4}"
FIVE = "{id: P2, when: is_opened, then: 5}"


@pytest.mark.parametrize(
    ("head", "hit", "collect"),
    [
        ("hit: any", HitPolicy.ANY, None),
        (SUM, HitPolicy.COLLECT, Collect.SUM),
        (SUM.replace("sum", "max"), HitPolicy.COLLECT, Collect.MAXIMUM),
        (SUM.replace("sum", "min"), HitPolicy.COLLECT, Collect.MINIMUM),
        (SUM.replace("sum", "count"), HitPolicy.COLLECT, Collect.COUNT),
    ],
    ids=["any", "sum", "greatest", "least", "count"],
)
def test_a_table_keeps_its_hit_policy(head: str, hit: HitPolicy, collect: Collect | None) -> None:
    table = read_model(_collecting(head, FOUR, FIVE)).decisions["points"]
    assert isinstance(table, Table)
    assert (table.hit, table.collect, [rule.id for rule in table.rules]) == (
        hit,
        collect,
        ["P1", "P2"],
    )


@pytest.mark.parametrize(
    ("head", "rules", "found", "declared"),
    [
        (SUM, [FOUR, FIVE, "{id: P3, when: age > 3, then: 1}"], "0 to 10", "0 to 9"),
        (SUM, [FOUR, FIVE], "0 to 9", "3 to 9"),
        (SUM.replace("sum", "count"), [FOUR, FIVE], "0 to 2", "3 to 9"),
    ],
    ids=["more than the greatest", "less where no rule holds", "a count"],
)
def test_what_all_rules_give_together_must_fit_the_field(
    head: str, rules: list[str], found: str, declared: str
) -> None:
    low = declared[0]
    bounds = ("min: 0, max: 9, description: points", f"min: {low}, max: 9, description: points")
    fault = fault_of(_collecting(head, *rules), bounds)
    assert (fault.code, fault.message) == (
        "out-of-range",
        f"together, the rules can give {found}, but the field declares {declared}",
    )


def test_a_rule_for_the_rest_leaves_no_empty_sum() -> None:
    changes = (
        _collecting(SUM, FOUR, FIVE, "{id: P3, otherwise: 3}"),
        ("min: 0, max: 9, description: points", "min: 3, max: 9, description: points"),
    )
    assert "points" in read_model(*changes).decisions


@pytest.mark.parametrize("collect", ["min", "max"])
def test_the_least_and_greatest_result_always_fit(collect: str) -> None:
    changes = (
        _collecting(SUM.replace("sum", collect), FOUR, FIVE),
        ("min: 0, max: 9, description: points", "min: 4, max: 5, description: points"),
    )
    assert "points" in read_model(*changes).decisions


def test_faults_of_collecting_have_their_place() -> None:
    six = "{id: P3, when: age > 3, then: 6}"
    assert fault_of(_collecting(SUM, FOUR, FIVE, six)) == Fault(
        "out-of-range",
        "together, the rules can give 0 to 15, but the field declares 0 to 9",
        place("    points:\n", "model.decisions.points"),
        "change the results of the rules, or widen 'min' and 'max' of 'points'",
    )


@pytest.mark.parametrize(
    ("head", "rule", "message", "hint"),
    [
        (
            "hit: collect",
            FOUR,
            "'hit: collect' requires the key 'collect'",
            "add 'collect' with sum, min, max, count or union, or use another hit policy",
        ),
        (
            "hit: first\n      collect: sum",
            FOUR,
            "'collect' requires 'hit: collect'",
            "set 'hit: collect', or remove 'collect'",
        ),
        (
            SUM,
            "{id: P1, otherwise: 4}",
            "'hit: collect' needs at least one rule with 'when'",
            "add a rule with 'when' and 'then', or use another hit policy",
        ),
    ],
    ids=["collect nothing", "collect of one", "nothing to collect from"],
)
def test_a_hit_policy_without_its_parts_is_refused(
    head: str, rule: str, message: str, hint: str
) -> None:
    assert fault_of(_collecting(head, rule)) == Fault(
        "collect", message, place("    points:\n", "model.decisions.points"), hint
    )


def test_collect_without_rules_is_refused() -> None:
    assert fault_of(("      table: kind\n", "      table: kind\n      collect: sum\n")).code == (
        "decision-kind"
    )


def test_labels_cannot_be_collected() -> None:
    fault = fault_of(("      hit: first\n", "      hit: collect\n      collect: max\n"))
    assert (fault.code, fault.message) == (
        "type-error",
        "'collect: max' gives a number, but 'refund' is a label",
    )


def test_the_rule_for_the_rest_comes_last() -> None:
    changed = replaced(
        ("{id: A1, when: age <= return_days, then: full}", "{id: A1, otherwise: full}"),
        ("{id: A2, otherwise: part}", "{id: A2, when: age > 3, then: part}"),
    )
    assert refusal(changed).faults == (
        Fault(
            "otherwise-not-last",
            "rule A1 has 'otherwise', but is not the last rule",
            place("{id: A1", f"{REFUND}.rules.0", changed),
            "move it to the end of the rules",
        ),
    )


# Sets


SET_FIELD = "{role: derived, type: set, values: [Gift, Card], empty: no paper, description: papers}"
PAPERS = (
    "        extras: {",
    f"        papers: {SET_FIELD}\n        extras: {{",
)
DECIDED = "    refund:\n"


def _giving(text: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the changes that decide a set."""
    return PAPERS, (DECIDED, f"    papers:\n      {text}\n{DECIDED}")


GIFT, CARD = 0b01, 0b10
SET = SetType(("Gift", "Card"), "no paper")
EXTRAS = Read(SetType(("Gift", "Card"), "nothing"), "extras")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("value: extras", EXTRAS),
        ("value: no paper", Constant(SET, 0)),
        ("value: \"['Card']\"", Constant(SET, CARD)),
        ("value: \"extras | ['Card']\"", ("|", EXTRAS, Constant(SET, CARD))),
        ("value: extras - extras", ("-", EXTRAS, EXTRAS)),
        ("value: extras & extras", ("&", EXTRAS, EXTRAS)),
        ("table: kind\n      rows: {Book: [Card, Gift], Toy: []}", (GIFT | CARD, 0)),
    ],
)
def test_a_set_is_worked_out(text: str, value: object) -> None:
    decision = read_model(*_giving(text)).decisions["papers"]
    assert isinstance(decision, Formula)
    match decision.value:
        case Combination(kind, operation, left, right):
            assert (kind, value) == (SET, (str(operation), left, right))
        case Lookup(kind, _, entries):
            assert kind == SET
            assert value == tuple(entry.value for entry in entries if isinstance(entry, Constant))
        case other:
            assert other == value


UNION = "hit: collect\n      collect: union\n      rules: [{id: P1, when: is_opened, then: %s}]"


def test_sets_are_collected() -> None:
    table = read_model(*_giving(UNION % "[Card]")).decisions["papers"]
    assert isinstance(table, Table)
    assert (table.collect, table.rules[0].then) == (Collect.UNION, Constant(SET, CARD))


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (
            UNION % "Card",
            "'Card' is a label, but a set is needed here",
            "write it as a list: [Card]",
        ),
        (UNION % "[Crad]", "'Crad' is not one of: Gift, Card", "use one of these values"),
        (
            UNION % "price",
            "expected a set here, found a number (at column 1 of the expression)",
            "write a set field, or labels: ['A', 'B']",
        ),
        (
            UNION % "extras + extras",
            "this operator does not combine two sets (at column 1 of the expression)",
            (
                "write a | b for both sets together, a & b for their common members, or a - b for a"
                " without b"
            ),
        ),
        (
            UNION.replace("union", "sum") % "[Card]",
            "'collect: sum' gives a number, but 'papers' is a set",
            "write 'collect: union'",
        ),
    ],
)
def test_what_is_no_set_is_refused(text: str, message: str, hint: str) -> None:
    fault = fault_of(*_giving(text))
    assert (fault.message, fault.hint) == (message, hint)


def test_numbers_have_no_union() -> None:
    fault = fault_of(_collecting(SUM.replace("sum", "union"), FOUR, FIVE))
    assert (fault.message, fault.hint) == (
        "'collect: union' gives a set, but 'points' is a number",
        "write 'collect: sum', 'min', 'max' or 'count'",
    )
