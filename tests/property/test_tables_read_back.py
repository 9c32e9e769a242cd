"""What the SOP says of collected rules is read back line by line, and decides as the model does."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random

import pytest

from sopforge.domain.parsing import parse_condition, parse_value
from sopforge.domain.rules import Collect, HitPolicy, Rule, Table
from sopforge.domain.values.types import Value
from sopforge.logic.english_reader import build_vocabulary, read_condition
from sopforge.logic.readings.scalar import evaluate, holds
from sopforge.logic.tables import build_decision_value
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.sections.decisions import render_decision
from tests.generators import english as made

ROWS = [made.random_row(Random(seed)) for seed in range(200)]  # noqa: S311 - no secrets
SOME = {
    "fragile": "3",
    "tier > 2 and consent and urgent": "-2",
    "any(i.settled for i in claims)": "5",
}
ALWAYS = {**SOME, "not fragile or 'Rug' in extras": "1"}  # at least one of them applies
HEADING = re.compile(
    r"Work out the lifestyle score \(score\)\. (?:Add up all that apply"
    r"|Count the (?P<count>conditions) that hold"
    r"|Take the (?P<word>\w+) value that applies)"
    r"(?P<zero>; if none (?:applies|holds), it is zero)?"
    r"(?P<always>; at least one does)?:"
)
GIVEN = re.compile(r"(-?\d+) points? if (.+)")
REST = re.compile(r"If none of these applies, the lifestyle score is (-?\d+) points\.")
ALL = "All of the following apply:"
COMBINED: Mapping[str | None, Callable[[list[int]], int]] = {
    None: sum,
    "smallest": min,
    "largest": max,
}


@dataclass(frozen=True)
class ParsedTable:
    """What the lines of a table say: conditions with what they give, and the rest."""

    heading: re.Match[str]
    rules: tuple[tuple[str, int], ...]
    rest: int | None

    def value(self, row: Mapping[str, Value | None]) -> int:
        """Return what a reader makes of it."""
        given = [result for condition, result in self.rules if is_met(condition, row)]
        if given:
            return len(given) if self.heading["count"] else COMBINED[self.heading["word"]](given)
        if self.rest is not None:
            return self.rest
        assert self.heading["zero"]
        return 0


@pytest.mark.parametrize(
    ("collect", "rules", "rest"),
    [
        pytest.param(Collect.SUM, SOME, None, id="sum"),
        pytest.param(Collect.SUM, SOME, "7", id="sum with a rest"),
        pytest.param(Collect.COUNT, SOME, None, id="count"),
        pytest.param(Collect.COUNT, SOME, "7", id="count with a rest"),
        pytest.param(Collect.MINIMUM, ALWAYS, None, id="min"),
        pytest.param(Collect.MINIMUM, SOME, "7", id="min with a rest"),
        pytest.param(Collect.MAXIMUM, ALWAYS, None, id="max"),
        pytest.param(Collect.MAXIMUM, SOME, "7", id="max with a rest"),
    ],
)
def test_collected_rules_decide_as_they_are_stated(
    collect: Collect, rules: Mapping[str, str], rest: str | None
) -> None:
    table = collected(collect, rules, rest)
    said = parse_stated(table)

    assert len(said.rules) == len(rules)
    assert bool(said.heading["always"]) == (rules is ALWAYS)
    for row in ROWS:
        assert evaluate(build_decision_value(table), row) == said.value(row)


def collected(collect: Collect, rules: Mapping[str, str], rest: str | None) -> Table:
    """Return a table of points on the made-up fields."""
    kind = made.FIELDS["score"].type
    built = [
        Rule(f"R{place}", parse_condition(when, made.SCOPE), parse_value(then, made.SCOPE, kind))
        for place, (when, then) in enumerate(rules.items())
    ]
    if rest is not None:
        built.append(Rule("rest", None, parse_value(rest, made.SCOPE, kind)))
    return Table("score", HitPolicy.COLLECT, tuple(built), "", collect)


def parse_stated(table: Table) -> ParsedTable:
    """Return what the SOP says of a table, from its words alone."""
    model = replace(made.MODEL, decisions={"score": table})
    first, *lines = joined(list(render_decision(model, "score")))
    heading, rest = HEADING.fullmatch(first), REST.fullmatch(lines[-1])
    assert heading is not None, first
    rules = [read_rule(line) for line in (lines if rest is None else lines[:-1])]
    return ParsedTable(heading, tuple(rules), None if rest is None else int(rest[1]))


def joined(lines: list[Line]) -> list[str]:
    """Return the lines with each list of conditions inside the sentence that it belongs to."""
    texts: list[str] = []
    for line in lines:
        if line.style is Style.NESTED:
            texts[-1] = f"{texts[-1]}\n{line.text[:-1]}"
        else:
            texts.append(line.text)
    return [inlined(text) for text in texts]


def inlined(text: str) -> str:
    heading, *conditions = text.split("\n")
    if not conditions:
        return text
    words = f"{' and '.join(conditions)}."
    if heading == ALL:
        return words
    assert heading.endswith(f" if {ALL.lower()}"), heading
    return heading.replace(ALL.lower(), words)


def read_rule(line: str) -> tuple[str, int]:
    found = GIVEN.fullmatch(line)
    words = found[2] if found else f"{line[0].lower()}{line[1:]}"
    held = words.removesuffix(".")
    bare = held[1:-1] if held.startswith("(") else held
    condition = read_condition(bare, build_vocabulary(made.MODEL))
    return condition, int(found[1]) if found else 1


def is_met(condition: str, row: Mapping[str, Value | None]) -> bool:
    return holds(parse_condition(condition, made.SCOPE), row)
