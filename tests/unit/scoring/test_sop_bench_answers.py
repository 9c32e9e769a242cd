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


# What is parsed, the output or the trace


@pytest.mark.parametrize(
    ("output", "answer"), [("", "unknown"), (" \n", "")], ids=["empty", "blank"]
)
def test_an_empty_answer_is_null_like(output: str, answer: str) -> None:
    assert parse_answer(output, "", ONE) == answer
    assert is_match(NAN, answer, ONE)


# The first reading takes JSON in final_output


@pytest.mark.parametrize(
    ("output", "answer"),
    [
        pytest.param('<final_output>{"refund": "Full"}</final_output>', "full", id="lower case"),
        pytest.param('<final_output>{"REFUND": "x"}</final_output>', "x", id="key in capitals"),
        pytest.param('<final_output>\n{\n "refund": 12}\n</final_output>', "12", id="indented"),
        pytest.param('<final_output>{"refund": true}</final_output>', "true", id="boolean"),
        pytest.param('<final_output>{"refund": null}</final_output>', "none", id="null"),
        pytest.param('<final_output>{"note": 1, "refund": 2}</final_output>', "2", id="others"),
        pytest.param(
            '<final_output>{"refund": "a"}</final_output>'
            '<final_output>{"refund": "b"}</final_output>',
            "b",
            id="last wins",
        ),
        pytest.param(
            '<final_output>{"refund": "a"}</final_output><final_output>b</final_output>',
            "a",
            id="last that holds braces",
        ),
        pytest.param(
            '<final_output>{"refund": "a"}</final_output><final_output>{b}</final_output>',
            "{b}",
            id="the last is not json, so the tags are taken",
        ),
        pytest.param('<Final_Output> {"Refund": 1} </FINAL_OUTPUT>', "1", id="tag in any case"),
        pytest.param(
            '<final_output>{"refund": "a"}</final_output><final_decision>b</final_decision>',
            "a",
            id="before any tag",
        ),
        pytest.param("<final_output>{'refund': 'a'}</final_output>", "{'refund': 'a'}",
                     id="single quotes are not json, so the tag is taken"),
        pytest.param('<final_output>{"note": "a"}</final_output>', '{"note": "a"}',
                     id="without the column the tag is taken"),
    ],
)  # fmt: skip
def test_final_output_holds_strict_json(output: str, answer: str) -> None:
    assert parse_answer(output, "", ONE) == answer


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


@pytest.mark.parametrize(
    ("output", "answer"),
    [
        pytest.param("<final_decision>full</final_decision>", "full", id="final_decision"),
        pytest.param("So: <refund> full\n</refund>.", "full", id="own tag"),
        pytest.param("<anything>full</anything>", "full", id="any tag"),
        pytest.param("<a>1</a><refund>2</refund><b>3</b>", "2", id="own tag among several"),
        pytest.param("<a>1</a><b>3</b>", "1", id="first of several"),
        pytest.param("<refund>1</refund><refund>2</refund>", "2", id="later tag wins"),
        pytest.param("<id>7</id><a>1</a>", "1", id="id is dropped"),
        pytest.param("<task_id>7</task_id><a>1</a>", "1", id="task_id is dropped"),
        pytest.param("<email_id>7</email_id><a>1</a>", "1", id="email_id is dropped"),
        pytest.param("<product_id>7</product_id><a>1</a>", "1", id="product_id is dropped"),
        pytest.param("<id>7</id>", "<id>7</id>", id="a dropped tag alone leaves plain text"),
        pytest.param("<refund></refund>", "", id="empty tag"),
        pytest.param("<REFUND>Full</Refund>", "full", id="tag and value in any case"),
        pytest.param("<ID>7</Id><a>1</a>", "1", id="id is dropped in any case"),
        pytest.param("<final_decision>{'note': 'a', 'Refund': None}</final_decision>", "none",
                     id="python dict in a wrapper"),
        pytest.param("<response>{'a': 1,\\n\\t'refund': 2}</response>", "2",
                     id="escaped line ends in that dict"),
        pytest.param("<response>{'aircraft_id': 7, 'a': 1}</response>", "1",
                     id="aircraft_id is dropped in that dict"),
        pytest.param("<response>{'a': 1</response>", "{'a': 1",
                     id="without an end it is none, so the tag is taken"),
        pytest.param("<response>{a: 1}</response>", "{a: 1}",
                     id="malformed it is none either"),
        pytest.param("<response><id>7</id>{'a': 1}</response>", "<id>7</id>{'a': 1}",
                     id="beside a tag it is not read"),
        pytest.param("<final_response><x>1</x><refund>2</refund></final_response>", "2",
                     id="child tags in a wrapper"),
        pytest.param("<a>1</a><output><b>2</b></output>", "2", id="wrapper before loose tags"),
        pytest.param("<output><b>2</b></output><response><b>1</b></response>", "1",
                     id="response before output"),
        pytest.param("<response><b>2</b></response><final_decision><b>1</b></final_decision>",
                     "1", id="final_decision before response"),
        pytest.param("<final_decision><b>2</b></final_decision>"
                     "<final_response><b>1</b></final_response>", "1",
                     id="final_response before final_decision"),
        pytest.param("<output><b>1</b></output><output><b>2</b></output>", "1",
                     id="first occurrence of a wrapper"),
        pytest.param("<final_response>yes</final_response><output><b>2</b></output>", "2",
                     id="a wrapper of plain text is passed over"),
    ],
)  # fmt: skip
def test_tags_answer_one_column(output: str, answer: str) -> None:
    assert parse_answer(output, "", ONE) == answer


def test_a_column_with_a_space_cannot_be_a_tag() -> None:
    columns = ["final status", "final_time"]
    parsed = parse_answer(
        "<final status>done</final status><final_time>9</final_time>", "", columns
    )
    assert parsed == "9"
    assert not is_match({"final status": "done", "final_time": 9}, parsed, columns)


# The fourth and fifth take braces


@pytest.mark.parametrize(
    ("output", "answer"),
    [
        pytest.param('Answer: {"refund": "full"}', "full", id="json"),
        pytest.param("{'refund': 'full'}", "full", id="single quotes"),
        pytest.param('{"a": {"refund": "x"}, "refund": "y"}', "x", id="group without nesting"),
        pytest.param('{"refund": "x"} {"refund": "y"}', "x", id="first group"),
        pytest.param('{"refund": true}', "true", id="boolean"),
        pytest.param("{'refund': True}", "true", id="python boolean"),
        pytest.param("{'refund': None, 'x': 1}", "none", id="python none"),
        pytest.param('{"refund": "the buyer\'s"}', "the buyer's", id="apostrophe"),
        pytest.param('{"x": 1, "refund": 2}', "1", id="first of several, not the column"),
        pytest.param('{"Task_ID": 7, "refund": 2}', "2", id="an id is dropped"),
        pytest.param('{"id": 7}', '{"id": 7}', id="an id alone leaves plain text"),
        pytest.param("{'refund': 2, 'x': (1, {})}", "2", id="python dict with nesting"),
        pytest.param("{0} Output: {'refund': 2, 'x': (1, {})}", "2", id="after a heading"),
        pytest.param("{1: {}}", "{1: {}}", id="keys that are no text leave plain text"),
    ],
)
def test_braces_answer_one_column(output: str, answer: str) -> None:
    assert parse_answer(output, "", ONE) == answer


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


@pytest.mark.parametrize(
    ("output", "answer"),
    [
        pytest.param("  full \n", "full", id="bare"),
        pytest.param("Final answer: full", "full", id="final answer"),
        pytest.param("decision: full", "full", id="decision"),
        pytest.param("RESULT:full", "full", id="result"),
        pytest.param("Output: full", "full", id="output"),
        pytest.param("result: output: full", "full", id="two leads in their order"),
        pytest.param("output: result: full", "result: full", id="against their order"),
        pytest.param("The decision: full", "the decision: full", id="not leading"),
        pytest.param("decision:", "", id="nothing after it"),
        pytest.param("x" * 100, "x" * 100, id="100 characters"),
        pytest.param("x" * 101, "unknown", id="101 characters"),
        pytest.param("decision: " + "x" * 100, "x" * 100, id="the lead does not count"),
    ],
)
def test_short_plain_text_is_the_answer(output: str, answer: str) -> None:
    assert parse_answer(output, "", ONE) == answer


# What passes for the truth


@pytest.mark.parametrize(
    ("expected", "answer", "verdict"),
    [
        pytest.param("full", "full", True, id="equal"),
        pytest.param(" Full", "FULL ", True, id="case and space"),
        pytest.param("full", "nothing", False, id="other"),
        pytest.param("High_Risk", "high-risk", True, id="underscore and hyphen"),
        pytest.param("high risk", "high_risk", True, id="underscore and space"),
        pytest.param("high_risk", "it is high risk", True, id="the same within a sentence"),
        pytest.param("high_risk", "-", True, id="a hyphen is a space, and that is in it"),
        pytest.param("approve", "a", True, id="one letter"),
        pytest.param("approve", "approve, refuse or escalate", True, id="every label"),
        pytest.param("12", "112", True, id="12 in 112"),
        pytest.param(112, "12", True, id="112 and 12"),
        pytest.param(1.0, "1", True, id="1 in 1.0"),
        pytest.param(1, "1.0", True, id="1.0 and 1"),
        pytest.param(0.5, ".50", False, id="no numeric tolerance"),
        pytest.param(0.5, "1/2", False, id="no arithmetic"),
        pytest.param(True, "true", True, id="boolean"),
        pytest.param("['a', 'b']", "['b', 'a']", False, id="lists are text"),
        pytest.param(NAN, "none", True, id="nan and none"),
        pytest.param(NAN, "", True, id="nan and nothing"),
        pytest.param(NAN, "N/A", True, id="nan and n/a"),
        pytest.param("unknown", "null", True, id="unknown and null"),
        pytest.param("na", "nan", True, id="na and nan"),
        pytest.param(NAN, "full", False, id="nan and a value"),
        pytest.param("full", "", False, id="a value and nothing"),
        pytest.param("none left", "none", False, id="null-like is never a part"),
        pytest.param("banana", "na", False, id="na is no letters of a word"),
    ],
)
def test_one_column_matches_as_text(expected: Expected, answer: str, *, verdict: bool) -> None:
    assert is_match(expected, answer, ONE) is verdict


@pytest.mark.parametrize(
    ("expected", "parsed", "verdict"),
    [
        pytest.param(
            {"refund": "full", "reason": "late"},
            {"refund": "full", "reason": "late", "x": "1"},
            True,
            id="all",
        ),
        pytest.param(
            {"refund": "full", "reason": "late"},
            {"refund": "full", "reason": "early"},
            False,
            id="one wrong",
        ),
        pytest.param(
            {"refund": "full", "reason": NAN}, {"refund": "full"}, False, id="missing nan"
        ),
        pytest.param(
            {"refund": "full", "reason": NAN},
            {"refund": "full", "reason": ""},
            True,
            id="empty nan",
        ),
        pytest.param({"refund": NAN, "reason": NAN}, "unknown", False, id="plain text"),
        pytest.param(
            {"refund": "full", "reason": "late"},
            {"Refund": "full", "REASON": "late"},
            True,
            id="names in any case",
        ),
        pytest.param(
            {"refund": "full", "reason": "late"},
            {"Refund": "full", "refund": "x", "reason": "late"},
            True,
            id="first of equal names",
        ),
        pytest.param(
            {"refund": "full", "reason": "late"},
            {"refund": "full", "reason": "late", "decisions": "x"},
            False,
            id="a field named decisions",
        ),
    ],
)
def test_several_columns_must_all_match(
    expected: Expected, parsed: dict[str, str] | str, *, verdict: bool
) -> None:
    assert is_match(expected, parsed, TWO) is verdict


# What is counted


@pytest.mark.parametrize(
    ("results", "rates"),
    [
        pytest.param(
            {str(place): AgentResult("full") for place in range(4)},
            Rates(tasks=4, ecr=1.0, c_tsr=1.0, tsr=1.0),
            id="all right",
        ),
        pytest.param(
            {
                "0": AgentResult("full"),
                "1": AgentResult("nothing"),
                "2": AgentResult("nothing"),
                "3": AgentResult("full", error="Bedrock timed out"),
            },
            Rates(tasks=4, ecr=3 / 4, c_tsr=1 / 3, tsr=1 / 4),
            id="an error is unfinished",
        ),
        pytest.param(
            {"0": AgentResult("full"), "1": AgentResult("", error="OUTPUT MISMATCH in tool")},
            Rates(tasks=4, ecr=2 / 4, c_tsr=1 / 2, tsr=1 / 4),
            id="an error worded as a wrong answer is finished",
        ),
        pytest.param(
            {"0": AgentResult("full", error="an output mismatch")},
            Rates(tasks=4, ecr=1 / 4, c_tsr=0.0, tsr=0.0),
            id="worded so later on, too",
        ),
        pytest.param(
            {"0": AgentResult("")},
            Rates(tasks=4, ecr=1 / 4, c_tsr=0.0, tsr=0.0),
            id="an empty answer is finished",
        ),
        pytest.param(
            {"0": AgentResult("full"), "1": AgentResult("<response>{1: 'full'}</response>")},
            Rates(tasks=4, ecr=1 / 4, c_tsr=1.0, tsr=1 / 4),
            id="an answer that breaks the parser is unfinished",
        ),
        pytest.param({}, Rates(tasks=4, ecr=0.0, c_tsr=0.0, tsr=0.0), id="no result"),
        pytest.param(
            {"9": AgentResult("full")},
            Rates(tasks=4, ecr=0.0, c_tsr=0.0, tsr=0.0),
            id="results of other tasks are not counted",
        ),
    ],
)
def test_rates_are_shares(results: Mapping[str, AgentResult], rates: Rates) -> None:
    assert compute_rates(make_package("full", "full", "full", "full"), results) == rates


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
