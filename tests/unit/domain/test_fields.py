from __future__ import annotations

import pytest

from sopforge.language.domain.expressions.expressions import Constant
from sopforge.language.domain.expressions.operators import Calendar
from sopforge.language.domain.fields import Role, Said, Sampling, Typical
from sopforge.language.domain.values.types import (
    DateTimeType,
    DateType,
    DurationType,
    EnumType,
    ListType,
    NumberType,
    TextType,
    ValueType,
)
from tests.conftest import Golden
from tests.unit.domain.minimal_brief import (
    faults_of,
    read_model,
)
from tests.unit.domain.refusals import FAULTS, list_faults


def added(declared: str, name: str = "extra") -> tuple[str, str]:
    """Return the change that adds a field."""
    line = f"        {name}: {{{declared}, description: e}}\n"
    return ("  constraints:\n", f"{line}  constraints:\n")


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


def test_a_field_that_contradicts_itself_is_refused(golden: Golden) -> None:
    whole = "role: input, type: integer, min: 0, max: 9"
    day = "role: input, type: date, min: 2026-01-01, max: 2026-12-31"
    yes_no = "role: input, type: boolean, said: {yes: %s, no: %s}"
    declared = [
        "role: secret, type: integer, min: 0, max: 9",
        "role: input, type: string, pool: [A, B], free_text: [c]",
        "role: input, type: datetime, min: 2026-01-02 00:00, max: 2026-01-01 00:00",
        "role: input, type: datetime, min: 2026-01-02, max: 2026-01-03 00:00",
        f"{whole}, typical: {{min: 5, max: 4}}",
        f"{whole}, typical: {{min: 5, max: 10}}",
        f"{day}, typical: {{min: 2026-01-01, max: 5}}",
        f"{whole}, examples: [10]",
        'role: input, type: string, pattern: "A[0-9]", examples: [A1, B1]',
        "role: input, type: string, pool: [Ann, Bob], examples: [Cid]",
        f"{whole}, scored: true",
        'role: observed, type: string, pattern: "[0-9]{4}"',
        *(f"role: input, type: string, free_text: [fine, '{text}']" for text in CHANGED),
        *(f'role: input, type: string, free_text: [fine, "Paid{sign}."]' for sign in SIGNS),
        *(yes_no % ("it is red", f'"{clause}"') for clause in NOT_PLAIN),
        yes_no % ("it is blue", "it is blue now"),
        yes_no % ("it is blue now", "it is blue"),
    ]
    golden(FAULTS / "added_fields.txt", list_faults(*([added(one)] for one in declared)))


CHANGED = ("12", "= see above", "n/a", "5 Mar", "50 %")
SIGNS = ("\u202e", "\U000e0041", "\u2028", "\\t")
NOT_PLAIN = (
    *("it is blue and new", "it is blue or new", "it is new if blue", "it is otherwise"),
    *("It is blue", "it is blue.", "it is (blue)", "it is, so", "it is: so", "blue "),
)


def test_an_item_that_contradicts_itself_is_refused(golden: Golden) -> None:
    items = [
        AMOUNT.replace("role: input", "role: input, missing: open"),
        SORT.replace("[1, 3]", "[1]"),
        AMOUNT.replace("max: 9.00", "max: -1.00"),
        SORT.replace("Toy", "N/A"),
        SORT.replace("Toy", "Book"),
        f"{AMOUNT}, {SORT.replace('role: input', 'label: Amount, role: input')}",
        f"{AMOUNT}, kind: {{type: enum, values: [A4, A5], description: k, said: odd}}",
        AMOUNT.replace("amount:", "class:"),
    ]
    faults = list_faults(
        *([added(LINES % item)] for item in items),
        [added((LINES % AMOUNT).replace("empty: no lines", "empty: none"))],
    )
    golden(FAULTS / "items.txt", faults)


def test_items_keep_their_labels() -> None:
    labelled = AMOUNT.replace("role: input", "label: price, role: input")
    item = read_model(added(LINES % f"{labelled}, {SORT}")).fields["extra"]
    assert [part.label for part in item.parts] == ["price", "sort"]
    assert (item.label_part("amount"), item.label_part("sort")) == ("price", "sort")


def test_free_text_may_hold_what_a_label_may_not() -> None:
    assert read_model(added("role: input, type: string, free_text: ['<b>; {x}', '12 \"']")).fields


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


RESERVED = (
    *("class", "from", "is", "in", "not", "lambda", "return"),
    *("self", "record", "checked", "rounded", "add_months", "workdays"),
    *("abs", "all", "any", "len", "max", "min", "sum", "task_id"),
)


def test_a_name_that_breaks_expressions_or_tools_is_refused(golden: Golden) -> None:
    declared = "role: input, type: integer, min: 0, max: 9"
    faults = list_faults(
        *([added(declared, name)] for name in RESERVED),
        [("    fee: {", "    from: {")],
        [("  entities:\n", "  calendars: {in: {holidays: [], meaning: m}}\n  entities:\n")],
        *(
            [("    findReturn:", f"    {name}:"), ("call: findReturn", f"call: {name}")]
            for name in ("import", "processToolCall", "async")
        ),
    )
    golden(FAULTS / "reserved_names.txt", faults)


def test_a_policy_constant_may_be_called_as_the_tools_call_theirs() -> None:
    assert "record" in read_model(("    fee: {", "    record: {")).policy


# Policy and calendars


def test_a_policy_constant_may_be_a_date() -> None:
    day = DateType(739617, 739617)
    policy = read_model(("value: 2.50, unit: USD", "value: 2026-01-01")).policy
    assert policy["fee"].constant == Constant(day, 739617, "fee")


def test_a_policy_constant_may_be_a_time_or_a_duration() -> None:
    found = {
        text: read_model(("value: 2.50, unit: USD", f"value: {text}")).policy["fee"].constant
        for text in ("2026-01-01 08:30", "1 hour and 30 minutes", "72 hours")
    }
    # 739617 is the day number of 2026-01-01.
    minute = 739616 * 1440 + 510

    assert found == {
        "2026-01-01 08:30": Constant(DateTimeType(minute, minute), minute, "fee"),
        "1 hour and 30 minutes": Constant(DurationType(90, 90), 90, "fee"),
        "72 hours": Constant(DurationType(4320, 4320), 4320, "fee"),
    }


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


def test_a_calendar_of_no_days_or_of_a_taken_name_is_refused(golden: Golden) -> None:
    old, new = calendar("[]")
    faults = list_faults(
        [calendar("[2026-01-01, 25 December]")],
        [(old, new.replace("office", "price"))],
        [(old, new.replace("office", "fee"))],
    )
    golden(FAULTS / "calendars.txt", faults)


# Keys and the primary outcome


UNSAFE_KEYS = (
    *("[0-9]{6}", "1[A-F][0-9]{2}", "[0-9].[0-9]", "[A-Z]{2}", "[A-Z]{4}", "I[A-Z]F"),
    *("I[A-Z]{7}", "T[A-Z]{3}", "F[A-Z]{4}", "[A-Z-]{3}", "R[0-9]{3}[ A]", "[0-9]-[0-9]{2}"),
    *("[0-9]{4}-[0-9]{2}", "[4-9][0-9]-[0-9]-[0-9]{2}", "[A-Z]{3}[0-9]", "[0-9]{2}[A-Z]{3}"),
    "[0-9] [AP]M",
)


def test_a_key_that_a_csv_reader_would_change_is_refused(golden: Golden) -> None:
    faults = list_faults(*([('"R[0-9]{4}"', f'"{pattern}"')] for pattern in UNSAFE_KEYS))
    golden(FAULTS / "unsafe_keys.txt", faults)


@pytest.mark.parametrize(
    "pattern", ["[A-Z][0-9]{3}", "A[A-Z]{4}", "[0-9]{3}-[0-9]{4}", "GRP-[0-9A-F]{8}", "[0-9]X[0-9]"]
)
def test_a_key_that_stays_text_is_read(pattern: str) -> None:
    assert read_model(('pattern: "R[0-9]{4}"', f'pattern: "{pattern}"')).key == "order_id"


def test_a_compute_tool_needs_no_key() -> None:
    compute = (
        "    ageOf:\n      kind: compute\n      description: Count the days\n"
        "      takes: [bought_on, returned_on]\n      returns: [age]\n"
    )
    assert "ageOf" in read_model(("  procedure:\n", f"{compute}  procedure:\n")).tools


def test_a_faulty_key_is_not_asked_of_the_tools() -> None:
    found = faults_of(("key: order_id", "key: price"))
    assert [fault.code for fault in found] == ["key-not-unique"]


# Bounded loop edges

LOOP = "- {when: is_opened, to: look, at_most: 2, then: wait}\n          - {to: close}"


def test_a_loop_edge_keeps_its_bound() -> None:
    edge = read_model(("- {to: close}", LOOP)).steps["decide"].edges[0]
    assert (edge.to, edge.bound, edge.then) == ("look", 2, "wait")


def test_a_bound_without_its_parts_is_refused(golden: Golden) -> None:
    faults = list_faults(
        *(
            [("- {to: close}", LOOP.replace(old, new))]
            for old, new in (
                (", then: wait", ""),
                ("at_most: 2, ", ""),
                ("then: wait", "then: wiat"),
                ("at_most: 2", "at_most: 0"),
                ("at_most: 2, then: wait", "counts: visit"),
            )
        )
    )
    golden(FAULTS / "loops.txt", faults)


# Unique texts


def test_a_pattern_with_fewer_texts_than_tasks_is_refused(golden: Golden) -> None:
    dataset = ("title: Refunds\n", "title: Refunds\ndataset: {n_samples: 27}\n")
    faults = list_faults([dataset, ('"R[0-9]{4}"', '"R[ABC][ABC]X"')])
    golden(FAULTS / "small_patterns.txt", faults)


def test_a_pattern_with_as_many_texts_as_tasks_is_read() -> None:
    dataset = ("title: Refunds\n", "title: Refunds\ndataset: {n_samples: 9}\n")
    assert read_model(dataset, ('"R[0-9]{4}"', '"R[ABC][ABC]X"')).key == "order_id"


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


# Clauses of yes/no fields


def test_a_yes_no_field_says_what_is_so() -> None:
    model = read_model(
        added(
            "role: input, type: boolean, said: {yes: it is blue, no: it isn't blue at 2-3 places}"
        )
    )

    assert model.fields["extra"].said == Said("it is blue", "it isn't blue at 2-3 places")
