"""Faults planted into the text of an SOP, one at a time: what a slip of the pen would change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from sopforge.artifacts.rendering.sop.document import SopDocument, Statement, Style, join_lines
from sopforge.language.domain.expressions.expressions import collect_all_read_fields
from sopforge.language.domain.model import DomainModel, collect_deciding_expressions
from sopforge.language.domain.values.types import BOOLEAN_WORDS, EnumType, SetType

COMPARATORS = {
    "at least": "more than",
    "more than": "at least",
    "at most": "less than",
    "less than": "at most",
    "exactly": "not",
    "it refuses with": "it agrees with",
    "equal to": "not equal to",
    "on or after": "after",
    "is after": "is on or after",
    "is before": "is on or before",
    'is not "': 'is "',
    "neither": "either",
    " nor ": " or ",
    " include ": " do not include ",
    "do not include": "include",
    "if there is a ": "if there is no ",
    "if there is an ": "if there is no ",
    "if there is no ": "if there is a ",
    "and there is a ": "and there is no ",
    "there are ": "there are not ",
    "the total ": "the average ",
    "the average ": "the total ",
    "the number of ": "the total of ",
    "0 if there is none": "0 if there is one",
    " days before the ": " days after the ",
    " exceeds ": " is at least ",
    "the percentage of ": "the number of ",
    ", and otherwise to ": ", but not to ",
    " days after the ": " days before the ",
    " months after the ": " months before the ",
    " no later than ": " less than ",
    " earlier than ": " later than ",
    " later than ": " less than ",
    " percent of ": " percent plus ",
    "any other |": "all other |",
    "rounded to": "cut to",
    " unless ": " if ",
    "but at most": "but at least",
    "but at least": "but at most",
    "divided by": "times",
    " times ": " plus ",
    " and the ": " or the ",
    " or the ": " and the ",
    " and whose ": " or whose ",
    '" and "': '" or "',
    ", and the ": ", or the ",
    "all of the following apply": "any of the following applies",
    "any of the following applies": "all of the following apply",
    "all of these hold": "at least one of these holds",
    "at least one of these holds": "all of these hold",
    "Use the first rule that applies": "Exactly one of these rules applies",
    "Use the first row that applies": "Exactly one row applies",
    "largest": "smallest",
    "smallest": "largest",
    "Add up all that apply": "Take the largest value that applies",
    "; if none applies, it is zero": "",
    "the sum of these": "the first of these that applies",
    "plus": "minus",
    "minus": "plus",
    "malformed": "well formed",
}
BETWEEN_LABELS = re.compile(r'(?<!"yes)" or "')
UNITS = {"days": "months", "months": "days", "minutes": "days", "percent": "points"}
UNIT = re.compile(rf"(\d) ({'|'.join(UNITS)})(?= (?:after|before|of) )")
FIGURE = re.compile(r"(?<![\w.-])-?\d+(?:\.\d+)*")


@dataclass(frozen=True)
class Fault:
    """A changed document; ``kind`` says what was changed, ``text`` the line as it stands then."""

    kind: str
    text: str
    document: SopDocument


def planted(model: DomainModel, document: SopDocument) -> Iterator[Fault]:
    """Return the document with each fault; passages of the draft stay as they are."""
    others, names = _other_labels(model), _other_names(model)
    instructions = {" ".join(step.instruction.split()) for step in model.steps.values()}
    for place, line in enumerate(document.lines):
        if line.excused or line.style is Style.TITLE or line.text in instructions:
            continue
        changed = (
            *(*_changed(line, others), *_denied(line, model)),
            *(*_renamed(line, names, model), *_returned(line, names, model)),
        )
        for kind, text in changed:
            yield Fault(kind, text, _with(document, place, replace(line, text=text)))
        if line.style in {Style.NESTED, Style.ROW} and not _is_spare(line, model):
            yield Fault("dropped", f"(no) {line.text}", _with(document, place))
    yield from _swapped(document)


def _is_spare(line: Statement, model: DomainModel) -> bool:
    """Return whether a line names a returned value that nothing reads, which need not stand."""
    read = collect_all_read_fields(collect_deciding_expressions(model))
    taken = {name for tool in model.tools.values() for name in tool.takes}
    name = line.text.partition(" ")[0].rstrip(";.")
    is_returned = any(state.startswith("tool ") for state in line.states)
    return is_returned and name not in read | taken


def _changed(line: Statement, others: dict[str, str]) -> Iterator[tuple[str, str]]:
    text = line.text
    for found in FIGURE.finditer(text):
        is_step = re.search(r"(?:step|section) $", text[: found.start()])
        kind = "reference" if is_step else "number"
        yield kind, _put(text, found, _next(found[0]))
    for found in re.finditer(r'"([^"]*)"', text):
        if found[1] in others:
            yield "label", _put(text, found, f'"{others[found[1]]}"')
    for found in UNIT.finditer(text):
        yield "unit", _put(text, found, f"{found[1]} {UNITS[found[2]]}")
    yield from _compared(text)


def _denied(line: Statement, model: DomainModel) -> Iterator[tuple[str, str]]:
    """Return a line that says the opposite of what it says of a field in a clause of its own."""
    for item in model.fields.values():
        for words in (item.said, *(each.said for each in item.label_clauses)):
            for clause, other in zip(words.both, words.both[::-1], strict=True) if words else ():
                for found in re.finditer(rf"\b{re.escape(clause)}(?![\w'])", line.text):
                    yield "clause", _put(line.text, found, other)


def _compared(text: str) -> Iterator[tuple[str, str]]:
    """Return a line with another relation."""
    for found in re.finditer(r"\b(?:is|are) (?=-?\d)", text):
        yield "comparator", _put(text, found, f"{found[0]}not ")
    for found in BETWEEN_LABELS.finditer(text):
        yield "comparator", _put(text, found, '" and "')
    for old, new in COMPARATORS.items():
        for found in re.finditer(re.escape(old), text):
            yield "comparator", _put(text, found, new)


def _renamed(
    line: Statement, names: dict[str, str], model: DomainModel
) -> Iterator[tuple[str, str]]:
    """Return a line with another name in brackets or a cell of a result, or with another office."""
    for found in re.finditer(r"\((\w+)\)(?=: | as )", line.text):
        if found[1] in names:
            yield "name", _put(line.text, found, f"({names[found[1]]})")
    for found in re.finditer(r"\| (\w+) (?=\|)", line.text):
        if found[1] in names:
            yield "name", _put(line.text, found, f"| {names[found[1]]} ")
    for office in model.hand_overs:
        for found in re.finditer(rf"\b{re.escape(office)}\b", line.text):
            yield "office", _put(line.text, found, "somebody else")


def _returned(
    line: Statement, names: dict[str, str], model: DomainModel
) -> Iterator[tuple[str, str]]:
    """Return a line that has a call return another value than it does."""
    _, is_call, returned = line.text.partition(" It returns ")
    for item in model.fields.values() if is_call else ():
        for found in re.finditer(rf"the {re.escape(item.label)}(?=,|\.| and )", returned):
            text = _put(returned, found, f"the {model.fields[names[item.name]].label}")
            yield "returned", f"{line.text.removesuffix(returned)}{text}"


def _other_names(model: DomainModel) -> dict[str, str]:
    """Return for each field the name of another."""
    names = list(model.fields)
    return dict(zip(names, (*names[1:], names[0]), strict=True))


def _put(text: str, found: re.Match[str], new: str) -> str:
    return f"{text[: found.start()]}{new}{text[found.end() :]}"


def _next(number: str) -> str:
    """Return a number with its last digit turned."""
    last = {"9": "8"}.get(number[-1], str(int(number[-1]) + 1))
    return number[:-1] + last


def _other_labels(model: DomainModel) -> dict[str, str]:
    """Return another label of the field for each label, another text for a missing value."""
    others = dict(zip(BOOLEAN_WORDS, reversed(BOOLEAN_WORDS), strict=True))
    for item in model.fields.values():
        kinds = [item.type, *(part for _, part in getattr(item.type, "fields", ()))]
        for kind in kinds:
            if isinstance(kind, EnumType | SetType):
                others |= dict(zip(kind.values, (*kind.values[1:], kind.values[0]), strict=True))
            for word in (item.missing, getattr(kind, "empty", "")):
                if word:
                    others[word] = "nothing at all"
    return others


def _swapped(document: SopDocument) -> Iterator[Fault]:
    """Return the document with two neighbouring rules, or transitions, in the other order.

    Where the transitions after a refusal stand among the others makes no difference.
    """
    lines = document.lines
    for place in range(len(lines) - 1):
        first, second = lines[place : place + 2]
        if first.style is second.style and first.states and second.states:
            kinds = {line.states[0].split(" ")[0] for line in (first, second)}
            is_refusal = " refuses with " in f"{first.text} {second.text}"
            if is_refusal or kinds not in ({"rule"}, {"edge"}):
                continue
            changed = (*lines[:place], second, first, *lines[place + 2 :])
            yield Fault("order", f"{second.text} | {first.text}", SopDocument(join_lines(changed)))


def _with(document: SopDocument, place: int, *new: Statement) -> SopDocument:
    lines = (*document.lines[:place], *new, *document.lines[place + 1 :])
    return SopDocument(join_lines(lines))
