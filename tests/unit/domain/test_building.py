from __future__ import annotations

import pytest

from sopforge.errors import Fault
from sopforge.language.domain.expressions.expressions import Choice, Constant, Lookup, Read
from sopforge.language.domain.fields import Field, Role, Sampling
from sopforge.language.domain.guards import GuardGroup, GuardKind, GuardLeaf, list_guard_checks
from sopforge.language.domain.model import Edge, ToolKind
from sopforge.language.domain.rules import Formula, Table
from sopforge.language.domain.values.types import (
    BOOLEAN,
    DateType,
    EnumType,
    NumberType,
    SetType,
    TextType,
    ValueType,
)
from tests.conftest import Golden
from tests.unit.domain.minimal_brief import (
    BRIEF,
    SOURCE,
    fault_of,
    faults_of,
    place,
    read_model,
    refusal,
    replaced,
)
from tests.unit.domain.refusals import FAULTS, list_faults

MODEL = read_model()
RULES = BRIEF[BRIEF.index("      rules:\n") : BRIEF.index("  tools:")]
FIELD = "model.entities.order.fields"
REFUND = "model.decisions.refund"
STEPS = "model.procedure.steps"


# What is built


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("order_id", TextType("R[0-9]{4}")),
        ("bought_on", DateType(739617, 739706)),
        ("price", NumberType(0, 50000, 2)),
        ("is_opened", BOOLEAN),
        ("kind", EnumType(("Book", "Toy"))),
        ("extras", SetType(("Gift", "Card"), "nothing")),
        ("age", NumberType(-89, 364)),
    ],
    ids=["string", "date", "number", "boolean", "enum", "set", "integer"],
)
def test_a_field_has_its_declared_type(name: str, kind: ValueType) -> None:
    assert MODEL.fields[name].type == kind


def test_a_field_keeps_what_it_declares() -> None:
    assert MODEL.fields["kind"] == Field(
        name="kind",
        label="kind",
        role=Role.INPUT,
        type=EnumType(("Book", "Toy")),
        description="kind",
        missing="",
        primary=False,
        sampling=Sampling(weights=(3, 1)),
    )


def test_a_field_without_a_label_is_called_by_its_name() -> None:
    assert MODEL.fields["bought_on"].label == "bought on"


def test_fields_keep_their_order() -> None:
    assert list(MODEL.fields)[:3] == ["order_id", "bought_on", "price"]


def test_a_policy_constant_has_the_places_it_is_written_with() -> None:
    kind = NumberType(250, 250, 2, "USD")
    assert MODEL.policy["fee"].constant == Constant(kind, 250, "fee")


def test_a_table_of_values_becomes_a_lookup() -> None:
    points = NumberType(0, 9)
    entries = (
        Constant(NumberType(1, 1), 1),
        Constant(NumberType(2, 2), 2),
    )
    value = Lookup(points, Read(EnumType(("Book", "Toy")), "kind"), entries)
    assert MODEL.decisions["points"] == Formula("points", value, "points of the kind")


def test_rules_become_a_table() -> None:
    table = MODEL.decisions["refund"]
    assert isinstance(table, Table)
    assert [(rule.id, rule.when is None) for rule in table.rules] == [("A1", False), ("A2", True)]


def test_a_guard_becomes_a_tree() -> None:
    guard = MODEL.tools["payRefund"].guard
    assert isinstance(guard, GuardGroup)
    (leaf,) = guard.children
    assert isinstance(leaf, GuardLeaf)
    assert (guard.id, guard.kind, leaf.id, leaf.refusal) == ("G", GuardKind.ALL, "G1", "not_full")


def test_a_tool_without_results_is_built() -> None:
    tool = MODEL.tools["payRefund"]
    assert (tool.kind, tool.takes, tool.returns) == (ToolKind.ACTION, ("order_id", "refund"), ())


def test_edges_are_numbered_from_one() -> None:
    assert MODEL.steps["look"].edges[1] == Edge("look", "2", "wait", None)


def test_a_step_says_no_more_than_its_brief() -> None:
    model = read_model(
        ("        title: Look\n", "        title: Look\n        instruction: Look twice.\n")
    )
    said = {name: step.instruction for name, step in model.steps.items()}
    assert said == {"look": "Look twice.", "decide": "", "close": "", "wait": ""}


def test_an_end_sets_outcomes() -> None:
    kind = EnumType(("closed", "waits"))
    assert MODEL.steps["close"].end == {"status": Constant(kind, 0)}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return_days: {value: 30", "return_days: {value: 30.5"),
        ("weights: [3, 1], ", ""),
        ("values: [Gift, Card]", "values: [Gift, no]"),
        ("missing: not yet", "missing: None known"),
        ("{id: A2, otherwise: part}", "{id: A2, when: age > return_days, then: part}"),
        ("end: {status: closed}", "end: {status: closed, refund: full}"),
    ],
    ids=[
        "decimal policy",
        "no weights",
        "label no",
        "label that starts with None",
        "no rule for the rest",
        "two outcomes at an end",
    ],
)
def test_a_harmless_change_is_read(old: str, new: str) -> None:
    assert list(read_model((old, new)).fields) == list(MODEL.fields)


# All faults at once


def test_all_faults_are_reported_in_document_order() -> None:
    changes = (
        ("price > 1", "prize > 1"),
        ("{Book: 1, Toy: 2}", "{Book: 1}"),
        ("then: full}", "then: ful}"),
        ("takes: [order_id]", "takes: [order]"),
        ("call: findReturn", "call: findRefund"),
        ("end: {status: closed}", "end: {status: lost}"),
    )
    found = [(fault.code, fault.where) for fault in faults_of(*changes)]
    assert found == [
        ("unknown-field", place("- price > 1", "model.constraints.0")),
        ("table-rows", place("rows: {Book", "model.decisions.points.rows")),
        ("value-not-allowed", place("then: full", f"{REFUND}.rules.0.then")),
        ("unknown-field", place("takes: [order_id]", "model.tools.findReturn.takes")),
        ("unknown-tool", place("call: findReturn", f"{STEPS}.look.call")),
        ("value-not-allowed", place("end: {status: closed}", f"{STEPS}.close.end.status")),
    ]


def test_all_faults_of_the_shape_are_reported_in_document_order() -> None:
    changes = (
        ("title: Refunds", "titel: Refunds"),
        ("unit: days", "units: days"),
        ("hit: first", "hit: best"),
    )
    found = [(fault.code, fault.where) for fault in faults_of(*changes)]
    assert found == [
        ("missing-field", f"{SOURCE}:1, title"),
        ("unknown-field", place("title: Refunds", "titel")),
        ("unknown-field", place("return_days: {", "model.policy.return_days.units")),
        ("invalid-value", place("hit: first", f"{REFUND}.hit")),
    ]


def test_what_reads_a_faulty_field_is_not_a_fault_as_well() -> None:
    found = faults_of(("max: 500.00", "max: -1.00"), ("min: -89", "min: 900"))
    assert [fault.where for fault in found] == [
        place("price: {", f"{FIELD}.price"),
        place("age: {", f"{FIELD}.age"),
    ]


# Shape


def test_a_value_of_another_shape_is_reported_in_plain_words(golden: Golden) -> None:
    faults = list_faults(
        [("title: Refunds", "titel: Refunds")],
        [("weights: [", "wieghts: [")],
        [("then: full", "than: full")],
        [("takes: [order_id, refund]", "taking: []")],
        [("refusal: not", "refuse: not")],
        [("{to: close}", "{goto: close}")],
        [("unit: USD", "currency: USD")],
        [("type: boolean,", "type: boolean, weights: [1, 2],")],
        [("type: boolean, ", "")],
        [("type: boolean", "type: bool")],
        [("role: observed", "role: observd")],
        [("title: Refunds", "title: 5")],
        [("title: Look", "title:")],
        [("max: 500.00", "max: dear")],
        [("primary: true", "primary: surely")],
        [("max: 364", "max: 3.5")],
        [("places: 2", "places: two")],
        [("value: 30,", "value: true,")],
        [("values: [Book, Toy]", "values: [Book, 12]")],
        [("values: [Book, Toy]", "values: [Book]")],
        [("values: [Book, Toy]", "values: Book")],
        [("places: 2", "places: 9")],
        [("domain: refunds", "domain: Refunds")],
        [("    findReturn:\n", "    find_return:\n")],
        [("weights: [3, 1]", "weights: [0.5, 1]")],
        [("format: 1", "format: 2")],
        [("takes: [order_id]", "takes: []")],
        [(RULES, "      rules: []\n")],
        [("title: Refunds\n", 'title: "Re\\0funds"\n')],
    )
    golden(FAULTS / "shape.txt", faults)


@pytest.mark.parametrize(
    ("text", "found"),
    [("[1]", "a list"), ("5", "5"), ("text", "'text'")],
    ids=["list", "number", "text"],
)
def test_a_document_that_is_no_mapping_is_refused(text: str, found: str) -> None:
    message = f"expected a mapping (name: value), found {found}"
    hint = "write each setting as 'name: value' on its own line"
    assert refusal(text).faults == (Fault("invalid-value", message, f"{SOURCE}:1", hint),)


# Labels

MISSING = ["None", "NA", "null", "nan", "N/A", "none", "-", "unknown", "#N/A N/A", "empty"]
OTHERS = ["=1+1", "+1 555", "@home", "true", "12", "1.5", "1e5", "inf", "1_000"]
DAYS = ["1-2", "3/4", "MAR1", "5 Mar", "10:30", "12-60", "2 PM", "1.2.2026"]
UNSHOWN = [
    *(" Card", "Card ", "a; b", "a;b", "two\\nlines", "Gift\u00a0card", "Gift\u200dcard"),
    *('a \\"b\\"', "<b>", "{x}", "x>1"),
]


def test_a_label_that_a_reader_would_change_is_refused(golden: Golden) -> None:
    faults = list_faults(
        *(
            [("values: [Gift, Card]", f'values: [Gift, "{label}"]')]
            for label in (*MISSING, *OTHERS, *DAYS, *UNSHOWN)
        ),
        [("empty: nothing", "empty: none")],
        [("missing: not yet", "missing: NA")],
        [('pattern: "R[0-9]{4}", unique: true', "pool: [Ann, None]")],
    )
    golden(FAULTS / "labels.txt", faults)


def test_a_label_that_means_two_things_is_refused(golden: Golden) -> None:
    labels = "values: [full, part], missing: none yet"
    faults = list_faults(
        [("values: [Gift, Card]", "values: [Gift, Card, Gift]")],
        [("values: [Gift, Card]", "values: [Gift, Card, D\u00fcr, Du\u0308r]")],
        [("empty: nothing", "empty: Gift")],
        [("missing: none yet", "missing: full")],
        [("type: boolean,", "type: boolean, missing: no,")],
        [("is_opened: {role", "is_opened: {label: Bought On, role")],
        [("missing: none yet", "missing: not full")],
        [("missing: none yet", "missing: FULL_ish")],
        [("missing: none yet", "missing: art")],
        [("missing: none yet", "missing: in-part")],
        [(labels, "values: [full, part, so-so], missing: so so X")],
        [("role: input, type: boolean,", "role: outcome, type: boolean, missing: not so,")],
    )
    golden(FAULTS / "labels_alike.txt", faults)


def test_labels_of_a_set_may_stand_inside_each_other() -> None:
    kind = "type: set, values: [address, no address, fee], empty: no fee, missing: no fees yet"
    field = f"        lacking: {{role: outcome, {kind}, description: what is lacking}}\n"

    assert "lacking" in read_model(("  constraints:\n", f"{field}  constraints:\n")).fields


def test_an_input_label_may_stand_inside_another() -> None:
    assert read_model(("values: [Gift, Card]", "values: [Gift, Gift wrap]")).fields


# Fields


def test_a_field_that_contradicts_itself_is_refused(golden: Golden) -> None:
    pattern = 'pattern: "R[0-9]{4}"'
    faults = list_faults(
        [("max: 2026-03-31", "max: 2025-03-31")],
        [("min: 0.00", "min: 500.01")],
        [("min: -89", "min: 365")],
        [("min: 0.00", "min: 0.005")],
        [("max: 2026-03-31", "max: 31.3.2026")],
        [("max: 500.00", "max: 10000000000000.00")],
        [("max: 364", "max: 1000000000000000")],
        [("weights: [3, 1]", "weights: [3]")],
        [("weights: [3, 1]", "weights: [0, 0]")],
        [(pattern, f"{pattern}, pool: [Ann]")],
        [(pattern, 'pattern: ""')],
        [(pattern, "pattern: 'R[0-9]+'")],
        [("type: boolean,", "type: boolean, missing_share: 5,")],
    )
    golden(FAULTS / "fields.txt", faults)


def test_a_key_that_does_not_distinguish_records_is_refused(golden: Golden) -> None:
    faults = list_faults(
        [("key: order_id", "key: orderid")],
        [("key: order_id", "key: price")],
        [("unique: true, ", "")],
        [('pattern: "R[0-9]{4}", unique: true', "pool: [Ann, Bob]")],
        [('pattern: "R[0-9]{4}"', "pool: [Ann, Bob]")],
        [("order_id: {role: input", "order_id: {role: observed")],
    )
    golden(FAULTS / "keys.txt", faults)


def test_all_but_one_primary_outcome_are_refused(golden: Golden) -> None:
    counted = "primary: true, type: integer, min: 0, max: 9, missing: none yet"
    faults = list_faults(
        [("primary: true, ", "")],
        [("missing: none yet", "missing: none yet, primary: true")],
        [("type: boolean", "type: boolean, primary: true")],
        [("primary: true, ", ""), ("type: enum, values: [full, part], missing: none yet", counted)],
    )
    golden(FAULTS / "primary_outcome.txt", faults)


def test_a_policy_constant_that_cannot_be_one_is_refused(golden: Golden) -> None:
    faults = list_faults(
        [("    fee: {", "    kind: {")],
        *(
            [("value: 2.50", f"value: {value}")]
            for value in (
                *("1000000000000000000", "10000000000000.00", "'1e999999'"),
                *("thirty", "'2.50'", "2026-02-30", "1e5"),
            )
        ),
    )
    golden(FAULTS / "policy.txt", faults)


# Decisions

RECORDED = ("input", "observed", "distractor")
TABLE = "      table: kind\n"
REST = "{id: A2, otherwise: part}"


def test_a_decision_that_cannot_be_taken_is_refused(golden: Golden) -> None:
    age = "value: days_between(bought_on, returned_on)"
    to_points = (f"{TABLE}      rows: {{Book: 1, Toy: 2}}", "      value: age")
    faults = list_faults(
        [(TABLE, f"{TABLE}      value: price\n")],
        [(TABLE, "")],
        [(TABLE, f"{TABLE}      hit: first\n")],
        [(TABLE, f"{TABLE}      collect: sum\n")],
        [(TABLE, "      value: '1'\n")],
        [("    points:\n", "    point:\n")],
        [(f"    points:\n{TABLE}", f"    order_id:\n{TABLE}")],
        *([("points: {role: derived", f"points: {{role: {role}")] for role in RECORDED),
        [(age, "value: points"), to_points, ("min: -89, max: 364", "min: 0, max: 9")],
        [("when: age <= return_days", "when: refund == 'full'")],
        [("then: full", "then: [full]")],
        [(f"      hit: first\n{RULES}", "      value: age > 3\n")],
        [("when: age <= return_days", "when: age <= retrun_days")],
    )
    golden(FAULTS / "decisions.txt", faults)


def test_a_table_that_cannot_be_looked_up_is_refused(golden: Golden) -> None:
    rows = "{Book: 1, Toy: 2}"
    faults = list_faults(
        [(rows, "{Book: 1}")],
        [(rows, "{Toy: 2, Book: 1}")],
        [(rows, "{Book: 1, Toy: 2, Car: 3}")],
        [(rows, "{}")],
        [("table: kind", "table: price")],
        [("Toy: 2}", "Toy: 10}")],
    )
    golden(FAULTS / "tables.txt", faults)


def test_a_rule_without_its_parts_is_refused(golden: Golden) -> None:
    first = "{id: A1, when: age <= return_days, then: full}"
    faults = list_faults(
        [(REST, "{id: A2, when: price > 2}")],
        [(REST, "{id: A2, then: part}")],
        [(REST, "{id: A2, when: price > 2, otherwise: part}")],
        [(REST, "{id: A2}")],
        [("id: A2", "id: A1")],
        [("      hit: first\n", "")],
        [(first, "{id: A1, otherwise: full}"), (REST, "{id: A2, when: age > 3, then: part}")],
    )
    golden(FAULTS / "rules.txt", faults)


def test_a_choice_between_labels_of_fields_needs_no_quotation_marks() -> None:
    kind = "{role: input, type: enum, values: [full, part], description: r}"
    table = read_model(
        ("        extras: {", f"        wish: {kind}\n        offer: {kind}\n        extras: {{"),
        ("return_days, then: full", "return_days, then: wish if is_opened else offer"),
    ).decisions["refund"]
    labels = EnumType(("full", "part"))
    assert isinstance(table, Table)
    assert table.rules[0].then == Choice(
        labels, Read(BOOLEAN, "is_opened"), Read(labels, "wish"), Read(labels, "offer")
    )


# Tools and guards

ANY = """\
        any:
          - {id: G1, is: refund == 'full'}
          - {id: G2, is: price > 5, refusal: cheap, says: it is cheap}
"""
LEAF = (
    "        all:\n"
    "          - {id: G1, is: refund == 'full', refusal: not_full, says: the refund is not full}\n"
)
OWN = "        refusal: neither\n        says: it is neither\n"


def test_a_tool_that_cannot_be_called_is_refused(golden: Golden) -> None:
    faults = list_faults(
        [("takes: [order_id]", "takes: [order_di]")],
        [("returns: [returned_on]", "returns: [returned_no]")],
        [("takes: [order_id]", "takes: [price]")],
        [("takes: [order_id, refund]", "takes: [refund]")],
        [("takes: [order_id]", "takes: [order_id, price, order_id]")],
        [("returns: [returned_on]", "returns: [returned_on, returned_on]")],
    )
    golden(FAULTS / "tools.txt", faults)


def test_a_guard_of_another_shape_is_refused(golden: Golden) -> None:
    faults = list_faults(
        [(", refusal: not_full", "")],
        [(", says: the refund is not full", "")],
        [("is: refund == 'full', ", "")],
        [("        id: G\n", "        id: G\n        is: price > 2\n")],
        [("        id: G\n", "        id: G\n        chain: [{id: H, is: price > 1}]\n")],
        [(LEAF, OWN + LEAF)],
        [(LEAF, f"        refusal: neither\n{ANY}")],
    )
    golden(FAULTS / "guards.txt", faults)


def test_a_group_any_refuses_with_its_own_refusal() -> None:
    guard = read_model((LEAF, OWN + ANY)).tools["payRefund"].guard
    assert isinstance(guard, GuardGroup)
    assert (guard.refusal, guard.says) == ("neither", "it is neither")
    assert [(check.id, check.refusal, check.says) for check in list_guard_checks(guard)] == [
        ("G", "neither", "it is neither")
    ]


def test_a_group_any_without_a_refusal_refuses_as_its_last_leaf() -> None:
    leaves = ANY.replace("full'}", "full', refusal: part, says: it is a part}")
    guard = read_model((LEAF, leaves)).tools["payRefund"].guard
    assert [(check.refusal, check.says) for check in list_guard_checks(guard)] == [
        ("cheap", "it is cheap")
    ]


# Procedure


def test_a_procedure_that_leads_nowhere_is_refused(golden: Golden) -> None:
    end = "end: {status: closed}"
    total = "        total: {role: outcome, type: integer, min: 0, max: 9, description: sum}\n"
    faults = list_faults(
        [("start: look", "start: lok")],
        [("{to: close}", "{to: clos}")],
        [("{to: close}", "{to: zzz}")],
        [("call: findReturn", "call: findRetrn")],
        [("decide: [refund]", "decide: [refnd]")],
        [(end, "end: {sttus: closed}")],
        [(end, "end: {kind: Book}")],
        [(end, "end: {status: lost}")],
        [(end, "end: {status: [closed]}")],
        [(f"        {end}\n", "")],
        [(end, f"{end}\n        edges: [{{to: wait}}]")],
        [("title: Look\n", "title: Look\n        hand_to: desk\n")],
        [("          - {to: wait}\n", "")],
        [("- {when: present(returned_on), to: decide}", "- {to: decide}")],
        [("- {to: wait}", "- {when: is_opened, to: wait}")],
        [
            ("  constraints:\n", f"{total}  constraints:\n"),
            (end, "end: {status: closed, total: points}"),
        ],
        [(end, "end: {status: closed, refund: none yet}")],
        [(end, "end: {status: closed, refund: missing}")],
    )
    golden(FAULTS / "procedure.txt", faults)


def test_a_label_may_be_the_word_missing() -> None:
    labelled = ("values: [closed, waits]", "values: [closed, waits, missing], missing: open")
    model = read_model(labelled, ("end: {status: waits}", "end: {status: missing}"))

    assert (end := model.steps["wait"].end) is not None
    assert end["status"].value == 2


def test_a_text_is_drawn_as_one_on_file_above_it() -> None:
    given = "        buyer: {role: input, type: string, pool: [Ann, Bob], description: buyer}\n"
    kept = "        owner: {role: observed, type: string, pool: [Ann, Bob], description: owner}\n"
    said = (
        "  incomplete: {contradicting: {buyer: {on_file: owner}}, answer: ask,"
        " sets: {status: waits, refund: part}}\n"
    )
    returned = ("returns: [returned_on]", "returns: [returned_on, owner]")

    def build(*fields: str) -> tuple[str, str]:
        return "  constraints:\n", f"{''.join(fields)}{said}  constraints:\n"

    assert read_model(build(kept, given), returned).fields["buyer"].sampling.same_as
    above = fault_of(build(given, kept), returned)
    assert above.where.endswith("model.incomplete.contradicting.buyer.on_file")
    assert above.message == "'buyer' is drawn as 'owner' is, but stands above it"
    assert above.hint == "move 'owner' above 'buyer' under 'fields'"
    other = fault_of(build(kept.replace("Bob", "Eve"), given), returned)
    assert other.message == (
        "'buyer' and 'owner' are drawn from different texts, so they never agree"
    )


# Expressions


def test_a_deep_expression_is_a_fault_among_others() -> None:
    deep = "not " * 900 + "is_opened"
    found = faults_of(("price > 1", deep), ("{to: close}", "{to: clos}"))
    assert [fault.code for fault in found] == ["expression-too-deep", "unknown-step"]


def test_a_comment_inside_a_folded_condition_is_a_fault() -> None:
    folded = ">-\n        price > 1  # at least\n        and not is_opened"
    found = faults_of(("- price > 1", f"- {folded}"))
    assert [fault.code for fault in found] == ["not-allowed"]


def test_the_replaced_brief_differs_only_where_asked() -> None:
    assert replaced(("title: Look", "title: Search")) == BRIEF.replace("Look", "Search")
