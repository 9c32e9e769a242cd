"""Lines in other words: what they name, compare, tie together and deny must stay as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml

from sopforge.briefs.brief_files import load_brief
from sopforge.reading.statements.comparison import Vocabulary
from sopforge.rendering.sop.document import Style
from sopforge.rendering.sop.sop import render_sop

ROOT = Path(__file__).parents[4]
STATEMENTS = yaml.safe_load(Path(__file__).with_name("statements.yaml").read_text("utf-8"))
CASES = [(path, number) for path, cases in STATEMENTS.items() for number in range(len(cases))]
BRIEFS = (
    "briefs/patient_intake.yaml",
    "briefs/dangerous_goods.yaml",
    "tests/briefs/tool_hire.yaml",
)
FAULTS = (
    (r"\bat least\b", "at most"),
    (r"\bmore than\b", "less than"),
    (r"\bis less than\b", "is at least"),
    (r"\bbefore\b", "after"),
    (r"\bafter\b", "before"),
    (r"\bis not\b", "is"),
    (r"\bis (?=\")", "is not "),
    (r"\bunless\b", "if"),
    (r"\bminus\b", "plus"),
    (r"\bhighest\b", "lowest"),
    (r"\bMaximum\b", "Minimum"),
    (r"\bonly\b", ""),
    (r"\bnever\b", "always"),
    (r"\bdays\b", "weeks"),
    (r"\bmonths\b", "years"),
    (r"\bincludes?\b", "leaves out"),
)


@cache
def make_vocabulary(path: str) -> Vocabulary:
    model = load_brief(ROOT / path).model
    return Vocabulary(item.label for item in model.list_introduced_fields().values())


@pytest.mark.parametrize(("path", "number"), CASES)
def test_a_line_in_other_words_says_the_same_and_its_twin_does_not(path: str, number: int) -> None:
    case, names = STATEMENTS[path][number], make_vocabulary(path)

    assert names.is_same_statement(case["same"], case["known"])
    assert not names.is_same_statement(case["other"], case["known"])


@pytest.mark.parametrize("path", BRIEFS)
def test_no_fault_in_a_line_says_the_same(path: str) -> None:
    names = make_vocabulary(path)
    missed = [
        (line, fault)
        for line in list_lines(path)
        for fault in iterate_faults(line)
        if names.is_same_statement(fault, line)
    ]

    assert missed == []


@pytest.mark.parametrize("path", BRIEFS)
def test_no_line_of_an_sop_says_what_another_one_does(path: str) -> None:
    names, lines = make_vocabulary(path), list_lines(path)
    alike = [
        (one, other)
        for place, one in enumerate(lines)
        for other in lines[place + 1 :]
        if one != other and names.is_same_statement(one, other)
    ]

    assert alike == []


def list_lines(path: str) -> list[str]:
    """Return the sentences and items of an SOP, without headings and tables."""
    lines = render_sop(load_brief(ROOT / path).model, "").lines
    kept = {Style.PARAGRAPH, Style.BULLET, Style.NESTED}
    return list(dict.fromkeys(line.text for line in lines if line.style in kept))


def iterate_faults(line: str) -> Iterator[str]:
    """Yield a line with a comparison, a number, a label or a denial changed."""
    for pattern, words in FAULTS:
        # What is quoted names a label, and a label may have such words.
        plain = re.sub(r'"[^"]*"', lambda quoted: "·" * len(quoted[0]), line)
        for found in re.finditer(pattern, plain):
            yield " ".join(f"{line[: found.start()]}{words}{line[found.end() :]}".split())
    for found in re.finditer(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.)])", line):
        yield f"{line[: found.start()]}{float(found[0]) + 1:g}{line[found.end() :]}"
    for found in re.finditer(r'"([^"]+)"', line):
        yield f'{line[: found.start()]}"other {found[1]}"{line[found.end() :]}'


@pytest.mark.parametrize(
    ("known", "other"),
    [
        ("Add the label of the jar to the card.", "Add the card of the jar to the label."),
        ("Open the jar only under the clean bench.", "Open the clean jar only under the bench."),
        ("Change records only with book.", "Change only records with book."),
        ("Check and send the form.", "Send the form."),
        ("This procedure applies to every hire.", "This procedure applies to some hires."),
        ("Leave the lift switched off.", "Leave the lift switched on."),
        ("Pay the fee, then report the results.", "Report the results, then pay the fee."),
        ("Ask the owner and leave the form.", "Leave the owner and ask the form."),
    ],
)  # fmt: skip
def test_words_in_another_order_say_something_else(known: str, other: str) -> None:
    assert not Vocabulary([]).is_same_statement(other, known)
    assert Vocabulary([]).is_same_statement(known, known)


@pytest.mark.parametrize(
    ("known", "same", "other"),
    [
        (
            "no later than 9 days after",
            "not later than 9 days after",
            "no earlier than 9 days after",
        ),
        ("less than 9 days after", "earlier than 9 days after", "no later than 9 days after"),
        (
            "no earlier than 9 days before",
            "not earlier than 9 days before",
            "at least 9 days before",
        ),
        ("more than 9 days after", "later than 9 days after", "earlier than 9 days after"),
    ],
)
def test_a_day_on_one_side_of_another_is_no_day_on_the_other(
    known: str, same: str, other: str
) -> None:
    words = Vocabulary(["day of the loss", "day of the notice"])
    said = "the day of the loss is {} the day of the notice, and the file is odd"

    assert words.is_same_statement(said.format(same), said.format(known))
    assert not words.is_same_statement(said.format(other), said.format(known))
