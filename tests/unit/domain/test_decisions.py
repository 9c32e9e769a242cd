from __future__ import annotations

import pytest

from sopforge.language.domain.expressions.expressions import Combination, Constant, Lookup, Read
from sopforge.language.domain.rules import Collect, Formula, HitPolicy, Table
from sopforge.language.domain.values.types import EnumType, NumberType, SetType
from tests.conftest import Golden
from tests.unit.domain.minimal_brief import (
    BRIEF,
    read_model,
)
from tests.unit.domain.refusals import FAULTS, list_faults

# Tables on two fields


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


def test_a_table_on_two_fields_that_cannot_be_looked_up_is_refused(golden: Golden) -> None:
    changes = [
        ("{Red: 3, Blue: 4}", "{Blue: 4, Red: 3}"),
        ("{Red: 3, Blue: 4}", "{Red: 3, Blue: 40}"),
        ("[kind, colour]", "[kind, color]"),
        ("[kind, colour]", "[kind, price]"),
        ("[kind, colour]", "[kind, kind]"),
        ("[kind, colour]", "[kind]"),
        ("[kind, colour]", "[kind, kind, kind]"),
        ("[kind, colour]", "kind"),
    ]
    plain = PAIRS.replace("{Red: 1, Blue: 2}", "1").replace("{Red: 3, Blue: 4}", "2")
    faults = list_faults(
        *([COLOUR, (TABLE, PAIRS.replace(*change))] for change in changes),
        [COLOUR, (TABLE, plain)],
    )
    golden(FAULTS / "tables_on_two_fields.txt", faults)


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


def test_a_result_that_is_none_of_its_type_is_refused(golden: Golden) -> None:
    fees = "type: enum, values: [to pay, paid up]"
    day = "type: date, min: 2026-01-01, max: 2026-12-31"
    minute = "type: datetime, min: 2026-01-01 00:00, max: 2026-12-31 23:59"
    faults = list_faults(
        _decided(fees, "to pai"),
        _decided(fees, "kind"),
        _decided("type: boolean", "maybe"),
        _decided("type: boolean", "price"),
        _decided(day, "2026-02-30"),
        _decided(day, "2027-02-01"),
        _decided(minute, "2026-02-03"),
        _decided("type: integer, min: 0, max: 9", "ten"),
    )
    golden(FAULTS / "results.txt", faults)


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


def test_what_cannot_be_collected_is_refused(golden: Golden) -> None:
    faults = list_faults(
        [_collecting("hit: collect", FOUR)],
        [_collecting("hit: first\n      collect: sum", FOUR)],
        [_collecting(SUM, "{id: P1, otherwise: 4}")],
        [_collecting(SUM, FOUR, "{id: P2, when: true, then: 5}")],
        [_collecting(SUM, FOUR, "{id: P2, when: Always, then: 5}")],
        [_collecting(SUM.replace("sum", "union"), FOUR, FIVE)],
        [("      hit: first\n", "      hit: collect\n      collect: max\n")],
    )
    golden(FAULTS / "collecting.txt", faults)


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


def test_what_is_no_set_is_refused(golden: Golden) -> None:
    faults = list_faults(
        _giving(UNION % "Card"),
        _giving(UNION % "[Crad]"),
        _giving(UNION % "price"),
        _giving(UNION % "extras + extras"),
        _giving(UNION.replace("union", "sum") % "[Card]"),
    )
    golden(FAULTS / "sets.txt", faults)
