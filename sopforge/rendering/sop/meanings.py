"""The meaning of each constant in the SOP, where the constant rules, and the text without it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from sopforge.domain.language.expressions import Constant, Expression, list_ordered_parts
from sopforge.domain.model import DomainModel, PolicyConstant
from sopforge.domain.values.types import NumberType, require_integer, to_cell
from sopforge.logic.phrasing.grammar import format_figure
from sopforge.logic.phrasing.meanings import ExplainedConstant
from sopforge.logic.phrasing.rebuilding import rebuild_node
from sopforge.logic.variants.changed_models import with_expressions
from sopforge.rendering.sop.document import Line, Style

# Such a meaning would be taken for other words of its sentence.
_UNFIT = re.compile(r"[()\[\]\";:|]|\.(?: |$)")


def explain_constants(model: DomainModel) -> DomainModel:
    """Return a model whose constants are said with what they mean."""
    meanings = {name: item.meaning for name, item in _list_fit_constants(model.policy).items()}
    return with_expressions(model, partial(_explain, meanings=meanings))


def _explain(expression: Expression, meanings: Mapping[str, str]) -> Expression:
    done: dict[int, tuple[Expression, Expression]] = {}
    for node in list_ordered_parts([expression]):
        changed = rebuild_node(node, done)
        if isinstance(node, Constant) and node.name in meanings:
            meaning = _join_lines(meanings[node.name])
            changed = ExplainedConstant(node.type, node.value, node.name, meaning)
        done[id(node)] = (node, changed)
    return done[id(expression)][1]


def say_meanings_once(
    lines: Iterable[Line], policy: Mapping[str, PolicyConstant]
) -> Iterator[Line]:
    """Yield the lines with each meaning once in a step or section, where it comes first."""
    known = _index_figures(policy)
    said: set[str] = set()
    for line in lines:
        if line.style in {Style.SECTION, Style.STEP}:
            said.clear()
        text = line.text
        for meaning in known:
            first = _find_note(meaning).search(text)
            if first is not None:
                end = first.start() if meaning in said else first.end()
                text = f"{text[:end]}{_drop_notes(meaning, text[end:])}"
                said.add(meaning)
        yield line if text == line.text else replace(line, text=text)


def strip_meanings(lines: Iterable[Line], policy: Mapping[str, PolicyConstant]) -> tuple[Line, ...]:
    """Return the lines without the meanings of constants."""
    known = _index_figures(policy)
    return tuple(replace(line, text=_strip_meanings(line.text, known)) for line in lines)


def _strip_meanings(text: str, known: Iterable[str]) -> str:
    for meaning in known:
        text = _drop_notes(meaning, text)
    return text


def find_misplaced_meanings(
    lines: Iterable[Line], policy: Mapping[str, PolicyConstant]
) -> Iterator[tuple[Line, str, list[str]]]:
    """Yield the lines in which a meaning follows none of the figures of its constants."""
    known = _index_figures(policy)
    for line in lines:
        for meaning, figures in known.items():
            for note in _find_note(meaning).finditer(line.text):
                before = line.text[: note.start()]
                if not any(_has_figure(figure, before) for figure in figures):
                    yield line, meaning, figures


def _find_note(meaning: str) -> re.Pattern[str]:
    """Return a pattern of a meaning: in brackets of its own, or in those that stand there."""
    return re.compile(rf" \({re.escape(meaning)}\)|; {re.escape(meaning)}(?=\))")


def _drop_notes(meaning: str, text: str) -> str:
    return _find_note(meaning).sub("", text)


def _index_figures(policy: Mapping[str, PolicyConstant]) -> dict[str, list[str]]:
    """Return the figures of the constants of each meaning."""
    found: dict[str, list[str]] = {}
    for item in _list_fit_constants(policy).values():
        found.setdefault(_join_lines(item.meaning), []).append(_format_figure(item.constant))
    return found


def _list_fit_constants(policy: Mapping[str, PolicyConstant]) -> dict[str, PolicyConstant]:
    """Return the constants whose meanings can stand in brackets."""
    return {
        name: item
        for name, item in policy.items()
        if item.meaning and not _UNFIT.search(item.meaning)
    }


def _join_lines(text: str) -> str:
    return " ".join(text.split())


def _has_figure(figure: str, text: str) -> bool:
    return re.search(rf"(?<![\w.-]){re.escape(figure)}(?![\w-]|\.\d)", text) is not None


def _format_figure(constant: Constant) -> str:
    kind = constant.type
    if isinstance(kind, NumberType):
        return format_figure(kind, require_integer(constant.value)).removeprefix("-")
    return to_cell(kind, constant.value)
