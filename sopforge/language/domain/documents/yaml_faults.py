"""Faults of YAML syntax in words that a person who writes a brief can act on."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import yaml

from sopforge.errors import Fault

QUOTE_HINT = "put the whole value in double quotes, or on its own line after '>-'"
_MARK_HINT = (
    "put a value that contains a comma, bracket, brace or colon in double quotes; otherwise, close"
    " the open bracket or brace"
)


@dataclass(frozen=True, slots=True)
class _Saying:
    """What the parser says, and what we say: ``{0}`` is its group, ``{line}`` where it began."""

    pattern: re.Pattern[str]
    message: str
    hint: str


def _make_saying(pattern: str, message: str, hint: str) -> _Saying:
    return _Saying(re.compile(pattern), message, hint)


_BEGAN = " that began on line {line}"
# The first that fits is taken, so that what is more special stands before what is more general.
_SAYINGS = (
    _make_saying(r"found character '\\t'", "a tab is used here", "indent with spaces"),
    _make_saying(
        r"found character '(.)' that cannot start",
        "a value that begins with {0} needs quotes",
        QUOTE_HINT,
    ),
    _make_saying(
        r"while scanning an (?:alias|anchor)",
        "a value that begins with & or * needs quotes",
        QUOTE_HINT,
    ),
    _make_saying(
        r"while scanning a quoted scalar.*unexpected end",
        f"the quote{_BEGAN} is never closed",
        "add the closing quote, or remove the opening one",
    ),
    _make_saying(
        r"while parsing a flow mapping.*but got '(.+)'",
        f"expected a comma or a closing brace in the braces{_BEGAN}, found {{0}}",
        _MARK_HINT,
    ),
    _make_saying(
        r"while parsing a flow sequence.*but got '(.+)'",
        f"expected a comma or a closing bracket in the brackets{_BEGAN}, found {{0}}",
        _MARK_HINT,
    ),
    _make_saying(
        r"expected <block end>, but found '(?:<scalar>|\[|\{)'",
        "there is more text after a closing quote or bracket",
        QUOTE_HINT,
    ),
    _make_saying(
        r"expected <block end>",
        f"this line is indented differently from the part{_BEGAN}",
        "indent all names of one part by the same number of spaces",
    ),
    _make_saying(
        r"mapping values are not allowed",
        "a colon is not allowed here",
        "put a value that contains a colon in double quotes; or indent this line like the line"
        " before it, which must be 'name: value' with a space after the colon",
    ),
    _make_saying(
        r"could not find expected ':'",
        f"the line{_BEGAN} is neither 'name: value' nor '- item'",
        "add the colon or the dash, or indent the line like the text that it continues",
    ),
    _make_saying(
        r"sequence entries are not allowed",
        "a list cannot begin on this line",
        "begin each '- item' on a line of its own; quote a value that begins with a dash",
    ),
    _make_saying(
        r"another document",
        "the file contains more than one YAML document",
        "keep one document, and remove the line ---",
    ),
)
_SIGNS: Mapping[str, str] = {"<scalar>": "more text", "<stream end>": "the end of the file"}


def make_syntax_fault(cause: yaml.MarkedYAMLError, source: str) -> Fault:
    """Return what the parser found wrong, with its line and column."""
    mark, start = cause.problem_mark, cause.context_mark
    where = f"{source}:{mark.line + 1}, column {mark.column + 1}" if mark else source
    said = " ".join(part for part in (cause.context, cause.problem) if part)
    line = start.line + 1 if start else 1
    for saying in _SAYINGS:
        found = saying.pattern.search(said)
        if found is not None:
            message = _fill_message(saying.message, found.groups(), line)
            return Fault("invalid-yaml", message, where, saying.hint)
    hint = "check the indentation (no tabs), quotes and colons"
    return Fault("invalid-yaml", said, where, hint)


def _fill_message(message: str, groups: Sequence[str], line: int) -> str:
    signs = [_SIGNS.get(group, f"'{group}'") for group in groups]
    return message.format(*signs, line=line)
