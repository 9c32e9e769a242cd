from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping

import pytest

from sopforge.harness.scoring.sop_bench_answers import (
    OUTPUT_END,
    OUTPUT_START,
    AgentResult,
    ParserBreaksError,
    Rates,
    compute_rates,
    is_match,
    iterate_between,
    iterate_elements,
    parse_answer,
)
from sopforge.harness.scoring.sop_bench_package import (
    Cell,
    Expected,
    PeerPackage,
    PeerTask,
)

ONE = ["refund"]
TWO = ["refund", "reason"]
THREE = ["refund", "reason", "risk"]
TRUTHS: dict[str, Cell] = {"refund": "full", "reason": "late"}
NAN = float("nan")


def write_trace(*results: object, answer: str = "done") -> str:
    """Return messages of tool results and a last answer as indented JSON."""
    blocks = [{"type": "tool_result", "content": json.dumps(result)} for result in results]
    messages = [
        {"role": "user", "content": "Decide."},
        {"role": "user", "content": blocks},
        {"role": "assistant", "content": [{"type": "text", "text": answer}]},
    ]
    return json.dumps(messages, indent=2)


def make_package(*expected: Expected, columns: tuple[str, ...] = ("refund",)) -> PeerPackage:
    tasks = (PeerTask(str(place), {}, truth) for place, truth in enumerate(expected))
    return PeerPackage(
        name="refunds",
        domain="",
        description="",
        sop="Decide.",
        toolspecs=(),
        tasks=tuple(tasks),
        input_columns=(),
        output_columns=columns,
        manager_name="",
        num_tasks=len(expected),
        num_tools=0,
        is_legacy=False,
    )


ONE_COLUMN = [
    # JSON in final_output
    ('<final_output>{"refund": "Full"}</final_output>', "full"),  # lower case
    ('<final_output>{"REFUND": "x"}</final_output>', "x"),  # key in capitals
    ('<final_output>\n{\n "refund": 12}\n</final_output>', "12"),  # indented
    ('<final_output>{"refund": true}</final_output>', "true"),  # boolean
    ('<final_output>{"refund": null}</final_output>', "none"),  # null
    ('<final_output>{"note": 1, "refund": 2}</final_output>', "2"),  # others
    # last wins
    (
        '<final_output>{"refund": "a"}</final_output><final_output>{"refund": "b"}</final_output>',
        "b",
    ),
    # last that holds braces
    ('<final_output>{"refund": "a"}</final_output><final_output>b</final_output>', "a"),
    # the last is not json, so the tags are taken
    ('<final_output>{"refund": "a"}</final_output><final_output>{b}</final_output>', "{b}"),
    ('<Final_Output> {"Refund": 1} </FINAL_OUTPUT>', "1"),  # tag in any case
    # before any tag
    ('<final_output>{"refund": "a"}</final_output><final_decision>b</final_decision>', "a"),
    # single quotes are not json, so the tag is taken
    ("<final_output>{'refund': 'a'}</final_output>", "{'refund': 'a'}"),
    # without the column the tag is taken
    ('<final_output>{"note": "a"}</final_output>', '{"note": "a"}'),
    # tags
    ("<final_decision>full</final_decision>", "full"),  # final_decision
    ("So: <refund> full\n</refund>.", "full"),  # own tag
    ("<anything>full</anything>", "full"),  # any tag
    ("<a>1</a><refund>2</refund><b>3</b>", "2"),  # own tag among several
    ("<a>1</a><b>3</b>", "1"),  # first of several
    ("<refund>1</refund><refund>2</refund>", "2"),  # later tag wins
    ("<id>7</id><a>1</a>", "1"),  # id is dropped
    ("<product_id>7</product_id><a>1</a>", "1"),  # product_id is dropped
    ("<id>7</id>", "<id>7</id>"),  # a dropped tag alone leaves plain text
    ("<refund></refund>", ""),  # empty tag
    ("<REFUND>Full</Refund>", "full"),  # tag and value in any case
    ("<ID>7</Id><a>1</a>", "1"),  # id is dropped in any case
    # python dict in a wrapper
    ("<final_decision>{'note': 'a', 'Refund': None}</final_decision>", "none"),
    ("<response>{'a': 1,\\n\\t'refund': 2}</response>", "2"),  # escaped line ends in that dict
    ("<response>{'aircraft_id': 7, 'a': 1}</response>", "1"),  # aircraft_id is dropped in that dict
    ("<response>{'a': 1</response>", "{'a': 1"),  # without an end it is none, so the tag is taken
    ("<response>{a: 1}</response>", "{a: 1}"),  # malformed it is none either
    # beside a tag it is not read
    ("<response><id>7</id>{'a': 1}</response>", "<id>7</id>{'a': 1}"),
    ("<final_response><x>1</x><refund>2</refund></final_response>", "2"),  # child tags in a wrapper
    ("<a>1</a><output><b>2</b></output>", "2"),  # wrapper before loose tags
    ("<output><b>2</b></output><response><b>1</b></response>", "1"),  # response before output
    # final_decision before response
    ("<response><b>2</b></response><final_decision><b>1</b></final_decision>", "1"),
    # final_response before final_decision
    ("<final_decision><b>2</b></final_decision><final_response><b>1</b></final_response>", "1"),
    ("<output><b>1</b></output><output><b>2</b></output>", "1"),  # first occurrence of a wrapper
    # a wrapper of plain text is passed over
    ("<final_response>yes</final_response><output><b>2</b></output>", "2"),
    # braces
    ('Answer: {"refund": "full"}', "full"),  # json
    ("{'refund': 'full'}", "full"),  # single quotes
    ('{"a": {"refund": "x"}, "refund": "y"}', "x"),  # group without nesting
    ('{"refund": "x"} {"refund": "y"}', "x"),  # first group
    ('{"refund": true}', "true"),  # boolean
    ("{'refund': True}", "true"),  # python boolean
    ("{'refund': None, 'x': 1}", "none"),  # python none
    ('{"refund": "the buyer\'s"}', "the buyer's"),  # apostrophe
    ('{"x": 1, "refund": 2}', "1"),  # first of several, not the column
    ('{"Task_ID": 7, "refund": 2}', "2"),  # an id is dropped
    ('{"id": 7}', '{"id": 7}'),  # an id alone leaves plain text
    ("{'refund': 2, 'x': (1, {})}", "2"),  # python dict with nesting
    ("{0} Output: {'refund': 2, 'x': (1, {})}", "2"),  # after a heading
    ("{1: {}}", "{1: {}}"),  # keys that are no text leave plain text
    # plain text
    ("  full \n", "full"),  # bare
    ("Final answer: full", "full"),  # final answer
    ("decision: full", "full"),  # decision
    ("RESULT:full", "full"),  # result
    ("Output: full", "full"),  # output
    ("result: output: full", "full"),  # two leads in their order
    ("output: result: full", "result: full"),  # against their order
    ("The decision: full", "the decision: full"),  # not leading
    ("decision:", ""),  # nothing after it
    ("x" * 100, "x" * 100),  # 100 characters
    ("x" * 101, "unknown"),  # 101 characters
    ("decision: " + "x" * 100, "x" * 100),  # the lead does not count
]

MATCHES: list[tuple[Expected, str, bool]] = [
    ("full", "full", True),  # equal
    (" Full", "FULL ", True),  # case and space
    ("full", "nothing", False),  # other
    ("High_Risk", "high-risk", True),  # underscore and hyphen
    ("high risk", "high_risk", True),  # underscore and space
    ("high_risk", "it is high risk", True),  # the same within a sentence
    ("high_risk", "-", True),  # a hyphen is a space, and that is in it
    ("approve", "a", True),  # one letter
    ("approve", "approve, refuse or escalate", True),  # every label
    ("12", "112", True),  # 12 in 112
    (112, "12", True),  # 112 and 12
    (1.0, "1", True),  # 1 in 1.0
    (1, "1.0", True),  # 1.0 and 1
    (0.5, ".50", False),  # no numeric tolerance
    (0.5, "1/2", False),  # no arithmetic
    (True, "true", True),  # boolean
    ("['a', 'b']", "['b', 'a']", False),  # lists are text
    (NAN, "none", True),  # nan and none
    (NAN, "", True),  # nan and nothing
    (NAN, "N/A", True),  # nan and n/a
    ("unknown", "null", True),  # unknown and null
    ("na", "nan", True),  # na and nan
    (NAN, "full", False),  # nan and a value
    ("full", "", False),  # a value and nothing
    ("none left", "none", False),  # null-like is never a part
    ("banana", "na", False),  # na is no letters of a word
]

SEVERAL_MATCH: list[tuple[Expected, dict[str, str] | str, bool]] = [
    # all
    (TRUTHS, {"refund": "full", "reason": "late", "x": "1"}, True),
    # one wrong
    (TRUTHS, {"refund": "full", "reason": "early"}, False),
    ({"refund": "full", "reason": NAN}, {"refund": "full"}, False),  # missing nan
    ({"refund": "full", "reason": NAN}, {"refund": "full", "reason": ""}, True),  # empty nan
    ({"refund": NAN, "reason": NAN}, "unknown", False),  # plain text
    # names in any case
    (TRUTHS, {"Refund": "full", "REASON": "late"}, True),
    # first of equal names
    (TRUTHS, {"Refund": "full", "refund": "x", "reason": "late"}, True),
    # a field named decisions
    (TRUTHS, {"refund": "full", "reason": "late", "decisions": "x"}, False),
]


def test_one_column_is_read_by_the_first_reading_that_finds_it() -> None:
    found = [(output, parse_answer(output, "", ONE)) for output, _ in ONE_COLUMN]
    assert found == ONE_COLUMN


def test_an_answer_matches_as_text_and_of_several_columns_all_must() -> None:
    for expected, answer, verdict in MATCHES:
        assert is_match(expected, answer, ONE) is verdict, (expected, answer)
    for truths, parsed, verdict in SEVERAL_MATCH:
        assert is_match(truths, parsed, TWO) is verdict, (truths, parsed)


# What is parsed, the output or the trace


@pytest.mark.parametrize(
    ("output", "answer"), [("", "unknown"), (" \n", "")], ids=["empty", "blank"]
)
def test_an_empty_answer_is_null_like(output: str, answer: str) -> None:
    assert parse_answer(output, "", ONE) == answer
    assert is_match(NAN, answer, ONE)


# The first reading takes JSON in final_output


def test_final_output_of_several_columns_gives_those_it_has() -> None:
    output = '<final_output>{"Refund": "Full", "reason": "LATE", "x": 1}</final_output>'
    assert parse_answer(output, "", THREE) == {"refund": "full", "reason": "late"}


def test_one_of_several_columns_in_final_output_is_no_field_dict() -> None:
    output = '<final_output>{"refund": "full"}</final_output><reason>late</reason>'
    parsed = parse_answer(output, "", TWO)
    assert parsed == "full"
    assert not is_match({"refund": "full", "reason": NAN}, parsed, TWO)


# The second takes tool results in the trace


def test_right_tool_results_outrank_a_wrong_answer() -> None:
    wrong = "<refund>nothing</refund><reason>early</reason>"
    trace = write_trace({"refund": "full"}, {"reason": "late"}, answer=wrong)
    parsed = parse_answer("", trace, TWO)
    assert is_match({"refund": "full", "reason": "late"}, parsed, TWO)


def test_half_of_the_columns_in_tool_results_are_enough_to_be_taken() -> None:
    right = "<refund>full</refund><reason>late</reason>"
    parsed = parse_answer("", write_trace({"refund": "full"}, answer=right), TWO)
    assert not is_match({"refund": "full", "reason": "late"}, parsed, TWO)


def test_less_than_half_of_the_columns_in_tool_results_are_ignored() -> None:
    right = "<refund>full</refund><reason>late</reason><risk>low</risk>"
    trace = write_trace({"refund": "half"}, answer=right)
    assert parse_answer("", trace, THREE) == {"refund": "full", "reason": "late", "risk": "low"}


def test_keys_of_tool_results_must_equal_the_column() -> None:
    right = "<refund>full</refund><reason>late</reason>"
    trace = write_trace({"Refund": "x", "the_reason": "x"}, answer=right)
    assert parse_answer("", trace, TWO) == {"refund": "full", "reason": "late"}


def test_one_column_ignores_tool_results() -> None:
    trace = write_trace({"refund": "full"})
    assert parse_answer("half", trace, ONE) == "half"


@pytest.mark.parametrize(
    "block",
    [
        pytest.param({"type": "tool_use", "input": TRUTHS}, id="a call"),
        pytest.param({"type": "tool_result", "content": "full, late"}, id="no json"),
        pytest.param({"type": "tool_result", "content": "[1, 2]"}, id="no object"),
        pytest.param({"type": "tool_result"}, id="no content"),
        pytest.param("text", id="text"),
    ],
)
def test_other_blocks_are_passed_over(block: object) -> None:
    result = {"type": "tool_result", "content": json.dumps(TRUTHS)}
    trace = json.dumps([{"role": "user", "content": [block, result]}])
    assert parse_answer("", trace, TWO) == TRUTHS


@pytest.mark.parametrize(
    "message", [{"role": "assistant"}, {}], ids=["of the assistant", "without a role"]
)
def test_only_messages_to_the_agent_hold_results(message: dict[str, object]) -> None:
    block = {"type": "tool_result", "content": json.dumps(TRUTHS)}
    trace = json.dumps([{**message, "content": [block]}])
    assert not is_match(TRUTHS, parse_answer("", trace, TWO), TWO)


@pytest.mark.parametrize(
    "messages",
    [
        pytest.param(["text"], id="a message that is text"),
        pytest.param([{"role": "user", "content": None}], id="content that is null"),
        pytest.param(
            [{"role": "user", "content": [{"type": "tool_result", "content": TRUTHS}]}],
            id="a result that is an object",
        ),
        pytest.param(
            [{"role": "user", "content": [{"type": "tool_result", "content": [{"text": ""}]}]}],
            id="a result in parts",
        ),
    ],
)
def test_a_trace_of_another_shape_breaks_the_parser(messages: object) -> None:
    with pytest.raises(ParserBreaksError):
        parse_answer("", json.dumps(messages), TWO)


def test_a_list_that_is_not_json_holds_no_results() -> None:
    trace = "[{'role': 'user'}] <refund>full</refund><reason>late</reason>"
    assert parse_answer("", trace, TWO) == TRUTHS


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param('<final_output>\n{\n  "refund": "full",\n  "reason": "late"\n}\n'
                     "</final_output>", id="in final_output"),
        pytest.param('{\n  "refund": "full",\n  "reason": "late"\n}', id="bare"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("style", ["messages", "repr"])
def test_a_right_answer_as_indented_json_in_a_trace_is_wrong(answer: str, style: str) -> None:
    truth: Expected = {"refund": "full", "reason": "late"}
    trace = write_trace(answer=answer) if style == "messages" else repr({"output": answer})
    assert is_match(truth, parse_answer(answer, "", TWO), TWO)
    assert not is_match(truth, parse_answer(answer, trace, TWO), TWO)


# The third takes tags


def test_a_column_with_a_space_cannot_be_a_tag() -> None:
    columns = ["final status", "final_time"]
    parsed = parse_answer(
        "<final status>done</final status><final_time>9</final_time>", "", columns
    )
    assert parsed == "9"
    assert not is_match({"final status": "done", "final_time": 9}, parsed, columns)


# The fourth and fifth take braces


def test_a_python_dict_is_never_executed() -> None:
    output = "{'refund': __import__('os').getcwd()}"
    assert parse_answer(output, "", ONE) == output


@pytest.mark.parametrize(
    "output",
    [
        pytest.param("<response>{1: 'full'}</response>", id="a number as key in a wrapper"),
        pytest.param("<response>{[]: 'full'}</response>", id="a list as key in a wrapper"),
        pytest.param("{(1, []): {}} full", id="a list as key"),
    ],
)
def test_a_dict_of_other_keys_breaks_the_parser(output: str) -> None:
    with pytest.raises(ParserBreaksError):
        parse_answer(output, "", ONE)


# The last takes plain text


# What passes for the truth


# What is counted


FULL, WRONG = AgentResult("full"), AgentResult("nothing")
RATES: list[tuple[Mapping[str, AgentResult], tuple[float, float, float]]] = [
    # Of four tasks: the share that is finished, that of right ones among these, and among all.
    (dict.fromkeys("0123", FULL), (1.0, 1.0, 1.0)),
    ({}, (0.0, 0.0, 0.0)),
    # an error is unfinished
    (
        {"0": FULL, "1": WRONG, "2": WRONG, "3": AgentResult("full", error="timed out")},
        (3 / 4, 1 / 3, 1 / 4),
    ),
    # an error worded as a wrong answer is finished
    ({"0": FULL, "1": AgentResult("", error="OUTPUT MISMATCH in tool")}, (2 / 4, 1 / 2, 1 / 4)),
    ({"0": AgentResult("full", error="an output mismatch")}, (1 / 4, 0.0, 0.0)),
    # so is an empty answer
    ({"0": AgentResult("")}, (1 / 4, 0.0, 0.0)),
    # an answer that breaks the parser is not
    ({"0": FULL, "1": AgentResult("<response>{1: 'full'}</response>")}, (1 / 4, 1.0, 1 / 4)),
    # results of other tasks are not counted
    ({"9": FULL}, (0.0, 0.0, 0.0)),
]


def test_rates_are_shares() -> None:
    package = make_package("full", "full", "full", "full")
    for results, shares in RATES:
        assert compute_rates(package, results) == Rates(4, *shares), results


def test_several_columns_are_scored_from_the_trace() -> None:
    package = make_package({"refund": "full", "reason": "late"}, columns=("refund", "reason"))
    right = "<refund>full</refund><reason>late</reason>"
    wrong = "<refund>half</refund><reason>late</reason>"
    assert compute_rates(package, {"0": AgentResult(wrong, trace=right)}).tsr == 1.0
    assert compute_rates(package, {"0": AgentResult(right, trace=wrong)}).tsr == 0.0


# Answers of any size


PIECES = [
    *("<a>", "</a>", "<A>", "<b>", "</b>", "<refund>", "</refund>", "<response>", "</RESPONSE>"),
    *("<final_output>", "</final_output>", "<final_output> {", "} </final_output>", "{", "}"),
    *('"refund": "full"', '{"reason": "late"}', "x", " ", "\n", "<", ">", "</", "<id>", "</id>"),
]
BENCHMARKS_OWN = {
    # The patterns as SOP-Bench has them.
    "object": r"(?is)<final_output>\s*({.*?})\s*</final_output>",
    "wrapped": r"(?is)<response>(.*?)</response>",
    "pair": r"(?is)<(\w+)>(.*?)</\1>",
}


def test_texts_are_read_as_the_benchmarks_patterns_read_them() -> None:
    draw = random.Random(3)  # noqa: S311 - no secret
    for _ in range(4000):
        text = "".join(draw.choices(PIECES, k=draw.randrange(1, 12)))
        bodies = [f"{{{body}}}" for body in iterate_between(OUTPUT_START, OUTPUT_END, text)]
        assert bodies == re.findall(BENCHMARKS_OWN["object"], text), text
        start, end = re.compile("(?i)<response>"), re.compile("(?i)</response>")
        assert list(iterate_between(start, end, text)) == re.findall(
            BENCHMARKS_OWN["wrapped"], text
        ), text
        pairs = re.findall(BENCHMARKS_OWN["pair"], text)
        assert list(iterate_elements(text)) == [(name.lower(), body) for name, body in pairs], text
