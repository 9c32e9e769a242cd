"""What the SOP says for when tools refuse, and what they check."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.artifacts.rendering.sop.sections.general import (
    find_only_refusing_tool,
    render_built_in_refusals,
    render_check_rules,
    render_refusal_rules,
)
from sopforge.artifacts.rendering.sop.writer import Writer, list_stated_items
from sopforge.language.domain.expressions.expressions import collect_all_read_fields
from sopforge.language.domain.guards import GuardLeaf, list_guard_checks
from sopforge.language.domain.model import Tool
from sopforge.language.english.terms import Term

EXCEPTIONS = "Exceptions"
_DENIAL = re.compile(r"\b(?:not|no|neither|none|nothing)\b")
_MOST_FACTS = 3
"""A longer refusal is explained in the brief's words where a step names it."""


def render_exceptions(writer: Writer) -> Iterator[Statement]:
    """Return what to do where a tool refuses."""
    model = writer.model
    yield from (Statement(Style.PARAGRAPH, text) for text in render_refusal_rules(model))
    yield from (Statement(Style.BULLET, text) for text in render_built_in_refusals(model))
    yield from (Statement(Style.PARAGRAPH, text) for text in render_check_rules(model))
    guards: dict[str, Statement] = {}
    for tool in model.tools.values():
        for check in list_guard_checks(tool.guard):
            made = _render_guard(writer, tool, check)
            # A tool under another name checks the same, and so does one about other records.
            known = guards.get(made.text)
            states = (*known.states, *made.states) if known else made.states
            guards[made.text] = replace(made, states=states)
    yield from guards.values()


def _render_guard(writer: Writer, tool: Tool, check: GuardLeaf) -> Statement:
    """Return a line on a check, or a list of the conditions of which it asks for some."""
    called = tool.same_as or tool.offered_name
    named = "" if find_only_refusing_tool(writer.model) == called else called
    refused, test = _find_refusal(writer, check), writer.mean(check.test)
    term: Term = ("refuses", check.refusal, named, refused)
    if check.is_ordered:
        term = ("tries", check.refusal, named, test)
    elif refused is None:
        term = ("requires", check.refusal, named, test)
    states = list_stated_items(f"guard {tool.name}.{check.id}", check.test)
    return writer.state(Style.BULLET, "check", term, states)


def _find_refusal(writer: Writer, check: GuardLeaf) -> Term | None:
    """Return when a tool refuses, None where what it requires is said with fewer denials."""
    test = writer.mean(check.test)
    if check.is_ordered or _needs_value(writer, check, test):
        return None
    refused = writer.words.forms.negate(test)
    ours, theirs = (len(_DENIAL.findall(writer.say("condition", term))) for term in (refused, test))
    is_plain = test[0] not in {"and", "or"}
    return refused if ours <= theirs or is_plain else None


def _needs_value(writer: Writer, check: GuardLeaf, test: Term) -> bool:
    """Return whether a tool refuses what has no value, though no denial of its test would say so.

    That something is not one of some labels is true of what has no value, too.
    """
    meanings = {item.name: item.condition for item in writer.named}
    asked = collect_all_read_fields((check.test,))
    read = asked | collect_all_read_fields(meanings[name] for name in asked & meanings.keys())
    may_lack = any(map(writer.model.may_lack_value, read - meanings.keys()))
    parts = test[1:] if test[0] in {"and", "or"} else [test]
    return may_lack and not all(map(_is_label, parts))


def _is_label(test: Term) -> bool:
    """Return whether a test asks for one of some labels alone."""
    return test[0] == "one_of" or (test[0] in {"==", "!="} and test[2][0] == "label")


def describe_refusal(writer: Writer, check: GuardLeaf) -> str:
    """Return why a tool refuses in a few words, "" where none are short."""
    refused = _find_refusal(writer, check)
    if refused is None or (refused[0] in {"and", "or"} and len(refused) > _MOST_FACTS):
        return format_reason(check.says)
    said = writer.say("short", refused)
    return said if said and "(" not in said else format_reason(check.says)


def format_reason(says: str) -> str:
    """Return the reason that a brief gives for a refusal as it stands in brackets.

    "" for one that has brackets itself.
    """
    words = " ".join(says.split()).removesuffix(".")
    return "" if re.search(r"[()]", words) else words
