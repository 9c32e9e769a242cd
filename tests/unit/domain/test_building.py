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
from tests.unit.domain.minimal_brief import (
    BRIEF,
    SOURCE,
    fault_of,
    faults_of,
    line_of,
    place,
    read_model,
    refusal,
    replaced,
)

MODEL = read_model()
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


@pytest.mark.parametrize(
    ("old", "new", "path", "hint"),
    [
        ("title: Refunds", "titel: Refunds", "titel", "did you mean 'title'?"),
        ("weights: [", "wieghts: [", f"{FIELD}.kind.wieghts", "did you mean 'weights'?"),
        ("then: full", "than: full", f"{REFUND}.rules.0.than", "did you mean 'then'?"),
        ("takes: [order_id, refund]", "taking: []", "model.tools.payRefund.taking", "did you"),
        ("refusal: not", "refuse: not", "model.tools.payRefund.requires.all.0.refuse", "did you"),
        ("{to: close}", "{goto: close}", f"{STEPS}.decide.edges.0.goto", "did you mean 'to'?"),
        ("unit: USD", "currency: USD", "model.policy.fee.currency", ""),
    ],
    ids=["top", "field", "rule", "tool", "guard", "edge", "nothing near"],
)
def test_an_unknown_field_is_reported_with_the_nearest(
    old: str, new: str, path: str, hint: str
) -> None:
    found = [fault for fault in faults_of((old, new)) if fault.code == "unknown-field"]
    assert [fault.where for fault in found] == [place(old, path)]
    assert found[0].hint.startswith(hint)


def test_an_unknown_field_is_reported_with_all_fields_of_its_type() -> None:
    fault = fault_of(("type: boolean,", "type: boolean, weights: [1, 2],"))
    assert (fault.message, fault.hint) == (
        "there is no field 'weights' here",
        (
            "use one of: role, description, label, examples, missing, missing_share, primary,"
            " given, type, yes_share, said, scored, starts, malformed"
        ),
    )


@pytest.mark.parametrize(
    ("old", "new", "path", "message", "hint"),
    [
        (
            "type: boolean",
            "type: bool",
            f"{FIELD}.is_opened",
            "there is no type 'bool'",
            "did you mean 'boolean'?",
        ),
        (
            "role: observed",
            "role: observd",
            f"{FIELD}.returned_on.role",
            (
                "the value must be 'input', 'observed', 'derived', 'outcome', 'distractor', "
                "'secret' or 'session', found 'observd'"
            ),
            "did you mean 'observed'?",
        ),
        (
            "title: Refunds",
            "title: 5",
            "title",
            "expected text, found 5",
            "put the value in quotes",
        ),
        (
            "title: Look",
            "title:",
            f"{STEPS}.look.title",
            "expected text, found nothing",
            "write the value after the colon, or remove the line",
        ),
        (
            "max: 500.00",
            "max: dear",
            f"{FIELD}.price.max",
            "expected a number, found 'dear'",
            "",
        ),
        (
            "primary: true",
            "primary: surely",
            f"{FIELD}.status.primary",
            "expected true or false, found 'surely'",
            "",
        ),
        (
            "max: 364",
            "max: 3.5",
            f"{FIELD}.age.max",
            "expected a whole number, found 3.5",
            "",
        ),
        (
            "places: 2",
            "places: two",
            f"{FIELD}.price.places",
            "expected a whole number, found 'two'",
            "",
        ),
        (
            "value: 30,",
            "value: true,",
            "model.policy.return_days.value",
            "expected a whole number or a number or text, found true",
            "",
        ),
        (
            "values: [Book, Toy]",
            "values: [Book, 12]",
            f"{FIELD}.kind.values.1",
            "expected text, found 12",
            "write the label as words, for example Size 12",
        ),
        (
            "values: [Book, Toy]",
            "values: [Book]",
            f"{FIELD}.kind.values",
            "expected at least 2 items, found 1",
            "add an item",
        ),
        (
            "values: [Book, Toy]",
            "values: Book",
            f"{FIELD}.kind.values",
            "expected a list, found 'Book'",
            "write [Book]",
        ),
        (
            "places: 2",
            "places: 9",
            f"{FIELD}.price.places",
            "the value must be less than or equal to 6, found 9",
            "",
        ),
        (
            "domain: refunds",
            "domain: Refunds",
            "domain",
            (
                "'Refunds' is not allowed here: use at most 48 lowercase letters, digits and _,"
                " starting with a letter"
            ),
            "write refunds",
        ),
        (
            "    findReturn:\n",
            "    find_return:\n",
            "model.tools.find_return",
            (
                "'find_return' is not allowed here: use at most 64 letters and digits, starting"
                " with a lowercase letter"
            ),
            "write findReturn",
        ),
        (
            "weights: [3, 1]",
            "weights: [0.5, 1]",
            f"{FIELD}.kind.weights.0",
            "expected a whole number, found 0.5",
            "write whole numbers, for example 30 and 70",
        ),
        ("format: 1", "format: 2", "format", "the value must be 1, found 2", ""),
        (
            "takes: [order_id]",
            "takes: []",
            "model.tools.findReturn.takes",
            "expected at least 1 item, found 0",
            "add an item",
        ),
    ],
)
def test_a_value_of_another_shape_is_reported_in_plain_words(
    old: str, new: str, path: str, message: str, hint: str
) -> None:
    fault = fault_of((old, new))
    assert (fault.code, fault.where, fault.hint) == ("invalid-value", place(old, path), hint)
    assert fault.message == message


def test_a_field_without_a_type_is_reported_with_the_types() -> None:
    hint = (
        "choose one of string, integer, number, duration, boolean, enum, set, date, datetime, list,"
        " reference"
    )
    assert fault_of(("type: boolean, ", "")) == Fault(
        "missing-field",
        "'type' is required here",
        place("is_opened: {", f"{FIELD}.is_opened"),
        hint,
    )


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


@pytest.mark.parametrize(
    "label",
    [
        *(
            "None",
            "NA",
            "null",
            "nan",
            "N/A",
            "NULL",
            "none",
            "nil",
            "-",
            "unknown",
            "#N/A",
            "<NA>",
        ),
        *("#N/A N/A", "1.#IND", "1.#QNAN", "empty"),
    ],
)
def test_a_label_that_is_read_as_missing_is_refused(label: str) -> None:
    changes = (("values: [Gift, Card]", f"values: [Gift, '{label}']"),)
    assert fault_of(*changes) == Fault(
        "label-not-safe",
        f"the value '{label}' is read as a missing value by common programs",
        place("extras: {", f"{FIELD}.extras"),
        "rename the value",
    )


@pytest.mark.parametrize("label", ["=1+1", "+1 555", "-5", "@home"])
def test_a_label_that_starts_a_formula_is_refused(label: str) -> None:
    fault = fault_of(("values: [Gift, Card]", f"values: [Gift, '{label}']"))
    assert fault.message == f"the value '{label}' starts a formula in a spreadsheet"


@pytest.mark.parametrize("label", ["true", "False", "12", "1.5", "1e5", "inf", "Infinity", "1_000"])
def test_a_label_that_is_read_as_another_type_is_refused(label: str) -> None:
    fault = fault_of(("values: [Gift, Card]", f"values: [Gift, '{label}']"))
    assert fault.message == (
        f"the value '{label}' is read as a number or a boolean by common programs"
    )


@pytest.mark.parametrize(
    ("label", "reason"),
    [
        (" Card", "begins or ends with a blank"),
        ("Card ", "begins or ends with a blank"),
        ("a; b", "contains a semicolon, which separates the values of a set"),
        ("a;b", "contains a semicolon, which separates the values of a set"),
        ("two\\nlines", "contains U+000A at place 4, which is a control character"),
        (
            "Gift\u00a0card",
            (
                "contains U+00A0 NO-BREAK SPACE at place 5, which looks like a space and is not"
                " equal to it"
            ),
        ),
        (
            "Gift\u200dcard",
            (
                "contains U+200D ZERO WIDTH JOINER at place 5, which is invisible, but makes"
                " another value"
            ),
        ),
    ],
)
def test_a_label_that_a_cell_cannot_hold_is_refused(label: str, reason: str) -> None:
    fault = fault_of(("values: [Gift, Card]", f'values: [Gift, "{label}"]'))
    assert fault.message.endswith(f"' {reason}")


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("empty: nothing", "empty: none", "extras"),
        ("missing: not yet", "missing: NA", "returned_on"),
        ('pattern: "R[0-9]{4}", unique: true', "pool: [Ann, None]", "order_id"),
    ],
    ids=["word for the empty set", "word for missing", "pool of texts"],
)
def test_every_word_that_a_cell_can_show_is_looked_at(old: str, new: str, name: str) -> None:
    found = faults_of((old, new))
    places = [fault.where.partition(", ")[2] for fault in found if fault.code == "label-not-safe"]
    assert places == [f"{FIELD}.{name}"]


@pytest.mark.parametrize(
    ("old", "new", "name", "label"),
    [
        ("values: [Gift, Card]", "values: [Gift, Card, Gift]", "extras", "Gift"),
        ("values: [Gift, Card]", "values: [Gift, Card, D\u00fcr, Du\u0308r]", "extras", "D\u00fcr"),
        ("empty: nothing", "empty: Gift", "extras", "Gift"),
        ("missing: none yet", "missing: full", "refund", "full"),
        ("type: boolean,", "type: boolean, missing: no,", "is_opened", "no"),
    ],
    ids=[
        "twice in a list",
        "in other letters to a computer only",
        "as the empty set",
        "as missing",
        "missing boolean",
    ],
)
def test_a_label_that_means_two_things_is_refused(
    old: str, new: str, name: str, label: str
) -> None:
    assert fault_of((old, new)) == Fault(
        "duplicate-label",
        f"two values of '{name}' are written '{label}'",
        place(f"{name}: {{", f"{FIELD}.{name}"),
        "rename or remove one of them",
    )


@pytest.mark.parametrize(
    ("missing", "inner", "outer"),
    [
        ("not full", "full", "not full"),
        ("FULL_ish", "full", "FULL_ish"),
        ("art", "art", "part"),
        ("in-part", "part", "in-part"),
    ],
    ids=["within", "in another case", "missing within", "after a hyphen"],
)
def test_an_outcome_label_inside_another_is_refused(missing: str, inner: str, outer: str) -> None:
    assert fault_of(("missing: none yet", f"missing: {missing}")) == Fault(
        "label-inside-label",
        (
            f"the outcome value '{inner}' is part of the value '{outer}', so scoring cannot"
            " distinguish them"
        ),
        place("refund: {", f"{FIELD}.refund"),
        "rename one of the two values",
    )


def test_labels_of_a_set_may_stand_inside_each_other() -> None:
    kind = "type: set, values: [address, no address, fee], empty: no fee, missing: no fees yet"
    field = f"        lacking: {{role: outcome, {kind}, description: what is lacking}}\n"

    assert "lacking" in read_model(("  constraints:\n", f"{field}  constraints:\n")).fields


def test_hyphens_and_blanks_are_alike_where_an_outcome_label_stands_inside_another() -> None:
    fault = fault_of(
        ("values: [full, part], missing: none yet", "values: [full, part, so-so], missing: so so X")
    )
    assert fault.message == (
        "the outcome value 'so-so' is part of the value 'so so X', so scoring"
        " cannot distinguish them"
    )


def test_yes_and_no_are_labels_of_a_boolean_outcome() -> None:
    fault = fault_of(
        ("role: input, type: boolean,", "role: outcome, type: boolean, missing: not so,")
    )
    assert fault.message == (
        "the outcome value 'no' is part of the value 'not so', so scoring cannot distinguish them"
    )
    assert fault.hint == (
        "choose a word that contains neither 'yes' nor 'no', for example 'undecided'"
    )


def test_an_input_label_may_stand_inside_another() -> None:
    assert read_model(("values: [Gift, Card]", "values: [Gift, Gift wrap]")).fields


# Fields


@pytest.mark.parametrize(
    ("old", "new", "name", "message"),
    [
        (
            "max: 2026-03-31",
            "max: 2025-03-31",
            "bought_on",
            "'min' (2026-01-01) is above 'max' (2025-03-31)",
        ),
        ("min: 0.00", "min: 500.01", "price", "'min' (500.01) is above 'max' (500.00)"),
        ("min: -89", "min: 365", "age", "'min' (365) is above 'max' (364)"),
        ("min: 0.00", "min: 0.005", "price", "0.005 has more than 2 decimal places"),
        (
            "max: 2026-03-31",
            "max: 31.3.2026",
            "bought_on",
            "'31.3.2026' is not a date in the form 2026-03-31",
        ),
        (
            "max: 500.00",
            "max: 10000000000000.00",
            "price",
            "numbers with more than 15 digits cannot be stored exactly",
        ),
        (
            "max: 364",
            "max: 1000000000000000",
            "age",
            "numbers with more than 15 digits cannot be stored exactly",
        ),
        (
            "weights: [3, 1]",
            "weights: [3]",
            "kind",
            "each of the 2 values needs a weight, found 1",
        ),
        ("weights: [3, 1]", "weights: [0, 0]", "kind", "at least one weight must be above 0"),
        (
            'pattern: "R[0-9]{4}"',
            'pattern: "R[0-9]{4}", pool: [Ann]',
            "order_id",
            "a string needs exactly one of 'pattern', 'pool', 'like' and 'free_text'",
        ),
        (
            'pattern: "R[0-9]{4}"',
            'pattern: ""',
            "order_id",
            "a string needs exactly one of 'pattern', 'pool', 'like' and 'free_text'",
        ),
        (
            "type: boolean,",
            "type: boolean, missing_share: 5,",
            "is_opened",
            "'missing_share' needs 'missing', the word that is shown for a missing value",
        ),
    ],
    ids=[
        "dates reversed",
        "decimals reversed",
        "integers reversed",
        "too many places",
        "no date",
        "too many digits",
        "too large",
        "weights short",
        "weights zero",
        "pattern and pool",
        "neither",
        "missing without a word",
    ],
)
def test_a_field_that_contradicts_itself_is_refused(
    old: str, new: str, name: str, message: str
) -> None:
    fault = fault_of((old, new))
    assert (fault.code, fault.where) == (
        "value-not-allowed",
        place(f"        {name}: {{", f"{FIELD}.{name}"),
    )
    assert fault.message == message


def test_a_pattern_that_cannot_be_numbered_is_refused() -> None:
    hint = "use letters, digits, - _ . @ and classes such as [A-Z] or [0-9]{6}"
    assert fault_of(('"R[0-9]{4}"', "'R[0-9]+'")) == Fault(
        "pattern-not-supported",
        "'+' is not allowed in the pattern 'R[0-9]+'",
        place("order_id: {", f"{FIELD}.order_id"),
        hint,
    )


def test_an_unknown_key_is_refused() -> None:
    where = place("key: order_id", "model.entities.order.key")
    hint = "did you mean 'order_id'?"
    assert fault_of(("key: order_id", "key: orderid")) == Fault(
        "unknown-field", "there is no field 'orderid'", where, hint
    )


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("key: order_id", "key: price", "price"),
        ("unique: true, ", "", "order_id"),
        ('pattern: "R[0-9]{4}", unique: true', "pool: [Ann, Bob]", "order_id"),
        ("order_id: {role: input", "order_id: {role: observed", "order_id"),
    ],
    ids=["number", "without 'unique'", "pool", "observed"],
)
def test_a_key_that_does_not_distinguish_records_is_refused(old: str, new: str, key: str) -> None:
    message = f"the key '{key}' must be an input of type string, with 'pattern' and 'unique: true'"
    where = place("key: order_id", "model.entities.order.key")
    hint = (
        "declare it, for example, as {role: input, type: string, pattern: 'R[0-9]{6}', unique:"
        " true}, or name another field under 'key'"
    )
    assert fault_of((old, new)) == Fault("key-not-unique", message, where, hint)


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("primary: true, ", "", "none"),
        (
            "missing: none yet",
            "missing: none yet, primary: true",
            "refund (outcome, a label), status (outcome, a label)",
        ),
        (
            "type: boolean",
            "type: boolean, primary: true",
            "is_opened (input, a yes/no value), status (outcome, a label)",
        ),
    ],
    ids=["none", "two outcomes", "an input"],
)
def test_all_but_one_primary_outcome_are_refused(old: str, new: str, found: str) -> None:
    fault = fault_of((old, new))
    assert (fault.code, fault.message, fault.where) == (
        "primary-outcome",
        f"exactly one outcome of type enum must have 'primary: true', found {found}",
        place("      fields:", FIELD),
    )


def test_a_policy_constant_named_like_a_field_is_refused() -> None:
    assert fault_of(("    fee: {", "    kind: {")) == Fault(
        "duplicate-name",
        "the name 'kind' is used for both a field and a policy constant",
        place("fee: {value", "model.policy.kind"),
        "rename one of them",
    )


@pytest.mark.parametrize("value", ["1000000000000000000", "10000000000000.00", "'1e999999'"])
def test_a_policy_constant_that_is_too_large_is_refused(value: str) -> None:
    fault = fault_of(("value: 2.50", f"value: {value}"))
    assert (fault.code, fault.where) == (
        "value-not-allowed",
        place("fee: {", "model.policy.fee"),
    )


# Decisions


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("      table: kind\n", "      table: kind\n      value: price\n"),
        ("      table: kind\n", ""),
        ("      table: kind\n", "      table: kind\n      hit: first\n"),
        ("      table: kind\n", "      value: '1'\n"),
    ],
    ids=["table and value", "rows alone", "table and hit", "value and rows"],
)
def test_a_decision_of_two_kinds_is_refused(old: str, new: str) -> None:
    assert fault_of((old, new)) == Fault(
        "decision-kind",
        "a decision needs exactly one of these: 'value'; 'table' with 'rows'; 'rules' with 'hit'",
        place("    points:\n", "model.decisions.points"),
        "keep the keys of one form, and remove the others",
    )


def test_a_decision_of_no_field_is_refused() -> None:
    fault = fault_of(("    points:\n", "    point:\n"))
    assert (fault.code, fault.message, fault.hint) == (
        "unknown-field",
        "there is no field 'point'",
        "did you mean 'points'?",
    )


@pytest.mark.parametrize(
    ("name", "words", "hint"),
    [
        ("order_id", "text", "declare it as an enum, a number, a date, a boolean, a set or a list"),
    ],
)
def test_a_decision_that_gives_no_number_or_label_is_refused(
    name: str, words: str, hint: str
) -> None:
    fault = fault_of(("    points:\n      table: kind", f"    {name}:\n      table: kind"))
    assert (fault.message, fault.hint) == (
        f"'{name}' is {words}, a type that no decision can give",
        hint,
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("then: full", "then: [full]"),
        ("end: {status: closed}", "end: {status: [closed]}"),
    ],
)
def test_a_list_for_one_label_is_refused(old: str, new: str) -> None:
    fault = fault_of((old, new))
    assert (fault.code, fault.message, fault.hint) == (
        "type-error",
        "a list of labels is a set, but a label is needed here",
        "write one value instead of a list",
    )


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


def test_an_expression_for_a_label_is_refused() -> None:
    rules = BRIEF[BRIEF.index("      hit: first\n") : BRIEF.index("  tools:")]
    line = line_of("      hit: first\n")
    assert fault_of((rules, "      value: age > 3\n")) == Fault(
        "type-error",
        "expected a label, found a yes/no value (at column 1 of the expression)",
        f"{SOURCE}:{line}, {REFUND}.value",
        "decide it with rules",
    )


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ("{Book: 1}", "Book"),
        ("{Toy: 2, Book: 1}", "Toy, Book"),
        ("{Book: 1, Toy: 2, Car: 3}", "Book, Toy, Car"),
        ("{}", "none"),
    ],
    ids=["one missing", "another order", "one too many", "none"],
)
def test_a_table_that_does_not_list_its_labels_is_refused(rows: str, found: str) -> None:
    assert fault_of(("{Book: 1, Toy: 2}", rows)) == Fault(
        "table-rows",
        f"'rows' must list exactly Book, Toy, in this order; found {found}",
        place("rows: {Book", "model.decisions.points.rows"),
        "write one row for each value of 'kind', in the order of its 'values'",
    )


@pytest.mark.parametrize(("key", "words"), [("price", "a number"), ("is_opened", "a yes/no value")])
def test_a_table_of_anything_but_labels_is_refused(key: str, words: str) -> None:
    assert fault_of(("table: kind", f"table: {key}")) == Fault(
        "type-error",
        f"a table looks up enum fields, but '{key}' is {words}",
        place("table: kind", "model.decisions.points.table"),
        "decide it with rules",
    )


def test_a_row_outside_the_declared_bounds_is_refused() -> None:
    assert fault_of(("Toy: 2}", "Toy: 10}")) == Fault(
        "out-of-range",
        "the value can be 10, but the field declares 0 to 9 (at column 1 of the expression)",
        place("rows: {Book", "model.decisions.points.rows.Toy"),
        "change the value, or widen 'min' and 'max' of the field; this check ignores constraints",
    )


@pytest.mark.parametrize("role", ["input", "observed", "distractor"])
def test_a_decision_on_what_the_record_supplies_is_refused(role: str) -> None:
    change = ("points: {role: derived", f"points: {{role: {role}")
    assert fault_of(change) == Fault(
        "decision-role",
        f"'points' is decided here, but its role is {role}",
        place("    points:\n", "model.decisions.points"),
        "set its role to derived (or to outcome, if it is an answer), or remove the decision",
    )


def test_decisions_that_need_each_other_are_refused() -> None:
    changes = (
        ("value: days_between(bought_on, returned_on)", "value: points"),
        ("      table: kind\n      rows: {Book: 1, Toy: 2}", "      value: age"),
        ("min: -89, max: 364", "min: 0, max: 9"),
    )
    assert fault_of(*changes) == Fault(
        "cyclic-decisions",
        "decisions form a cycle: age -> points -> age",
        place("    age:\n", "model.decisions.age"),
        "change one decision of the cycle so that it no longer reads the next one",
    )


def test_a_decision_that_needs_itself_is_refused() -> None:
    changes = (("when: age <= return_days", "when: refund == 'full'"),)
    assert fault_of(*changes).message == "decisions form a cycle: refund -> refund"


@pytest.mark.parametrize(
    ("new", "index"),
    [
        ("{id: A2, when: price > 2}", 1),
        ("{id: A2, then: part}", 1),
        ("{id: A2, when: price > 2, otherwise: part}", 1),
        ("{id: A2}", 1),
    ],
    ids=["no result", "no condition", "both", "nothing"],
)
def test_a_rule_without_its_parts_is_refused(new: str, index: int) -> None:
    assert fault_of(("{id: A2, otherwise: part}", new)) == Fault(
        "rule-shape",
        "rule A2 needs either 'when' and 'then', or 'otherwise'",
        place("{id: A2", f"{REFUND}.rules.{index}"),
        "write {when: condition, then: result}, or {otherwise: result} as the last rule",
    )


def test_two_rules_of_one_id_are_refused() -> None:
    assert fault_of(("id: A2", "id: A1")) == Fault(
        "duplicate-id",
        "two rules have the same id, 'A1'",
        place("      rules:", f"{REFUND}.rules"),
        "change one of the two ids",
    )


def test_rules_without_a_hit_policy_are_refused() -> None:
    assert fault_of(("      hit: first\n", "")) == Fault(
        "missing-field",
        "'hit' is required with 'rules'",
        place("    refund:\n", REFUND),
        "add 'hit: first' to use the first rule that holds, or set unique, any or collect",
    )


def test_an_empty_list_of_rules_is_refused() -> None:
    rules = BRIEF[BRIEF.index("      rules:\n") : BRIEF.index("  tools:")]
    fault = fault_of((rules, "      rules: []\n"))
    assert (fault.code, fault.message) == (
        "invalid-value",
        "expected at least 1 item, found 0",
    )


# Tools and guards


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ("takes: [order_id]", "takes: [order_di]", "takes"),
        ("returns: [returned_on]", "returns: [returned_no]", "returns"),
    ],
    ids=["takes", "returns"],
)
def test_a_tool_of_unknown_fields_is_refused(old: str, new: str, path: str) -> None:
    fault = fault_of((old, new))
    assert (fault.code, fault.where) == (
        "unknown-field",
        place(old, f"model.tools.findReturn.{path}"),
    )
    assert fault.hint.startswith("did you mean")


@pytest.mark.parametrize(
    ("old", "new", "guard", "path"),
    [
        (", refusal: not_full", "", "G1", ".all.0"),
        (", says: the refund is not full", "", "G1", ".all.0"),
        ("is: refund == 'full', ", "", "G1", ".all.0"),
        ("        id: G\n", "        id: G\n        is: price > 2\n", "G", ""),
        ("        id: G\n", "        id: G\n        chain: [{id: H, is: price > 1}]\n", "G", ""),
    ],
    ids=["no refusal", "no text", "no condition", "condition and group", "two groups"],
)
def test_a_guard_of_another_shape_is_refused(old: str, new: str, guard: str, path: str) -> None:
    fault = fault_of((old, new))
    assert (fault.code, fault.message) == (
        "guard-shape",
        (
            f"guard {guard} needs either all of 'is', 'refusal' and 'says', or exactly one of"
            " 'all', 'any', 'chain', 'first' and 'not'"
        ),
    )
    assert fault.where.endswith(f"model.tools.payRefund.requires{path}")


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


@pytest.mark.parametrize(
    ("new", "message"),
    [
        (OWN + LEAF, "guard G is a group 'all', in which only the parts can refuse"),
        (
            "        refusal: neither\n" + ANY,
            "guard G is a group 'any' that has only one of 'refusal' and 'says'",
        ),
    ],
    ids=["all", "half"],
)
def test_only_a_group_any_has_a_whole_refusal_of_its_own(new: str, message: str) -> None:
    fault = fault_of((LEAF, new))
    hint = "write 'refusal' and 'says' together, at a leaf or at a group 'any'"
    assert (fault.code, fault.message, fault.hint) == ("guard-shape", message, hint)


# Procedure


@pytest.mark.parametrize(
    ("old", "new", "code", "path", "hint"),
    [
        (
            "start: look",
            "start: lok",
            "unknown-step",
            "model.procedure.start",
            "did you mean 'look'?",
        ),
        (
            "{to: close}",
            "{to: clos}",
            "unknown-step",
            f"{STEPS}.decide.edges.0.to",
            "did you mean 'close'?",
        ),
        (
            "{to: close}",
            "{to: zzz}",
            "unknown-step",
            f"{STEPS}.decide.edges.0.to",
            "choose one of: look, decide, close, wait",
        ),
        (
            "call: findReturn",
            "call: findRetrn",
            "unknown-tool",
            f"{STEPS}.look.call",
            "did you mean 'findReturn'?",
        ),
        (
            "decide: [refund]",
            "decide: [refnd]",
            "unknown-decision",
            f"{STEPS}.decide.decide",
            "did you mean 'refund'?",
        ),
        (
            "end: {status: closed}",
            "end: {sttus: closed}",
            "unknown-outcome",
            f"{STEPS}.close.end.sttus",
            "did you mean 'status'?",
        ),
        (
            "end: {status: closed}",
            "end: {kind: Book}",
            "unknown-outcome",
            f"{STEPS}.close.end.kind",
            "choose one of: refund, status",
        ),
    ],
    ids=["start", "edge", "nothing near", "tool", "decision", "outcome", "field of another role"],
)
def test_an_unknown_name_in_the_procedure_is_reported_with_the_nearest(
    old: str, new: str, code: str, path: str, hint: str
) -> None:
    fault = fault_of((old, new))
    assert (fault.code, fault.where, fault.hint) == (code, place(old, path), hint)


@pytest.mark.parametrize(
    ("old", "new", "hint"),
    [
        (
            "        end: {status: closed}\n",
            "",
            "add 'edges' to lead to other steps, or 'end' to end the case",
        ),
        (
            "end: {status: closed}",
            "end: {status: closed}\n        edges: [{to: wait}]",
            "keep only one of them",
        ),
    ],
    ids=["neither", "both"],
)
def test_a_step_that_neither_goes_on_nor_ends_is_refused(old: str, new: str, hint: str) -> None:
    assert fault_of((old, new)) == Fault(
        "step-shape",
        "a step needs exactly one of 'edges' and 'end'",
        place("      close:\n", f"{STEPS}.close"),
        hint,
    )


def test_only_an_end_hands_a_case_over() -> None:
    fault = fault_of(("title: Look\n", "title: Look\n        hand_to: desk\n"))

    assert (fault.code, fault.message) == (
        "step-shape",
        "step 'look' has 'hand_to', but does not end the case",
    )


LAST = "the last edge must not have 'when', because it is for all other cases"


@pytest.mark.parametrize(
    ("old", "new", "index", "message"),
    [
        ("          - {to: wait}\n", "", 0, LAST),
        (
            "- {when: present(returned_on), to: decide}",
            "- {to: decide}",
            0,
            "every edge except the last needs 'when'",
        ),
        ("- {to: wait}", "- {when: is_opened, to: wait}", 1, LAST),
    ],
    ids=["no last edge", "edge of the rest first", "condition on the last"],
)
def test_edges_end_with_the_edge_of_all_other_cases(
    old: str, new: str, index: int, message: str
) -> None:
    fault = fault_of((old, new))
    assert (fault.code, fault.message) == ("edge-order", message)
    assert fault.where.endswith(f"{STEPS}.look.edges.{index}")


def test_an_end_that_reads_a_field_is_refused() -> None:
    total = "        total: {role: outcome, type: integer, min: 0, max: 9, description: sum}\n"
    changes = (
        ("  constraints:\n", f"{total}  constraints:\n"),
        ("end: {status: closed}", "end: {status: closed, total: points}"),
    )
    assert fault_of(*changes) == Fault(
        "end-not-plain",
        "an end sets only plain values, not 'points'",
        f"{SOURCE}:{line_of('end: {status: closed}') + 1}, {STEPS}.close.end.total",
        "decide the field at a step",
    )


@pytest.mark.parametrize("word", ["none yet", "missing"])
def test_an_end_leaves_out_what_is_missing_there(word: str) -> None:
    fault = fault_of(("end: {status: closed}", f"end: {{status: closed, refund: {word}}}"))

    assert (fault.code, fault.message, fault.hint) == (
        "end-not-plain",
        f"an end sets no '{word}': 'refund' is missing where nothing sets it",
        "leave 'refund' out of 'end', and let no step before it decide it",
    )


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


def test_a_fault_of_an_expression_has_its_line_and_column() -> None:
    assert fault_of(("when: age <= return_days", "when: age <= retrun_days")) == Fault(
        "unknown-field",
        "there is no field or policy constant 'retrun_days' (at column 8 of the expression)",
        place("when: age", f"{REFUND}.rules.0.when"),
        "did you mean 'return_days'?",
    )


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


def test_a_text_with_a_nul_is_refused() -> None:
    (fault,) = refusal(replaced(("title: Refunds\n", 'title: "Re\\0funds"\n'))).faults

    assert (fault.code, fault.message) == (
        "character-not-text",
        "the text has U+0000, a control character that is not shown",
    )
