"""Modules that do what honest people's tools do run in the sandbox, and answer what they should.

The expected values are worked out by hand or taken from the documentation of what is used; those
of digests come from other programs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from sopforge.sandbox.answers import JSONValue, Observation, Refusal
from sopforge.sandbox.process import ToolProcess

Cases: TypeAlias = "list[tuple[dict[str, JSONValue], Any]]"

FOLDER = Path(__file__).parent.parent / "modules" / "well_behaved"
TIME_LIMIT = 10.0

RECORDS = 'name,note\nAda,"one, two"\n"Grace ""H""",ü\n'
LARGE = "id,text\n" + "".join(f"R-{n:05},{'y' * 40}{n % 1000:03}\n" for n in range(100_000))
FILES = {
    "csv_records": {"records.csv": RECORDS},
    "json_files": {"rates.json": '{"usd": 1.5, "eur": [2, null]}'},
    "large_records": {"records.csv": LARGE},
}

CASES: dict[str, Cases] = {
    "csv_records": [
        ({"how": "dict_reader"}, ["Ada", 'Grace "H"']),
        ({"how": "reader"}, {"header": ["name", "note"], "last": ['Grace "H"', "ü"]}),
        ({"how": "text"}, ['Grace "H"', "ü"]),
        ({"how": "bytes"}, 3),
        ({"how": "name_beside"}, "name,note"),
        ({"how": "sniffer"}, ";"),
        ({"how": "existence"}, [True, True, False]),
    ],
    "json_files": [
        ({"how": "file"}, [2, None]),
        ({"how": "write"}, '{"eur":[2,null],"usd":1.5}'),
        ({"how": "exact", "text": '{"a": 0.10}'}, "0.10"),
        ({"how": "read", "text": '{"a": [true]}'}, {"a": [True]}),
        (
            {"how": "read", "text": "{\n a"},
            ["Expecting property name enclosed in double quotes", 2, 2],
        ),
    ],
    "dates": [
        ({"how": "parse"}, "2024-02-28"),
        ({"how": "parse_words", "text": "Friday, 01 March 2024 02:05 PM"}, "2024-03-01T14:05:00"),
        (
            {"how": "parse_or_report", "text": "1 March"},
            "time data '1 March' does not match format '%Y-%m-%d'",
        ),
        ({"how": "words"}, "Wed 28 Feb 2024, day 059, week 09"),
        ({"how": "after_two_days"}, "2024-03-01"),
        ({"how": "between"}, 367),
        ({"how": "weekday"}, ["Wednesday", True]),
        ({"how": "month"}, 29),
        ({"how": "page"}, "          1  2  3  4"),
        ({"how": "zone"}, "2024-02-28T17:30:00+05:30"),
        ({"how": "seconds", "text": "1970-01-02"}, 86_400),
    ],
    "errors": [
        ({"how": "own"}, Refusal("bad_amount", "wrong amount")),
        ({"how": "child"}, Refusal("not_found", "no order O-1")),
        ({"how": "plain"}, Refusal("ValueError", "not a number: 'x'")),
        ({"how": "bare"}, Refusal("LookupError", "")),
        ({"how": "key"}, Refusal("KeyError", "'C-1'")),
        ({"how": "chained"}, Refusal("not_found", "no order x")),
        ({"how": "noted"}, Refusal("noted", "with a note")),
        ({"how": "many"}, ["a"]),
        ({"how": "asserted"}, Refusal("AssertionError", "one is not two")),
        ({"how": "after_finally"}, "tried"),
    ],
    "digests": [
        (
            {"text": "abc"},
            {
                "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                "md5": "900150983cd24fb0d6963f7d28e17f72",
                "new": "a9993e364706816aba3e25717850c26c9cd0d89d",
                "blake": "63906248",
                "hmac": "9c196e32dc0175f86f4b1cb89289d6619de6bee699e4c378e68309ed97a1a6ab",
                "same": True,
                "crc": 0x352441C2,
                "base64": "YWJj",
                "urlsafe": "-_8=",
                "hex": "616263",
                "uuid": "6cb8e707-0fc5-5f55-88d4-d4fed43e64a8",
                "packed": "000000010002",
                "back": "abc",
            },
        ),
    ],
    "texts": [
        (
            {"how": "unicode"},
            ["é", "LATIN SMALL LETTER SHARP S", "strasse", "ǅ", 5, "Cedille"],
        ),
        (
            {"how": "encodings"},
            ["e9", "e900", "xn--bcher-kva.example", "e9", "a", "&#233;", "€", "82", "bcher-kva"],
        ),
        ({"how": "missing_encoding"}, "unknown encoding: no-such-encoding"),
    ],
    "lazy_imports": [
        ({"how": "statistics"}, 2),
        ({"how": "strptime"}, "2024-02-01"),
        ({"how": "decimals"}, "2.10"),
        ({"how": "fractions"}, "3/2"),
        ({"how": "difflib"}, "color"),
        ({"how": "calendar"}, 86_400),
        ({"how": "heaps"}, [2, 1]),
        ({"how": "pprint"}, "{'a': [2], 'b': 1}"),
        ({"how": "json_inside"}, [1]),
        ({"how": "typing"}, "list"),
        ({"how": "traceback"}, "ZeroDivisionError: division by zero"),
        ({"how": "time"}, "1970"),
        ({"how": "secrets_compare"}, False),
        ({"how": "xml"}, "1"),
        ({"how": "locale"}, "."),
        ({"how": "inspect"}, ["how"]),
        ({"how": "ast"}, 2),
        ({"how": "colorsys"}, 1),
        ({"how": "threading"}, 3),
        (
            {"how": "not_there"},
            "No module named 'numpy_of_nobody' that tools may import (docs/sandbox.md)",
        ),
    ],
    "seeded_chance": [
        (
            {"seed": 42},
            {
                "first": [0.6394267984578837, 0.025010755222666936],
                "same": True,
                "sorted": [0, 1, 2, 3, 4],
                "global": True,
                "within": True,
            },
        ),
    ],
    "printing": [({"times": 1}, 1), ({"times": 5_000}, 5_000)],
    "dispatcher": [
        ({"a": 1}, {"sum": 3}),
        ({"a": 1, "b": 5}, {"sum": 6}),
    ],
    "large_records": [
        ({"how": "count"}, [100_000, "999"]),
        ({"how": "large"}, "x" * 900_000),
        ({"how": "rows"}, {"rows": [f"R-{n:05}" for n in range(50_000)]}),
    ],
    "logs_and_listings": [
        ({"how": "glob"}, ["records.csv"]),
        ({"how": "rglob"}, ["records.csv"]),
        ({"how": "scandir"}, [["records.csv", True, 5]]),
        ({"how": "access"}, [True, False]),
        ({"how": "first_line"}, "id\n"),
        ({"how": "traceback"}, "ZeroDivisionError: Fraction(1, 0)"),
        ({"how": "own_line"}, 'json.loads("{")'),
        ({"how": "logged"}, "logged"),
        ({"how": "warned"}, "warned"),
        ({"how": "not_permitted"}, Refusal("PermissionError", "[Errno 1] only the owner may")),
    ],
    "values": [
        ({"value": {"ü": [1, 2.5, None, True, "\u2028"]}}, {"ü": [1, 2.5, None, True, "\u2028"]}),
        ({"value": 2**70}, 2**70),
        ({"how": "tuple"}, [1, [2, 3]]),
        ({"how": "nested"}, {"a": [{"b": None}, True, -0.5, "ü\u2028\0"]}),
        ({"how": "empty"}, [{}, [], "", 0]),
        ({"how": "long"}, 10**4000),
        ({"how": "shared"}, [[1], [1]]),
        ({"how": "floats"}, [1e300, 5e-324, -0.0, 0.1]),
        ({"how": "letters"}, "😀😀"),
    ],
}


@pytest.mark.parametrize("topic", sorted(CASES))
def test_a_well_behaved_module_answers_what_it_should(topic: str) -> None:
    cases = CASES[topic]
    with ToolProcess(files=files_of(topic), time_limit=TIME_LIMIT) as tools:
        answers = [tools.call("run", arguments) for arguments, _ in cases]

    returned = [(arguments, answer) for (arguments, _), answer in zip(cases, answers, strict=True)]
    assert returned == [(arguments, answer_of(expected)) for arguments, expected in cases]


@pytest.mark.parametrize("topic", sorted(CASES))
def test_it_answers_the_same_in_a_new_process_and_to_calls_in_another_order(topic: str) -> None:
    calls = [("run", arguments) for arguments, _ in reversed(CASES[topic])]
    with ToolProcess(files=files_of(topic), time_limit=TIME_LIMIT) as tools:
        answers = tools.call_many(calls)

    assert answers == [answer_of(expected) for _, expected in reversed(CASES[topic])]


def test_every_well_behaved_module_has_expected_answers() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.py")) == sorted(CASES)


def files_of(topic: str) -> Mapping[str, bytes]:
    texts = {
        "tools.py": (FOLDER / f"{topic}.py").read_text(encoding="utf-8"),
        "records.csv": "id\n1\n",
        **FILES.get(topic, {}),
    }
    return {name: text.encode() for name, text in texts.items()}


def answer_of(expected: object) -> Observation | Refusal:
    """Return the answer in which fractions are exact, as the sandbox hands them on."""
    if isinstance(expected, Refusal):
        return expected
    return Observation(json.loads(json.dumps(expected), parse_float=Decimal))
