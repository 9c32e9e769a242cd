from __future__ import annotations

import pytest

from sopforge.errors import Fault
from sopforge.language.domain.expressions.expressions import Constant
from sopforge.language.domain.expressions.operators import Calendar
from sopforge.language.domain.fields import Role, Said, Sampling, Typical
from sopforge.language.domain.values.types import (
    DateTimeType,
    DateType,
    EnumType,
    ListType,
    NumberType,
    TextType,
    ValueType,
)
from tests.unit.domain.minimal_brief import (
    fault_of,
    faults_of,
    place,
    read_model,
    refusal,
    replaced,
)

FIELD = "model.entities.order.fields"
NEW_FIELD = "        extra: {"


def added(declared: str, name: str = "extra") -> tuple[str, str]:
    """Return the change that adds a field."""
    line = f"        {name}: {{{declared}, description: e}}\n"
    return ("  constraints:\n", f"{line}  constraints:\n")


def refused(declared: str) -> tuple[str, str]:
    """Return the code and the message of the only fault of an added field or its items."""
    changed = replaced(added(declared))
    (fault,) = refusal(changed).faults
    assert fault.where.startswith(place(NEW_FIELD, f"{FIELD}.extra", changed))
    return fault.code, fault.message


# Types

LINES = "role: input, type: list, size: 3, empty: no lines, items: {%s}"
AMOUNT = "amount: {role: input, type: number, places: 2, min: 0.00, max: 9.00, description: a}"
SORT = "sort: {role: input, type: enum, values: [Book, Toy], weights: [1, 3], description: s}"


@pytest.mark.parametrize(
    ("declared", "kind"),
    [
        (
            "role: input, type: datetime, min: 2026-01-01 00:00, max: 2026-01-01 01:30",
            DateTimeType(1_065_047_040, 1_065_047_130),
        ),
        (
            "role: observed, type: string, free_text: ['It broke; sorry.', It came late]",
            TextType("", ("It broke; sorry.", "It came late"), is_free=True),
        ),
        ('role: secret, type: string, pattern: "K[0-9]{4}"', TextType("K[0-9]{4}")),
        (
            LINES % f"{AMOUNT}, {SORT}",
            ListType(
                (("amount", NumberType(0, 900, 2)), ("sort", EnumType(("Book", "Toy")))),
                3,
                "no lines",
            ),
        ),
    ],
    ids=["date-time", "free text", "secret", "list"],
)
def test_a_field_has_its_declared_type(declared: str, kind: ValueType) -> None:
    assert read_model(added(declared)).fields["extra"].type == kind


def test_a_secret_has_its_role() -> None:
    declared = 'role: secret, type: string, pattern: "K[0-9]{4}"'
    assert read_model(added(declared)).fields["extra"].role is Role.SECRET


def test_items_keep_how_they_are_drawn() -> None:
    sampling = read_model(added(LINES % f"{AMOUNT}, {SORT}")).fields["extra"].sampling
    assert sampling.items == (("amount", Sampling()), ("sort", Sampling(weights=(1, 3))))


@pytest.mark.parametrize(
    ("declared", "typical"),
    [
        ("type: integer, min: 0, max: 99, typical: {min: 20, max: 40}", Typical(20, 40, 80)),
        (
            "type: number, places: 1, min: 0.0, max: 9.0, typical: {min: 1, max: 2.5, share: 50}",
            Typical(10, 25, 50),
        ),
        (
            (
                "type: date, min: 2026-01-01, max: 2026-12-31, "
                "typical: {min: 2026-01-01, max: 2026-01-03}"
            ),
            Typical(739617, 739619, 80),
        ),
        (
            (
                "type: datetime, min: 2026-01-01 00:00, max: 2026-12-31 00:00, "
                "typical: {min: 2026-01-01 00:00, max: 2026-01-01 00:05}"
            ),
            Typical(1_065_047_040, 1_065_047_045, 80),
        ),
    ],
    ids=["integer", "decimal", "date", "date-time"],
)
def test_a_typical_range_is_kept(declared: str, typical: Typical) -> None:
    assert read_model(added(f"role: input, {declared}")).fields["extra"].sampling.typical == typical


def test_examples_are_values_of_the_field() -> None:
    declared = "role: input, type: number, places: 2, min: 0.00, max: 9.00, examples: [1.5, 9]"
    assert read_model(added(declared)).fields["extra"].examples == (150, 900)


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        (
            "role: secret, type: integer, min: 0, max: 9",
            "a secret must be a string, because it is only compared for equality",
        ),
        (
            "role: input, type: string, pool: [A, B], free_text: [c]",
            "a string needs exactly one of 'pattern', 'pool', 'like' and 'free_text'",
        ),
        (
            LINES % AMOUNT.replace("role: input", "role: input, missing: open"),
            "a field of a list item cannot be missing",
        ),
        (
            LINES % SORT.replace("[1, 3]", "[1]"),
            "each of the 2 values needs a weight, found 1",
        ),
        (LINES % AMOUNT.replace("max: 9.00", "max: -1.00"), "'min' (0.00) is above 'max' (-1.00)"),
        (
            "role: input, type: datetime, min: 2026-01-02 00:00, max: 2026-01-01 00:00",
            "'min' (2026-01-02 00:00) is above 'max' (2026-01-01 00:00)",
        ),
        (
            "role: input, type: datetime, min: 2026-01-02, max: 2026-01-03 00:00",
            "'2026-01-02' is not a date and time in the form 2026-03-31 14:05",
        ),
        (
            "role: input, type: integer, min: 0, max: 9, typical: {min: 5, max: 4}",
            "'min' is above 'max' in 'typical'",
        ),
        (
            "role: input, type: integer, min: 0, max: 9, typical: {min: 5, max: 10}",
            "10 is outside 0 to 9",
        ),
        (
            (
                "role: input, type: date, min: 2026-01-01, max: 2026-12-31, "
                "typical: {min: 2026-01-01, max: 5}"
            ),
            "5 is not a date in the form 2026-03-31",
        ),
        (
            "role: input, type: integer, min: 0, max: 9, examples: [10]",
            "10 is outside 0 to 9",
        ),
        (
            'role: input, type: string, pattern: "A[0-9]", examples: [A1, B1]',
            "the example 'B1' does not fit A[0-9]",
        ),
        (
            "role: input, type: string, pool: [Ann, Bob], examples: [Cid]",
            "the example 'Cid' does not fit its pool: Ann, Bob",
        ),
    ],
    ids=[
        "secret number",
        "pool and free text",
        "missing in an item",
        "weights of an item",
        "bounds of an item",
        "times reversed",
        "date for a time",
        "typical reversed",
        "typical outside",
        "typical of another type",
        "example outside",
        "example of another pattern",
        "example not in the pool",
    ],
)
def test_a_field_that_contradicts_itself_is_refused(declared: str, message: str) -> None:
    code, found = refused(declared)
    assert code == "value-not-allowed"
    assert found == message


def test_the_word_for_an_empty_list_is_looked_at() -> None:
    code, message = refused((LINES % AMOUNT).replace("empty: no lines", "empty: none"))
    assert (code, message) == (
        "label-not-safe",
        "the value 'none' is read as a missing value by common programs",
    )


@pytest.mark.parametrize(
    ("items", "code", "message"),
    [
        pytest.param(
            SORT.replace("Toy", "N/A"),
            "label-not-safe",
            "the value 'N/A' is read as a missing value by common programs",
            id="read as missing",
        ),
        pytest.param(
            SORT.replace("Toy", "Book"),
            "duplicate-label",
            "two values of 'sort' are written 'Book'",
            id="two values",
        ),
        pytest.param(
            f"{AMOUNT}, {SORT.replace('role: input', 'label: Amount, role: input')}",
            "duplicate-label",
            "'sort' and 'amount' have the same label, 'Amount'",
            id="two fields",
        ),
    ],
)
def test_the_labels_of_items_are_looked_at(items: str, code: str, message: str) -> None:
    fault = fault_of(added(LINES % items))
    assert (fault.code, fault.message) == (code, message)
    assert fault.where.endswith(f"{FIELD}.extra.items.sort")


@pytest.mark.parametrize(
    ("items", "name"),
    [
        (f"{AMOUNT}, kind: {{type: enum, values: [A4, A5], description: k, said: odd}}", "kind"),
        (f"{AMOUNT}, worth: {{type: integer, min: 9, max: 1, description: w}}", "worth"),
        (f"{AMOUNT}, size: {{type: enum, values: [A4, A5], weights: [1], description: s}}", "size"),
    ],
    ids=["clause", "range", "weights"],
)
def test_a_fault_of_an_item_names_its_field(items: str, name: str) -> None:
    assert fault_of(added(LINES % items)).where.endswith(f"{FIELD}.extra.items.{name}")


def test_items_keep_their_labels() -> None:
    labelled = AMOUNT.replace("role: input", "label: price, role: input")
    item = read_model(added(LINES % f"{labelled}, {SORT}")).fields["extra"]
    assert [part.label for part in item.parts] == ["price", "sort"]
    assert (item.label_part("amount"), item.label_part("sort")) == ("price", "sort")


def test_free_text_may_hold_what_a_label_may_not() -> None:
    assert read_model(added("role: input, type: string, free_text: ['<b>; {x}', '12 \"']")).fields


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("12", "is read as a number or a boolean by common programs"),
        ("= see above", "starts a formula in a spreadsheet"),
        ("n/a", "is read as a missing value by common programs"),
        ("5 Mar", "is read as a date or a time by spreadsheets"),
        ("50 %", "is read as a number or a boolean by spreadsheets"),
    ],
)
def test_a_free_text_that_a_reader_would_change_is_refused(text: str, reason: str) -> None:
    fault = fault_of(added(f"role: input, type: string, free_text: [fine, '{text}']"))
    assert (fault.code, fault.message) == (
        "label-not-safe",
        f"the text '{text}' of 'extra' {reason}",
    )


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Tarif\u00a0: 1\u202f250 \u20ac", id="French spaces"),
        pytest.param("\u062e\u0627\u0646\u0647\u200c\u0647\u0627", id="Persian non-joiner"),
        pytest.param("\u0936\u094d\u200d\u092f", id="Hindi joiner"),
        pytest.param("\U0001f468\u200d\U0001f33e said so", id="joined emoji"),
        pytest.param("\u05e9\u05dc\u05d5\u05dd \u200eC++", id="mark of direction"),
        pytest.param("first line\\nsecond line", id="line end"),
    ],
)
def test_free_text_may_hold_the_signs_of_correct_writing(text: str) -> None:
    kind = read_model(added(f'role: input, type: string, free_text: [fine, "{text}"]')).fields
    assert isinstance(item := kind["extra"].type, TextType)
    assert item.pool[1] == text.replace("\\n", "\n")


@pytest.mark.parametrize(
    ("sign", "reason"),
    [
        ("\u202e", "U+202E RIGHT-TO-LEFT OVERRIDE at place 5, which is invisible"),
        ("\U000e0041", "U+E0041 TAG LATIN CAPITAL LETTER A at place 5, which is invisible"),
        (
            "\u2028",
            "U+2028 LINE SEPARATOR at place 5, which only some programs read as a line break",
        ),
        ("\\t", "U+0009 at place 5, which is a control character"),
    ],
)
def test_a_sign_that_readers_read_differently_is_named(sign: str, reason: str) -> None:
    fault = fault_of(added(f'role: input, type: string, free_text: [fine, "Paid{sign}."]'))
    assert fault.message.endswith(f"of 'extra' contains {reason}")
    assert fault.hint == "delete this character"


@pytest.mark.parametrize("role", ["observed", "distractor", "secret"])
def test_a_pattern_with_a_text_that_a_reader_would_change_is_refused(role: str) -> None:
    fault = fault_of(added(f'role: {role}, type: string, pattern: "[0-9]{{4}}"'))
    assert (fault.code, fault.message) == (
        "pattern-not-safe",
        "a text of 'extra' such as '0000' is read as a number or a boolean by common programs",
    )


@pytest.mark.parametrize(
    "label", ["1-2", "3/4", "MAR1", "Mar-05", "5 Mar", "10:30", "12-60", "2 PM", "1.2.2026"]
)
def test_a_label_like_a_day_or_an_hour_is_refused(label: str) -> None:
    fault = fault_of(("values: [Gift, Card]", f"values: [Gift, '{label}']"))
    message = f"the value '{label}' is read as a date or a time by spreadsheets"
    assert (fault.code, fault.message) == ("label-not-safe", message)


@pytest.mark.parametrize("label", ['a "b"', "<b>", "{x}", "x>1"])
def test_a_label_that_texts_cannot_carry_is_refused(label: str) -> None:
    quoted = label.replace('"', '\\"')
    fault = fault_of(("values: [Gift, Card]", f'values: [Gift, "{quoted}"]'))
    reason = (
        "contains a quotation mark, an angle bracket or a brace, which SOPForge uses in texts and"
        " tags"
    )
    assert (fault.code, fault.message) == ("label-not-safe", f"the value '{label}' {reason}")


def test_two_fields_of_one_label_are_refused() -> None:
    changed = replaced(("is_opened: {role", "is_opened: {label: Bought On, role"))
    assert refusal(changed).faults == (
        Fault(
            "duplicate-label",
            "'is_opened' and 'bought_on' have the same label, 'Bought On'",
            place("is_opened: {", f"{FIELD}.is_opened", changed),
            "give one of them a different label",
        ),
    )


# Names


@pytest.mark.parametrize(
    "name",
    [
        *("id", "type", "filter", "input", "range", "hash", "format", "object", "map", "set"),
        *("list", "dict", "str", "round", "count", "sorted", "open", "next", "date", "datetime"),
        *("time", "name", "value", "values", "path", "csv", "code", "message", "given", "invalid"),
        *("row", "rows", "present", "average", "decimal", "match", "case", "yes", "true"),
    ],
)
def test_a_common_name_is_free(name: str) -> None:
    declared = "role: input, type: integer, min: 0, max: 9"
    assert name in read_model(added(declared, name)).fields


OF_PYTHON, OF_TOOLS = "is a reserved word of Python", "is a name that the generated tools use"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        *((name, OF_PYTHON) for name in ("class", "from", "is", "in", "not", "lambda", "return")),
        *((name, OF_TOOLS) for name in ("self", "record", "checked", "rounded", "add_months")),
        *((name, OF_TOOLS) for name in ("workdays", "abs", "all", "any", "len", "max", "min")),
        *((name, OF_TOOLS) for name in ("sum", "task_id")),
    ],
)
def test_a_name_that_breaks_expressions_or_tools_is_refused(name: str, reason: str) -> None:
    fault = fault_of(added("role: input, type: integer, min: 0, max: 9", name))
    assert (fault.code, fault.message, fault.hint) == (
        "name-reserved",
        f"'{name}' {reason}",
        f"rename it, for example '{name}_value'",
    )


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ("    fee: {", "    from: {", "model.policy.from"),
        ("  entities:\n", "  calendars: {in: {holidays: [], meaning: m}}\n  entities:\n", None),
    ],
    ids=["policy", "calendar"],
)
def test_a_keyword_names_nothing(old: str, new: str, path: str | None) -> None:
    fault = fault_of((old, new))
    assert fault.code == "name-reserved"
    assert fault.where.endswith(path or "model.calendars.in")


def test_a_keyword_names_no_field_of_an_item() -> None:
    changed = replaced(added(LINES % AMOUNT.replace("amount:", "class:")))
    (fault,) = refusal(changed).faults
    assert (fault.code, fault.where) == (
        "name-reserved",
        place(NEW_FIELD, f"{FIELD}.extra.items.class", changed),
    )


@pytest.mark.parametrize(
    ("name", "reason"),
    [("import", OF_PYTHON), ("processToolCall", OF_TOOLS), ("async", OF_PYTHON)],
)
def test_a_tool_of_a_reserved_name_is_refused(name: str, reason: str) -> None:
    found = faults_of(("    findReturn:", f"    {name}:"), ("call: findReturn", f"call: {name}"))
    assert [(fault.code, fault.message, fault.hint) for fault in found] == [
        (
            "name-reserved",
            f"'{name}' {reason}",
            "rename the tool",
        )
    ]


def test_a_policy_constant_may_be_called_as_the_tools_call_theirs() -> None:
    assert "record" in read_model(("    fee: {", "    record: {")).policy


# Policy and calendars


def test_a_policy_constant_may_be_a_date() -> None:
    day = DateType(739617, 739617)
    policy = read_model(("value: 2.50, unit: USD", "value: 2026-01-01")).policy
    assert policy["fee"].constant == Constant(day, 739617, "fee")


@pytest.mark.parametrize("value", ["thirty", "'2.50'", "2026-02-30", "1e5"])
def test_a_policy_constant_is_a_number_or_a_date(value: str) -> None:
    fault = fault_of(("value: 2.50", f"value: {value}"))
    text = value.strip("'")
    assert (fault.code, fault.message, fault.where) == (
        "value-not-allowed",
        f"'{text}' is neither a number nor a date in the form 2026-03-31",
        place("fee: {", "model.policy.fee"),
    )


CALENDAR = "  calendars:\n    office: {holidays: %s, meaning: Days off}\n"


def calendar(holidays: str) -> tuple[str, str]:
    """Return the change that adds a calendar."""
    return ("  entities:\n", f"{CALENDAR % holidays}  entities:\n")


def test_holidays_are_kept_once_and_in_order() -> None:
    days = "[2026-12-25, 2026-01-01, 2026-12-25]"
    assert read_model(calendar(days)).calendars == {
        "office": (Calendar("office", (739617, 739975), is_only=True), "Days off")
    }


def test_a_decision_counts_working_days_of_a_calendar() -> None:
    value = (
        "value: days_between(bought_on, returned_on)",
        "value: workdays_between(bought_on, returned_on, office)",
    )
    assert "age" in read_model(calendar("[2026-01-01]"), value).decisions


def test_a_holiday_that_is_no_date_is_refused() -> None:
    changed = replaced(calendar("[2026-01-01, 25 December]"))
    assert refusal(changed).faults == (
        Fault(
            "value-not-allowed",
            "'25 December' is not a date in the form 2026-03-31",
            place("    office: {", "model.calendars.office", changed),
            "write a valid date as YYYY-MM-DD",
        ),
    )


@pytest.mark.parametrize(
    ("name", "words"), [("price", "field"), ("fee", "policy constant")], ids=["field", "policy"]
)
def test_a_calendar_named_like_something_else_is_refused(name: str, words: str) -> None:
    old, new = calendar("[]")
    fault = fault_of((old, new.replace("office", name)))
    assert (fault.code, fault.message) == (
        "duplicate-name",
        f"the name '{name}' is used for both a {words} and a calendar",
    )


# Keys and the primary outcome


@pytest.mark.parametrize(
    ("pattern", "example", "reason"),
    [
        ("[0-9]{6}", "000000", "is read as a number or a boolean by common programs"),
        ("[A-Z0-9]{4}", "0000", "is read as a number or a boolean by common programs"),
        ("1[A-F][0-9]{2}", "1E00", "is read as a number or a boolean by common programs"),
        ("[0-9].[0-9]", "0.0", "is read as a number or a boolean by common programs"),
        ("[A-Z]{2}", "na", "is read as a missing value by common programs"),
        ("[A-Z]{4}", "none", "is read as a missing value by common programs"),
        ("I[A-Z]F", "inf", "is read as a number or a boolean by common programs"),
        ("I[A-Z]{7}", "infinity", "is read as a number or a boolean by common programs"),
        ("T[A-Z]{3}", "true", "is read as a number or a boolean by common programs"),
        ("F[A-Z]{4}", "false", "is read as a number or a boolean by common programs"),
        ("[A-Z-]{3}", "---", "starts a formula in a spreadsheet"),
        ("R[0-9]{3}[ A]", "R000 ", "begins or ends with a blank"),
        ("[0-9]-[0-9]{2}", "1-00", "is read as a date or a time by spreadsheets"),
        ("[0-9]{4}-[0-9]{2}", "2000-01", "is read as a date or a time by spreadsheets"),
        ("[4-9][0-9]-[0-9]-[0-9]{2}", "40-1-01", "is read as a date or a time by spreadsheets"),
        ("[A-Z]{3}[0-9]", "MAY0", "is read as a date or a time by spreadsheets"),
        ("[0-9]{2}[A-Z]{3}", "00MAY", "is read as a date or a time by spreadsheets"),
        ("[0-9] [AP]M", "0 AM", "is read as a date or a time by spreadsheets"),
    ],
)
def test_a_key_that_a_csv_reader_would_change_is_refused(
    pattern: str, example: str, reason: str
) -> None:
    fault = fault_of(('pattern: "R[0-9]{4}"', f'pattern: "{pattern}"'))
    assert fault.message.startswith(f"a key such as '{example}' {reason}")
    assert (fault.code, fault.where, fault.hint) == (
        "key-not-safe",
        place("key: order_id", "model.entities.order.key"),
        "choose a pattern that allows no such text, for example R[0-9]{6}",
    )


@pytest.mark.parametrize(
    "pattern", ["[A-Z][0-9]{3}", "A[A-Z]{4}", "[0-9]{3}-[0-9]{4}", "GRP-[0-9A-F]{8}", "[0-9]X[0-9]"]
)
def test_a_key_that_stays_text_is_read(pattern: str) -> None:
    assert read_model(('pattern: "R[0-9]{4}"', f'pattern: "{pattern}"')).key == "order_id"


@pytest.mark.parametrize(
    ("declared", "words"),
    [
        ("type: integer, min: 0, max: 9", "a number"),
        ("type: boolean", "a yes/no value"),
    ],
)
def test_the_primary_outcome_is_an_enum(declared: str, words: str) -> None:
    fault = fault_of(("primary: true, ", ""), added(f"role: outcome, {declared}, primary: true"))
    assert (fault.code, fault.message) == (
        "primary-outcome",
        (
            f"exactly one outcome of type enum must have 'primary: true', found extra"
            f" (outcome, {words})"
        ),
    )


@pytest.mark.parametrize(
    ("old", "new", "tool"),
    [
        ("takes: [order_id]", "takes: [price]", "findReturn"),
        ("takes: [order_id, refund]", "takes: [refund]", "payRefund"),
    ],
    ids=["lookup", "action"],
)
def test_a_tool_on_a_record_takes_its_key(old: str, new: str, tool: str) -> None:
    assert fault_of((old, new)) == Fault(
        "key-not-taken",
        f"{tool} does not take the key 'order_id', which it needs to find its record",
        place(old, f"model.tools.{tool}.takes"),
        "add the key to 'takes'",
    )


def test_a_compute_tool_needs_no_key() -> None:
    compute = (
        "    ageOf:\n      kind: compute\n      description: Count the days\n"
        "      takes: [bought_on, returned_on]\n      returns: [age]\n"
    )
    assert "ageOf" in read_model(("  procedure:\n", f"{compute}  procedure:\n")).tools


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ("takes: [order_id]", "takes: [order_id, price, order_id]", "findReturn.takes"),
        ("returns: [returned_on]", "returns: [returned_on, returned_on]", "findReturn.returns"),
    ],
    ids=["takes", "returns"],
)
def test_a_tool_names_a_field_once(old: str, new: str, path: str) -> None:
    fault = fault_of((old, new))
    assert (fault.code, fault.where) == ("duplicate-name", place(old, f"model.tools.{path}"))


def test_a_faulty_key_is_not_asked_of_the_tools() -> None:
    found = faults_of(("key: order_id", "key: price"))
    assert [fault.code for fault in found] == ["key-not-unique"]


# Bounded loop edges

LOOP = "- {when: is_opened, to: look, at_most: 2, then: wait}\n          - {to: close}"


def test_a_loop_edge_keeps_its_bound() -> None:
    edge = read_model(("- {to: close}", LOOP)).steps["decide"].edges[0]
    assert (edge.to, edge.bound, edge.then) == ("look", 2, "wait")


@pytest.mark.parametrize(
    ("old", "new", "code", "message", "hint"),
    [
        (
            ", then: wait",
            "",
            "edge-bound",
            "an edge needs either both 'at_most' and 'then', or neither",
            (
                "add the missing key: 'at_most' limits how often a case can take the edge, and"
                " 'then' names the step to which the case goes after that"
            ),
        ),
        (
            "at_most: 2, ",
            "",
            "edge-bound",
            "an edge needs either both 'at_most' and 'then', or neither",
            (
                "add the missing key: 'at_most' limits how often a case can take the edge, and"
                " 'then' names the step to which the case goes after that"
            ),
        ),
        (
            "then: wait",
            "then: wiat",
            "unknown-step",
            "there is no step 'wiat'",
            "did you mean 'wait'?",
        ),
        (
            "at_most: 2",
            "at_most: 0",
            "invalid-value",
            "the value must be greater than or equal to 1, found 0",
            "",
        ),
    ],
    ids=["no then", "no bound", "unknown then", "bound of zero"],
)
def test_a_bound_without_its_parts_is_refused(
    old: str, new: str, code: str, message: str, hint: str
) -> None:
    fault = fault_of(("- {to: close}", LOOP.replace(old, new)))
    assert (fault.code, fault.message, fault.hint) == (code, message, hint)


# Unique texts


def test_a_pattern_with_fewer_texts_than_tasks_is_refused() -> None:
    dataset = ("title: Refunds\n", "title: Refunds\ndataset: {n_samples: 27}\n")
    pattern = ('"R[0-9]{4}"', '"R[ABC][ABC]X"')
    text = replaced(dataset, pattern)
    assert refusal(text).faults == (
        Fault(
            "pattern-too-small",
            (
                "the pattern R[ABC][ABC]X allows only 9 texts, but each of the 27"
                " tasks needs its own"
            ),
            place("        order_id: {", "model.entities.order.fields.order_id", text),
            "widen the pattern, for example to X[0-9]{6}, or lower dataset.n_samples",
        ),
    )


def test_a_pattern_with_as_many_texts_as_tasks_is_read() -> None:
    dataset = ("title: Refunds\n", "title: Refunds\ndataset: {n_samples: 9}\n")
    assert read_model(dataset, ('"R[0-9]{4}"', '"R[ABC][ABC]X"')).key == "order_id"


def test_only_a_pattern_gives_unique_texts() -> None:
    fault = fault_of(('pattern: "R[0-9]{4}"', "pool: [Ann, Bob]"))
    message = "'unique: true' needs 'like', or a pattern such as R[0-9]{6}"
    assert (fault.code, fault.message) == ("value-not-allowed", message)


# Cells and JSON


@pytest.mark.parametrize(
    ("name", "value", "cell", "json"),
    [
        ("price", 1250, "12.50", 12.5),
        ("extras", 0b10, "Card", ["Card"]),
        ("extras", 0, "nothing", []),
        ("returned_on", 739617, "2026-01-01", "2026-01-01"),
        ("returned_on", None, "not yet", "not yet"),
    ],
    ids=["number", "set", "empty set", "day", "missing"],
)
def test_a_value_is_shown_and_read_back(
    name: str, value: int | None, cell: str, json: object
) -> None:
    field = read_model().fields[name]
    assert (field.format_cell(value), field.as_json(value)) == (cell, json)
    assert (field.parse(cell), field.parse(json)) == (value, value)


@pytest.mark.parametrize("role", ["input", "observed", "distractor"])
def test_a_scored_field_that_is_not_derived_is_refused(role: str) -> None:
    fault = fault_of(added(f"role: {role}, type: integer, min: 0, max: 9, scored: true"))
    assert (fault.code, fault.message) == (
        "scored-role",
        f"'extra' has scored: true, but its role is {role}",
    )


# Clauses of yes/no fields

YES_NO = "role: input, type: boolean, said: {yes: %s, no: %s}"


def test_a_yes_no_field_says_what_is_so() -> None:
    model = read_model(added(YES_NO % ("it is blue", "it isn't blue at 2-3 places")))

    assert model.fields["extra"].said == Said("it is blue", "it isn't blue at 2-3 places")


@pytest.mark.parametrize(
    "clause",
    [
        *("it is blue and new", "it is blue or new", "it is new if blue", "it is otherwise"),
        *("It is blue", "it is blue.", "it is (blue)", "'it is, so'", "'it is: so'", "blue "),
    ],
)
def test_a_clause_that_other_words_could_reach_into_is_refused(clause: str) -> None:
    code, message = refused(YES_NO % ("it is red", clause if "'" in clause else f"'{clause}'"))

    assert code == "value-not-allowed"
    assert "is not a plain clause" in message


@pytest.mark.parametrize(
    ("first", "second"), [("it is blue", "it is blue now"), ("it is blue now", "it is blue")]
)
def test_a_clause_may_not_begin_another(first: str, second: str) -> None:
    changed = replaced(added(YES_NO % (first, second)))

    (fault,) = refusal(changed).faults

    assert fault.code == "duplicate-label"
    assert fault.message == (
        "'it is blue' of 'extra' is the beginning of 'it is blue now' of 'extra'"
    )
