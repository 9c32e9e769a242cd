from __future__ import annotations

from decimal import Decimal
from functools import partial

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from sopforge.errors import Fault, MaterialError
from sopforge.language.domain.documents.yaml_documents import (
    MAXIMUM_CHARACTERS,
    MAXIMUM_DEPTH,
    Path,
    Plain,
    read_document,
    write_document,
)
from sopforge.language.domain.values.composing import compose
from tests.conftest import Golden
from tests.unit.domain.refusals import FAULTS, list_faults_of


def read(text: str) -> Plain:
    return read_document(text, "b.yaml").value


# Scalars


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("fac\u0327ade: [Ho\u0302tel]", id="as a Mac or a PDF writes it"),
        pytest.param('"fac\\u0327ade": ["Ho\\u0302tel"]', id="as an escape"),
    ],
)
def test_letters_are_composed_in_names_and_values(text: str) -> None:
    assert read(text) == {"fa\u00e7ade": ["H\u00f4tel"]}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.10", Decimal("0.10")),
        ("-3.50", Decimal("-3.50")),
        (".5", Decimal("0.5")),
        ("1.000000000000000000000000000000001", Decimal("1.000000000000000000000000000000001")),
    ],
)
def test_a_decimal_stays_exact(text: str, value: Decimal) -> None:
    found = read(f"a: {text}")
    assert isinstance(found, dict)
    assert str(found["a"]) == str(value)


@pytest.mark.parametrize(("text", "value"), [("12", 12), ("-3", -3), ("+3", 3), ("007", 7)])
def test_digits_are_an_integer(text: str, value: int) -> None:
    assert read(f"a: {text}") == {"a": value}


@pytest.mark.parametrize(("text", "value"), [("true", True), ("false", False)])
def test_true_and_false_are_booleans(text: str, *, value: bool) -> None:
    assert read(f"a: {text}") == {"a": value}


@pytest.mark.parametrize("text", ["null", "~", ""], ids=["null", "tilde", "nothing"])
def test_three_words_are_no_value(text: str) -> None:
    assert read(f"a: {text}") == {"a": None}


@pytest.mark.parametrize(
    "text",
    [
        *("no", "yes", "off", "on", "y", "True", "TRUE", "Null", "NaN", ".nan", ".inf"),
        *("2026-01-01", "2026-01-01 10:00:00", "12:30:45", "1e5", "0x1f", "1_000", "1.2.3"),
    ],
)
def test_other_words_stay_text(text: str) -> None:
    assert read(f"a: {text}") == {"a": text}


@pytest.mark.parametrize("text", ["true", "12", "0.10", "null", ""])
def test_a_quoted_scalar_stays_text(text: str) -> None:
    assert read(f"a: '{text}'\nb: \"{text}\"") == {"a": text, "b": text}


def test_a_key_is_text() -> None:
    assert read("1: a\nno: b\n2026-01-01: c") == {"1": "a", "no": "b", "2026-01-01": "c"}


def test_a_merge_key_is_a_key_like_others() -> None:
    assert read("<<: {a: 1}") == {"<<": {"a": 1}}


# Lines

LINED = """\
# a comment
top:
  list:
    - first
    - inner: 1

      other: 2
  text: >-
    folded
    text
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ((), 2),
        (("top",), 2),
        (("top", "list"), 3),
        (("top", "list", 0), 4),
        (("top", "list", 1), 5),
        (("top", "list", 1, "inner"), 5),
        (("top", "list", 1, "other"), 7),
        (("top", "text"), 8),
    ],
    ids=str,
)
def test_a_part_has_the_line_on_which_it_starts(path: Path, line: int) -> None:
    assert read_document(LINED, "b.yaml").lines[path] == line


def test_a_place_is_named_by_source_line_and_dotted_path() -> None:
    document = read_document(LINED, "b.yaml")
    assert document.locate_part(("top", "list", 1, "other")) == "b.yaml:7, top.list.1.other"


def test_a_missing_part_has_the_line_of_what_is_around_it() -> None:
    document = read_document(LINED, "b.yaml")
    assert document.locate_part(("top", "list", 1, "absent", 3)) == "b.yaml:5, top.list.1.absent.3"


def test_the_whole_document_has_no_path() -> None:
    assert read_document(LINED, "b.yaml").locate_part(()) == "b.yaml:2"


# Refusals


BOMB = "a: &a [x, x]\n" + "".join(
    f"{name}: &{name} [*{last}, *{last}]\n"
    for last, name in zip("abcdefgh", "bcdefghi", strict=True)
)
REFUSED = [
    # Keys twice
    "a: 1\nb:\n  c: 1\n  c: 2\na: 3\n",
    "caf\u00e9: 1\ncafe\u0301: 2\n",
    "1: a\n'1': b",
    # Anchors, aliases, tags and keys that are no text
    "a: 1\nb: &x [1]\n",
    "a:\n  - *x\n",
    "<<: *base\n",
    BOMB,
    "a: 1\nb: !!str 12",
    "a: 1\nb: !!python/object/apply:os.system [id]",
    "a: 1\nb: !own {}",
    "? {a: 1}\n: b",
    "[a, b]: 1",
    # Nothing
    "",
    "\n \n",
    "# a comment\n",
    "---\n",
    "null",
    # Slips
    "a: 1\nb: c: d\n",
    "a:\n  - [1, 2\nb: 3\n",
    "a: {when: b in ['c']}\n",
    "a: [1, 2\n",
    "a: 'open\n",
    "a: 'b' in c\n",
    "a:\n  b: 1\n   c: 2\n",
    "a:\n    b: 1\n  c: 2\n",
    "a:\n  b\nc\n",
    "a: - 1\n",
    "a: @b\n",
    "a: & b\n",
    "a:\n\t- 1\n",
    "a: 1\n---\nb: 2\n",
    "a: 1\nb: x\x07\n",
]


def test_what_is_no_document_is_refused(golden: Golden) -> None:
    faults = list_faults_of(
        (ascii(text), partial(read_document, text, "b.yaml")) for text in REFUSED
    )
    golden(FAULTS / "yaml.txt", faults)


def faults(text: str) -> tuple[Fault, ...]:
    with pytest.raises(MaterialError) as caught:
        read_document(text, "b.yaml")
    return caught.value.faults


def test_a_document_over_the_limit_is_refused() -> None:
    message = (
        f"the document has {MAXIMUM_CHARACTERS + 1} characters; SOPForge reads at most 5000000"
    )
    assert faults("a" * (MAXIMUM_CHARACTERS + 1)) == (
        Fault("document-too-large", message, "b.yaml", "remove what the brief does not need"),
    )


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, "{a: " * 100_000, "- " * 100_000, "? " * 100_000],
    ids=["lists", "mappings", "block lists", "keys"],
)
def test_deep_nesting_is_refused(text: str) -> None:
    message = "parts are nested more than 100 levels deep"
    assert faults(text) == (
        Fault("document-too-deep", message, "b.yaml:1", "nest parts less deeply"),
    )


def test_nesting_up_to_the_limit_is_read() -> None:
    value = read("[" * MAXIMUM_DEPTH + "]" * MAXIMUM_DEPTH)
    for _ in range(MAXIMUM_DEPTH - 1):
        assert isinstance(value, list)
        (value,) = value
    assert value == []


# Writing


def test_a_document_is_written_in_order_without_anchors() -> None:
    shared = ["x"]
    value = {"b": shared, "a": shared, "price": Decimal("2.50"), "day": "2026-01-01"}
    assert write_document(value) == "b:\n- x\na:\n- x\nprice: 2.50\nday: '2026-01-01'\n"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            " ",
            "null",
            "~",
            "true",
            "no",
            "1",
            "1.0",
            "-.5",
            "+.5",
            "089",
            "5.",
            "1e5",
            "=",
            "<<",
        ),
        *(
            "2026-01-01",
            "12:30",
            "- x",
            "? x",
            "a: b",
            "a #b",
            "#",
            "&a",
            "*a",
            "!a",
            "%a",
            "@",
            "`",
        ),
        *(
            "'",
            '"',
            "[",
            "{",
            "]",
            ",",
            "|",
            ">",
            "two\nlines",
            "end\n",
            "\n",
            "\t",
            "a\tb",
            "é",
            "\u2028",
            "\x85",
            "a\x85b",
        ),
        *("\x07", "\ufeff", "😀", "---", "...", "x" * 300, "word " * 60, "\\", "C:\\x"),
    ],
    ids=ascii,
)
def test_an_odd_text_is_read_back(text: str) -> None:
    assert read(write_document({text: [text]})) == {text: [text]}


SCALARS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"])).map(compose),
    st.sampled_from(["null", "1.0", "no", "2026-01-01", "- x", "089", "-.5"]),
    st.integers(-(10**40) + 1, 10**40 - 1),
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**20), max_value=10**20),
    st.booleans(),
    st.none(),
)
KEYS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20).map(compose)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner), max_leaves=20
)


# The first draw of letters builds a table, which takes a second on a busy machine.
@settings(suppress_health_check=[HealthCheck.too_slow])
@given(VALUES.filter(lambda value: value is not None))
@example(Decimal("1E+5"))
@example(Decimal("1E-9"))
@example([Decimal(3), 3, True])
def test_what_is_written_is_read_back(value: Plain) -> None:
    found = read(write_document(value))
    assert (found, type(found)) == (value, type(value))
