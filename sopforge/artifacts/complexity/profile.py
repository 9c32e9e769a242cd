"""How hard a variant is, in figures that need no model: of its text, tools, procedure and tasks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from sopforge.artifacts.complexity.variant import Variant
from sopforge.artifacts.rendering.sop.document import Style
from sopforge.artifacts.rendering.sop.marks import (
    LIMIT,
    REDUNDANT,
    REFERENCE,
    REMINDER,
    SIDE,
    SUPERSEDED,
    TANGENTIAL,
)
from sopforge.language.domain.expressions.expressions import Aggregate, Selection, iterate_parts
from sopforge.language.domain.model import DomainModel, Tool, collect_deciding_expressions
from sopforge.language.domain.rules import HitPolicy, Table, collect_decision_inputs, is_first_given
from sopforge.language.domain.tasks import Task
from sopforge.language.domain.values.types import NumberType

Figures: TypeAlias = dict[str, object]

CHARACTERS_PER_TOKEN = 4
_PERCENT = 100
_TENTHS = 10


def compute_figures(variant: Variant, tasks: Sequence[Task], toolspecs: str) -> Figures:
    """Return all figures of a variant with its tasks and the specs of its tools."""
    return {
        **compute_text_figures(variant.sop.as_text()),
        **compute_passage_figures(variant),
        **compute_tool_figures(variant.model, toolspecs),
        **compute_data_figures(variant),
        **compute_procedure_figures(variant.model, tasks),
    }


def compute_text_figures(text: str) -> Figures:
    """Return the size of a text and its readability: the automated readability index.

    ``tokens`` is an estimate that no vocabulary decides: one for four characters.
    """
    words = re.findall(r"[^\W_]+(?:['_-][^\W_]+)*", text)
    return {
        "sop_words": len(text.split()),
        "sop_tokens": count_tokens(text),
        "sop_sentences": len(_split_sentences(text)),
        "sop_readability": _compute_readability(words, len(_split_sentences(text))),
    }


def count_tokens(text: str) -> int:
    """Return about how many tokens a text has."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def _split_sentences(text: str) -> list[str]:
    """Return what ends with a stop, or stands on a line of its own."""
    # A stop inside of a number, such as 2.5, ends nothing.
    found = re.split(r"[.!?](?=\s)|\n", text)
    return [part for part in found if re.search(r"\w", part)]


def _compute_readability(words: Sequence[str], sentences: int) -> str:
    """Return 4.71 characters per word + 0.5 words per sentence - 21.43, to one place."""
    if not words or not sentences:
        return "0.0"
    characters = sum(map(len, words))
    index = (
        Fraction(471, 100) * Fraction(characters, len(words))
        + Fraction(1, 2) * Fraction(len(words), sentences)
        - Fraction(2143, 100)
    )
    # Written by size: `//` rounds down, and would make -1.6 of -4 tenths.
    tenths = round(index * _TENTHS)
    return f"{'-' * (tenths < 0)}{abs(tenths) // _TENTHS}.{abs(tenths) % _TENTHS}"


def compute_tool_figures(model: DomainModel, toolspecs: str) -> Figures:
    """Return how many tools there are, of which standing, and how long their specs are."""
    model = model.offered
    tools = list(model.tools.values())
    called = {step.call for step in model.steps.values()}
    idle = [tool for tool in tools if _is_idle(tool, called)]
    return {
        "tools": len(tools),
        "tools_called": sum(tool.name in called for tool in tools),
        "tools_equivalent": sum(bool(tool.same_as) for tool in tools),
        "tools_superseded": sum(bool(tool.replaced_by) for tool in tools),
        "tools_partial": sum(_is_part(tool, model) for tool in idle),
        "tools_general": sum(not _is_part(tool, model) for tool in idle),
        "tool_spec_tokens": count_tokens(toolspecs),
    }


def _is_idle(tool: Tool, called: set[str | None]) -> bool:
    return tool.name not in called and not tool.same_as and not tool.replaced_by


def _is_part(tool: Tool, model: DomainModel) -> bool:
    """Return whether a tool that nothing calls returns some of what a called one does."""
    called = [model.tools[step.call] for step in model.steps.values() if step.call]
    # Fewer results: a tool that returns all of them is another name for it.
    return bool(tool.returns) and any(set(tool.returns) < set(other.returns) for other in called)


def compute_data_figures(variant: Variant) -> Figures:
    """Return how many inputs and results there are, and the percentage of them to no use."""
    model, counts = variant.model, variant.count_additions()
    distractors, returned = counts["distractor_inputs"], counts["distractor_returns"]
    called = [model.tools[step.call] for step in model.steps.values() if step.call]
    results = len({name for tool in called for name in tool.returns})
    inputs = len(model.inputs)
    return {
        "inputs": inputs,
        "distractor_inputs": distractors,
        "distractor_input_percent": _compute_percentage(distractors, inputs),
        "results": results,
        "distractor_results": returned,
        "distractor_result_percent": _compute_percentage(returned, results),
    }


def _compute_percentage(part: int, whole: int) -> int:
    return _PERCENT * part // whole if whole else 0


def compute_passage_figures(variant: Variant) -> Figures:
    """Return what a reader of the text has to put together, and what to leave aside."""
    statements = variant.sop.statements
    excuses = [item.excused for item in statements]
    sides = [item for item in statements if item.excused == SIDE and item.style is Style.PARAGRAPH]
    return {
        "references": excuses.count(REFERENCE),
        "indirect_limits": excuses.count(LIMIT),
        "reminders": excuses.count(REMINDER),
        "redundant_rules": excuses.count(REDUNDANT),
        "superseded_passages": excuses.count(SUPERSEDED),
        "tangents": excuses.count(TANGENTIAL) + len(sides),
        "thresholds": sum(
            isinstance(item.constant.type, NumberType) for item in variant.model.policy.values()
        ),
    }


def compute_procedure_figures(model: DomainModel, tasks: Iterable[Task]) -> Figures:
    """Return the size of the procedure: steps, branches, and how deep and long the paths are."""
    given = list(tasks)
    calls = [len(task.calls) for task in given]
    rules = [len(getattr(item, "rules", ())) for item in model.decisions.values()]
    return {
        "tasks": len(given),
        "steps": len(model.steps),
        "branches": sum(len(step.edges) > 1 for step in model.steps.values()),
        "edges": sum(len(step.edges) + len(step.refusals) for step in model.steps.values()),
        "rules": sum(rules),
        "ordered_rules": sum(len(item.rules) for item in _list_ordered_tables(model)),
        "decision_depth": _compute_decision_depth(model),
        "list_values": _count_list_values(model),
        "parts": len(model.parts),
        "part_uses": sum(bool(step.do) for step in model.steps.values()),
        "depth": max((_compute_depth(task.path, model.steps) for task in given), default=0),
        "gold_calls": {
            "min": min(calls, default=0),
            "mean": _format_mean(calls),
            "max": max(calls, default=0),
        },
    }


def _list_ordered_tables(model: DomainModel) -> list[Table]:
    """Return the tables in which the first rule that applies decides, each by its first field."""
    return [
        item
        for item in model.decisions.values()
        if isinstance(item, Table) and item.hit is HitPolicy.FIRST and is_first_given(item)
    ]


def _compute_decision_depth(model: DomainModel) -> int:
    """Return how many decisions rest on each other in the longest chain."""
    found: dict[str, int] = {}

    def measure(name: str) -> int:
        if name not in found:
            read = collect_decision_inputs(model.decisions[name])
            found[name] = 1 + max(map(measure, read & {*model.decisions}), default=0)
        return found[name]

    return max(map(measure, model.decisions), default=0)


def _count_list_values(model: DomainModel) -> int:
    """Return how many values rules, edges and guards take of the entries of lists."""
    parts = iterate_parts(*collect_deciding_expressions(model))
    return sum(isinstance(part, Aggregate | Selection) for part in parts)


def _compute_depth(path: Sequence[str], steps: Mapping[str, object]) -> int:
    return sum(node in steps for node in path)


def _format_mean(counts: Sequence[int]) -> str:
    hundredths = round(Fraction(_PERCENT * sum(counts), len(counts))) if counts else 0
    return f"{hundredths // _PERCENT}.{hundredths % _PERCENT:02d}"
