"""The procedure as a drawn flow chart: its steps, its edges under their conditions, a lit path."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from textwrap import wrap

from rich.cells import cell_len

from sopforge.artifacts.rendering.charts.layering import Box, Layout, Link, compute_layout
from sopforge.language.domain.model import Counts, DomainModel, Edge, Step
from sopforge.language.english.words import phrase_expression

LETTER, WIDE_LETTER, LINE_HEIGHT, PADDING = 7.2, 8.3, 17.0, 10.0
STEP_LETTERS, LABEL_LETTERS, MOST_LINES = 24, 26, 6
MARGIN = 12.0
OTHERWISE = "in all other cases"
USED_UP = " used up to "
INTO_PART = " into "


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text at a place."""

    x: float
    y: float
    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class Node:
    """A drawn step: ``kind`` is start, step or end; its texts, and what it says in full."""

    id: str
    kind: str
    x: float
    y: float
    width: float
    height: float
    texts: tuple[Text, ...]
    title: str


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    """A drawn edge: its line, its label on a box of its own, and what it says in full."""

    id: str
    curve: str
    kind: str
    label: tuple[Text, ...]
    box: Box
    title: str


@dataclass(frozen=True, slots=True)
class StepText:
    """A step in words: what is done there, and each edge with its condition and its target."""

    id: str
    title: str
    does: tuple[str, ...]
    edges: tuple[tuple[str, str, str, str], ...]


@dataclass(frozen=True, slots=True)
class FlowChart:
    """The whole drawing, and the same in words for those who do not see it."""

    width: float
    height: float
    nodes: tuple[Node, ...]
    edges: tuple[DrawnEdge, ...]
    steps: tuple[StepText, ...]
    summary: str


@dataclass(frozen=True, slots=True)
class _Edge:
    """An edge of the model: ``to`` under ``words``.

    ``kind`` is edge, refusal or used up, or part where a step leads into one that it carries out.
    """

    id: str
    tail: str
    to: str
    words: str
    kind: str


def build_chart(model: DomainModel) -> FlowChart:
    """Return the chart of a model's procedure."""
    edges = [
        edge
        for step in model.steps.values()
        for edge in (*_list_part_edges(model, step), *_list_edges(model, step))
    ]
    texts = {step.id: _list_step_lines(model, step) for step in model.steps.values()}
    order = sorted(model.steps, key=lambda name: name != model.start)
    boxes = {name: _make_box(texts[name], 34) for name in order}
    labels = {
        edge.id: [(line, "label") for line in _wrap_text(edge.words, LABEL_LETTERS)]
        for edge in edges
    }
    links = [Link(edge.id, edge.tail, edge.to, _make_box(labels[edge.id], 8)) for edge in edges]
    layout = compute_layout(boxes, links)
    nodes = tuple(
        _build_node(model, model.steps[name], layout.boxes[name], texts[name]) for name in order
    )
    drawn_edges = tuple(_build_edge(model, edge, layout, labels[edge.id]) for edge in edges)
    steps = tuple(_describe_step(model, model.steps[name], edges) for name in order)
    return FlowChart(
        layout.width + 2 * MARGIN,
        layout.height + 2 * MARGIN,
        nodes,
        drawn_edges,
        steps,
        _describe_chart(model, edges),
    )


def collect_taken_ids(chart: FlowChart, path: Sequence[str]) -> frozenset[str]:
    """Return the ids of the steps and edges of the chart that a path goes along."""
    ids = {edge.id for edge in chart.edges}
    used_up = {f"{edge}{USED_UP}{to}" for edge, to in pairwise(path)} & ids
    over = {name.partition(USED_UP)[0] for name in used_up}
    once = {edge for edge, to in pairwise(path) if f"{edge}{USED_UP}{to}" not in used_up}
    entered = {name for name in ids if INTO_PART in name and name.partition(INTO_PART)[0] in path}
    return frozenset(set(path) - (over - once) | used_up | entered)


def describe_edges(model: DomainModel) -> dict[str, str]:
    """Return each edge by its id in words: where it leads, and when."""
    found = [edge for step in model.steps.values() for edge in _list_edges(model, step)]
    titles = {step.id: step.title for step in model.steps.values()}
    return {
        edge.id: f"{titles[edge.tail]} → {titles[edge.to]}{f': {edge.words}' if edge.words else ''}"
        for edge in found
    }


def _list_part_edges(model: DomainModel, step: Step) -> list[_Edge]:
    """Return how a step leads into the part that it carries out."""
    if not step.do:
        return []
    part = model.parts[step.do]
    name = f"{step.id}{INTO_PART}{part.name}"
    return [_Edge(name, step.id, part.start, f"first: {part.title}", "part")]


def _list_edges(model: DomainModel, step: Step) -> list[_Edge]:
    found = []
    for edge in step.edges:
        found.append(_Edge(edge.id, step.id, edge.to, _phrase_condition(model, step, edge), "edge"))
        if edge.bound is not None and edge.then:
            often = "once" if edge.bound == 1 else f"{edge.bound} times"
            visit = " in this visit of the loop" if edge.counts is Counts.VISIT else ""
            words = f"the same, after this edge was taken {often}{visit}"
            name = f"{edge.id}{USED_UP}{edge.then}"
            found.append(_Edge(name, step.id, edge.then, words, "used up"))
    for code, edge in step.refusals.items():
        words = f"{_name_tool(model, step)} refuses: {code}"
        found.append(_Edge(edge.id, step.id, edge.to, words, "refusal"))
    return found


def _name_tool(model: DomainModel, step: Step) -> str:
    """Return the name of the tool that a step calls, as agents call it."""
    return model.tools[step.call].offered_name if step.call else ""


def _phrase_condition(model: DomainModel, step: Step, edge: Edge) -> str:
    if edge.when is not None:
        return phrase_expression(edge.when, model.fields)
    return OTHERWISE if len(step.edges) > 1 else ""


def _list_step_lines(model: DomainModel, step: Step) -> list[tuple[str, str]]:
    """Return the lines in a step's box, each with its kind."""
    lines = [(line, "title") for line in _wrap_text(step.title, STEP_LETTERS)]
    part = model.parts.get(step.part)
    notes = [f"part: {part.title}"] if part and part.start == step.id else []
    notes += [f"carries out: {model.parts[step.do].title}"] if step.do else []
    notes += [f"tool: {_name_tool(model, step)}"] if step.call else []
    notes += [f"decides: {model.fields[name].label}" for name in step.decide]
    notes += [
        f"{model.fields[name].label}: {model.fields[name].format_cell(constant.value)}"
        for name, constant in (step.end or {}).items()
    ]
    notes += ["returns"] if step.is_return else []
    for note in notes:
        lines += [(line, "note") for line in _wrap_text(note, STEP_LETTERS + 4)]
    return lines


def _wrap_text(text: str, letters: int) -> list[str]:
    """Return a text in a few lines; what is cut off stands in the words below the chart."""
    return wrap(text, letters, max_lines=MOST_LINES, placeholder=" …")


def _make_box(lines: Sequence[tuple[str, str]], least: float) -> Box:
    """Return a box with room for lines in the widest of usual fonts, so that no text sticks out."""
    if not lines:
        return Box(0, 0)
    longest = max(
        cell_len(line) * (WIDE_LETTER if kind == "title" else LETTER) for line, kind in lines
    )
    return Box(longest + 2 * PADDING, max(least, len(lines) * LINE_HEIGHT + PADDING))


def _build_node(model: DomainModel, step: Step, box: Box, lines: Sequence[tuple[str, str]]) -> Node:
    kind = "end" if step.end is not None else "start" if step.id == model.start else "step"
    left, top = _compute_corner(box)
    title = " ".join(part for part in (step.title, step.instruction) if part)
    return Node(step.id, kind, left, top, box.width, box.height, _place_texts(box, lines), title)


def _place_texts(box: Box, lines: Sequence[tuple[str, str]]) -> tuple[Text, ...]:
    first = box.y - (len(lines) - 1) * LINE_HEIGHT / 2
    return tuple(
        Text(round(box.x + MARGIN, 1), round(first + place * LINE_HEIGHT + MARGIN, 1), *line)
        for place, line in enumerate(lines)
    )


def _compute_corner(box: Box) -> tuple[float, float]:
    return (
        round(box.x - box.width / 2 + MARGIN, 1),
        round(box.y - box.height / 2 + MARGIN, 1),
    )


def _build_edge(
    model: DomainModel, edge: _Edge, layout: Layout, lines: Sequence[tuple[str, str]]
) -> DrawnEdge:
    placed = layout.links[edge.id]
    left, top = _compute_corner(placed.label)
    box = Box(placed.label.width, placed.label.height, left, top)
    kind = "back" if placed.is_back and edge.kind == "edge" else edge.kind.replace(" ", "-")
    title = f"to {model.steps[edge.to].title}{f': {edge.words}' if edge.words else ''}"
    return DrawnEdge(
        edge.id, _format_curve(placed.points), kind, _place_texts(placed.label, lines), box, title
    )


def _format_curve(points: Sequence[tuple[float, float]]) -> str:
    """Return a path through points that leaves and reaches each of them upright."""
    moved = [(round(x + MARGIN, 1), round(y + MARGIN, 1)) for x, y in points]
    # No point stands twice in a row: a piece of no length points nowhere.
    (x, y), *_ = kept = [point for point, _ in groupby(moved)]
    parts = [f"M{x} {y}"]
    for (x1, y1), (x2, y2) in pairwise(kept):
        middle = round((y1 + y2) / 2, 1)
        parts.append(f"L{x2} {y2}" if x1 == x2 else f"C{x1} {middle} {x2} {middle} {x2} {y2}")
    return "".join(parts)


def _describe_step(model: DomainModel, step: Step, edges: Collection[_Edge]) -> StepText:
    does = [line for line in (step.instruction,) if line]
    does += [f"Of the part: {model.parts[step.part].title}."] if step.part else []
    does += [f"Carry out the part: {model.parts[step.do].title}."] if step.do else []
    does += [f"Call the tool {_name_tool(model, step)}."] if step.call else []
    does += [f"Decide: {model.fields[name].label}." for name in step.decide]
    does += [
        f"The case ends with {model.fields[name].label}:"
        f" {model.fields[name].format_cell(item.value)}."
        for name, item in (step.end or {}).items()
    ]
    does += ["The case goes back to the step that carried the part out."] if step.is_return else []
    does += [f"{step.hand_to} takes the case over."] if step.hand_to else []
    onward = tuple(
        (edge.id, edge.words, edge.to, model.steps[edge.to].title)
        for edge in edges
        if edge.tail == step.id
    )
    return StepText(step.id, step.title, tuple(does), onward)


def _describe_chart(model: DomainModel, edges: Collection[_Edge]) -> str:
    ends = sum(step.end is not None for step in model.steps.values())
    titles = [part.title for part in model.parts.values()]
    count = sum(edge.kind != "part" for edge in edges)
    parts = f" Steps carry out these parts: {'; '.join(titles)}." if titles else ""
    return (
        f"Flow chart of {len(model.steps)} steps and {count} edges.{parts}"
        f" It begins with {model.steps[model.start].title} and has {ends} ends."
    )
