"""What a person decides on at a gate, for a terminal: the artifact of each stage in words."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from textwrap import indent
from typing import TYPE_CHECKING

from rich.text import Text

from sopforge.cli.output import Parts

if TYPE_CHECKING:
    from sopforge.language.domain.documents.schema import DatasetDocument
    from sopforge.language.domain.expressions.expressions import Expression
    from sopforge.language.domain.model import DomainModel, Step
    from sopforge.pipeline.runs.shown_cases import ShownCase

EXAMPLES, MOST_ADDED = 3, 12
CALLED = "Manager"
"""How the class of a tools module ends whose methods are the tools."""


def lay_out_artifact(
    stage: str, files: Mapping[str, str], drawing: DatasetDocument | None
) -> Parts:
    """Yield what the files of a stage say.

    Examples of a schema are drawn as a dataset would be, and not without ``drawing``.

    Raises:
        MaterialError: a file is not what the stage makes.
    """
    if stage == "schema":
        yield from _lay_out_schema(files["domain.yaml"], drawing)
    elif stage == "dataset":
        from sopforge.cli.screens.dataset_profile import lay_out_dataset

        yield from lay_out_dataset(files)
        yield from _list_task_lines(files)
    elif stage in _LINES:
        yield from _LINES[stage](files)


def lay_out_case(model: DomainModel, number: int, case: ShownCase) -> Parts:
    """Yield a case: its answers, the facts that its path read, what decided, and other facts."""
    yield Text(f"\ncase {number}", "bold")
    yield f"  answers: {_join_cells(model, case.answers)}"
    stated = "\n".join(case.because)
    # What a line says of a fact is not said twice.
    facts = {
        name: cell
        for name, cell in case.facts.items()
        if _join_cells(model, {name: cell}) not in stated
    }
    if facts:
        yield f"  facts: {_join_cells(model, facts)}"
    for line in case.because:
        yield f"  - {line}"
    others = {name: cell for name, cell in case.inputs.items() if name not in case.facts}
    if others:
        yield f"  other facts: {_join_cells(model, others)}"


def _join_cells(model: DomainModel, cells: Mapping[str, str]) -> str:
    return "; ".join(f"{model.fields[name].label}: {cell}" for name, cell in cells.items())


def _lay_out_schema(text: str, drawing: DatasetDocument | None) -> Parts:
    from sopforge.language.domain.reading import read_domain
    from sopforge.pipeline.runs.shown_cases import draw_shown_cases

    model = read_domain(text, "domain.yaml")
    for lines in (_list_limit_lines, _list_rule_lines, _list_step_lines, _list_tool_lines):
        yield from lines(model)
    if drawing is None:
        return
    yield Text("\nexamples", "bold")
    for number, case in enumerate(draw_shown_cases(model, drawing)[:EXAMPLES], start=1):
        yield from lay_out_case(model, number, case)


def _list_limit_lines(model: DomainModel) -> Iterator[str]:
    from sopforge.language.english.words import phrase_expression

    if model.policy:
        yield "\nlimits"
    for name, item in model.policy.items():
        yield f"  {name}: {phrase_expression(item.constant, model.fields)} ({item.meaning})"


def _list_rule_lines(model: DomainModel) -> Iterator[str]:
    from sopforge.language.domain.rules import Formula
    from sopforge.language.english.words import phrase_expression

    yield "\nrules"
    for name, decision in model.decisions.items():
        label = model.fields[name].label
        if isinstance(decision, Formula):
            yield f"  {label}: {phrase_expression(decision.value, model.fields)}"
            continue
        yield f"  {label} ({decision.hit} of these rules)"
        for rule in decision.rules:
            result = phrase_expression(rule.then, model.fields)
            when = f"if {phrase_expression(rule.when, model.fields)}" if rule.when else "otherwise"
            yield f"    {rule.id}: {result} {when}"


def _list_step_lines(model: DomainModel) -> Iterator[str]:
    yield "\nsteps"
    for step in model.steps.values():
        yield f"  {step.title}{_describe_work(model, step)}"
        for edge in step.edges:
            when = _describe_edge(model, edge.when) if len(step.edges) > 1 else "then"
            yield f"    {when} go to: {model.steps[edge.to].title}"


def _describe_work(model: DomainModel, step: Step) -> str:
    calls = [f"calls {model.tools[step.call].offered_name}"] if step.call else []
    decides = [f"decides {model.fields[name].label}" for name in step.decide]
    ends = [
        f"ends with {model.fields[name].label} {model.fields[name].format_cell(value.value)}"
        for name, value in (step.end or {}).items()
    ]
    found = [*calls, *decides, *ends]
    return f": {', '.join(found)}" if found else ""


def _describe_edge(model: DomainModel, when: Expression | None) -> str:
    from sopforge.language.english.words import phrase_expression

    return f"if {phrase_expression(when, model.fields)}," if when else "otherwise"


def _list_tool_lines(model: DomainModel) -> Iterator[str]:
    from review.pages.parts.tool_cards import build_tool_cards

    yield "\ntools"
    for card in build_tool_cards(model):
        takes, returns = (
            _join_names(label for _, label in side) for side in (card.takes, card.returns)
        )
        yield f"  {card.name}: {card.description}"
        yield f"    takes {takes}; returns {returns}"
        for words in card.requires:
            yield f"    only if {words}"


def _list_sop_lines(files: Mapping[str, str]) -> Iterator[str]:
    yield f"\n{files['sop.txt'].rstrip()}"


def _list_task_lines(files: Mapping[str, str]) -> Iterator[str]:
    """Yield some tasks with their answers, of as many kinds of answers as there are."""
    tasks = [json.loads(line) for line in files["tasks.jsonl"].splitlines()]
    unlike = {json.dumps(task["outcomes"]): task for task in reversed(tasks)}
    yield f"\n{min(EXAMPLES, len(unlike))} of {len(tasks)} tasks"
    for task in list(unlike.values())[:EXAMPLES]:
        yield f"\n  {task['task_id']} ({task['split']})"
        yield "\n".join(f"    {line}" for line in task["text"].splitlines())
        answers = "; ".join(f"{name}: {cell}" for name, cell in task["outcomes"].items())
        yield f"    answers: {answers}"


def _list_operation_lines(files: Mapping[str, str]) -> Iterator[str]:
    from review.pages.api import parse_reference

    yield "\noperations"
    for item in parse_reference(files["openapi.yaml"]).operations:
        yield f"  {item.method.upper()} {item.path} ({item.name}): {item.summary}"
        takes, returns = (
            _join_names(part.name for part in side) for side in (item.takes, item.returns)
        )
        yield f"    takes {takes}; returns {returns}"


def _join_names(names: Iterable[str]) -> str:
    return ", ".join(names) or "nothing"


def _list_spec_lines(files: Mapping[str, str]) -> Iterator[str]:
    from review.pages.toolspec import parse_specs

    yield "\ntools as agents receive them"
    for spec in parse_specs(files["toolspecs.json"]):
        yield f"  {spec.name}: {spec.description}"
        for part in spec.takes:
            needed = "" if part.is_required else ", may be left out"
            yield f"    {part.name} ({part.values}{needed}): {part.meaning}"


def _list_code_lines(files: Mapping[str, str]) -> Iterator[str]:
    """Yield the code of each tool, without what all tools share; all of it where it has errors."""
    code = files["tools.py"]
    try:
        tree = ast.parse(code)
    except SyntaxError:
        yield code
        return
    methods = [
        item
        for part in tree.body
        if isinstance(part, ast.ClassDef) and part.name.endswith(CALLED)
        for item in part.body
        if isinstance(item, ast.FunctionDef) and not item.name.startswith(("_", "process_"))
    ]
    for item in methods:
        yield f"\n{ast.get_source_segment(code, item, padded=True)}"


def _list_level_lines(files: Mapping[str, str]) -> Iterator[str]:
    """Yield how large each level is, and what it adds to the level before."""
    from review.pages.complexity import OPERATORS
    from sopforge.artifacts.packaging.rating.difficulty import describe_difficulty

    before: set[str] = set()
    for name, text in files.items():
        level, _, file = name.partition("/")
        if file != "profile.json":
            continue
        profile = json.loads(text)
        words, tools, tasks = (profile.get(name, "?") for name in ("sop_words", "tools", "tasks"))
        yield f"\n{level}: {words} words, {tools} tools, {tasks} tasks"
        added = [entry for entry in profile.get("added", ()) if entry not in before]
        for entry in added[:MOST_ADDED]:
            operator, _, words = entry.partition(": ")
            yield f"  {OPERATORS.get(operator, operator)}: {words}"
        if len(added) > MOST_ADDED:
            yield f"  and {len(added) - MOST_ADDED} more, listed in {name}"
        if dials := describe_difficulty(text):
            yield indent(dials, "  ")
        before |= set(added)


_LINES: Mapping[str, Callable[[Mapping[str, str]], Iterator[str]]] = {
    "sop": _list_sop_lines,
    "api": _list_operation_lines,
    "toolspec": _list_spec_lines,
    "tools": _list_code_lines,
    "complexity": _list_level_lines,
}
