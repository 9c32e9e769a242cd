"""Changes for a terminal: coloured words, or plain marks where there are no colours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from sopforge.cli.output import Parts, strip_control_characters
from sopforge.pipeline.changes.cases import CaseChanges, CaseVerdict
from sopforge.pipeline.changes.changelog import (
    REASONS,
    count_task_changes,
    describe_case,
    describe_cases,
    describe_reason,
    describe_text,
    describe_turn,
    list_differences,
)
from sopforge.pipeline.changes.changes import FIRST_VERSION, Bump, Changes
from sopforge.pipeline.changes.items import Aspect, ItemChange
from sopforge.pipeline.changes.schemas import Impact
from sopforge.pipeline.changes.sides import Sides
from sopforge.pipeline.changes.tasks import TaskChanges
from sopforge.pipeline.changes.texts import Mark, TextChange, TextPassage, Words, compare_words

_MOST = 10
_SIGNS = {Mark.ADDED: "+", Mark.REMOVED: "-", Mark.REWORDED: "~"}
_COLOURS = {Mark.ADDED: "green", Mark.REMOVED: "red", Mark.REWORDED: "", Mark.SAME: ""}
_PLAIN = {Mark.ADDED: ("{+", "+}"), Mark.REMOVED: ("[-", "-]"), Mark.SAME: ("", "")}
_IMPACTS = {Impact.BREAKING: "red", Impact.COMPATIBLE: "green", Impact.WORDING: "dim"}
_BUMPS = {Bump.MAJOR: "bold red", Bump.MINOR: "bold yellow", Bump.PATCH: "bold green"}


def lay_out_changes(changes: Changes, sides: Sides, again: str, *, is_whole: bool) -> Parts:
    """Yield what changed, the weightiest first; the words of texts where one stage is read."""
    if not changes:
        yield "Nothing changed."
        return
    for note in changes.notes:
        yield Text(f"note: {note}", "yellow")
    yield from _lay_out_part("Rules", map(_render_item, changes.items))
    if changes.cases is not None:
        yield from _lay_out_part("Cases", _render_cases(changes.cases))
    yield from _lay_out_part("Tasks", _render_tasks(changes.tasks))
    yield from _lay_out_part("Tools", _render_interface(changes))
    levels = [
        _make_line(_SIGNS[item.mark], item.level, _COLOURS[item.mark]) for item in changes.levels
    ]
    yield from _lay_out_part("Levels", levels)
    if is_whole:
        yield from _lay_out_part("Texts", _render_texts(changes.texts))
    else:
        yield from _lay_out_texts(changes.texts)
    if sides.released_as:
        yield f"\nAll these changes are in release {sides.released_as}."
    elif sides.is_released:
        up_to = f", judged by the stages up to {sides.ended_at}" if sides.ended_at else ""
        yield from _lay_out_bump(changes, up_to if is_whole else ", judged by this stage alone")
    else:
        yield f"\nThe first release will be {FIRST_VERSION}."
    if is_whole and changes.texts:
        stages = [text.file.partition("/")[0] for text in changes.texts]
        stage = "sop" if "sop" in stages else stages[0]
        yield f"Show the changed text with: {again.format(stage=stage)}"


def _lay_out_texts(texts: Iterable[TextChange]) -> Parts:
    """Yield the words of texts; of those that say the same, such as the SOP, once."""
    first_files: dict[object, str] = {}
    for text in texts:
        words = tuple((passage.mark, passage.words) for passage in text.passages)
        first = first_files.setdefault(words, text.file)
        if first == text.file:
            is_plain = text.passages and not text.are_laid_out
            yield Text(f"\n{text.file if is_plain else describe_text(text)}", "bold")
            yield from map(_render_passage, text.passages)
        else:
            yield Text(f"\n{text.file}: same as {first}", "bold")


def render_words(words: Iterable[Words], *, has_colours: bool) -> Text:
    """Return words with what came and what went marked: by colours, or as ``[-old-]{+new+}``."""
    found = Text()
    for part in words:
        if has_colours:
            style = f"{_COLOURS[part.mark]} strike" if part.mark is Mark.REMOVED else ""
            found.append(strip_control_characters(part.text), style or _COLOURS[part.mark])
        else:
            before, after = _PLAIN[part.mark]
            found.append(f"{before}{strip_control_characters(part.text)}{after}")
    return found


class _Line:
    """A line that knows its look when it is known whether there are colours."""

    def __init__(self, sign: str, words: Iterable[Words | str], style: str = "") -> None:
        self.sign = sign
        self.words = [part if isinstance(part, Words) else Words(Mark.SAME, part) for part in words]
        self.style = style

    def __rich_console__(self, console: Console, _: ConsoleOptions) -> RenderResult:
        has_colours = console.color_system is not None
        found = Text(f"  {self.sign} ", style=self.style if has_colours else "")
        found.append_text(render_words(self.words, has_colours=has_colours))
        yield found


def _lay_out_part(title: str, lines: Iterable[_Line]) -> Parts:
    """Yield a part under its title; nothing where it has no lines."""
    shown = list(lines)
    if shown:
        yield Text(f"\n{title}", "bold")
    yield from shown


def _make_line(sign: str, text: str, style: str = "") -> _Line:
    return _Line(sign, [text], style)


def _render_item(item: ItemChange) -> _Line:
    parts: list[Words | str] = [item.words]
    for place, aspect in enumerate(item.aspects):
        parts.append(f"{'; ' if place else ': '}{aspect.name} ")
        parts += _render_aspect(aspect)
    return _Line(_SIGNS[item.mark], parts, _COLOURS[item.mark] or "yellow")


def _render_aspect(aspect: Aspect) -> list[Words]:
    if aspect.old and aspect.new:
        return list(compare_words(aspect.old, aspect.new))
    return _render_values(aspect.old, aspect.new)


def _render_cases(cases: CaseChanges) -> Iterator[_Line]:
    style = "green" if cases.verdict is CaseVerdict.ALIKE else "yellow"
    for line in describe_cases(cases):
        yield _make_line("=" if cases.verdict is CaseVerdict.ALIKE else "~", line, style)
    for sample in cases.samples:
        for turn in sample.turns[:_MOST]:
            yield _make_line(" ", f"  {describe_turn(turn)} of the {sample.of}")
    for example in cases.examples:
        case = describe_case(example)
        yield _make_line("?", f"for example, by {example.source}: {case}", "cyan")
        for mark, side in ((Mark.REMOVED, example.old), (Mark.ADDED, example.new)):
            found = ", ".join(list_differences(example, side))
            words: list[Words | str] = [Words(mark, found), f"; {describe_reason(side)}"]
            yield _Line("   " + _SIGNS[mark], words, _COLOURS[mark])


def _render_tasks(tasks: TaskChanges) -> Iterator[_Line]:
    for mark, names in ((Mark.ADDED, tasks.added), (Mark.REMOVED, tasks.removed)):
        if names:
            more = ", ..." if len(names) > _MOST else ""
            line = f"{len(names)} {mark}: {', '.join(names[:_MOST])}{more}"
            yield _make_line(_SIGNS[mark], line, _COLOURS[mark])
    for count, change in count_task_changes(tasks.changed):
        yield _make_line("~", f"{count} {change}", "yellow")
    yield from _render_answers(tasks)
    if tasks and tasks.kept:
        yield _make_line("=", f"{tasks.kept} unchanged", "green")
    for figure in tasks.figures:
        numbers = ("" if number is None else str(number) for number in (figure.old, figure.new))
        yield _Line("~", [f"coverage, {figure.name}: ", *_render_values(*numbers)])


def _render_answers(tasks: TaskChanges) -> Iterator[_Line]:
    for task in tasks.with_other_answers[:_MOST]:
        parts: list[Words | str] = [f"  {task.id}:"]
        for cell in (*task.answers, *task.records):
            parts.append(f" {cell.name} ")
            parts += _render_values(cell.old, cell.new)
        yield _Line(" ", parts)
    if tasks.with_other_answers[_MOST:]:
        yield _make_line(" ", f"  and {len(tasks.with_other_answers) - _MOST} more")


def _render_values(old: str, new: str) -> list[Words]:
    return [Words(mark, text) for mark, text in ((Mark.REMOVED, old), (Mark.ADDED, new)) if text]


def _render_interface(changes: Changes) -> Iterator[_Line]:
    for item in sorted(changes.interface, key=lambda item: list(Impact).index(item.impact)):
        level = f" ({item.level})" if item.level else ""
        yield _make_line(
            "~", f"{item.impact}: {item.tool}{level}: {item.what}", _IMPACTS[item.impact]
        )


def _render_texts(texts: Sequence[TextChange]) -> Iterator[_Line]:
    """Return how much of each text changed; the levels' are listed where they differ by more."""
    plain = [text for text in texts if not text.level]
    listed = {(text.plain_file, text.passages) for text in plain}
    others = [
        text for text in texts if text.level and (text.plain_file, text.passages) not in listed
    ]
    yield from map(_render_text_count, (*plain, *others))
    if same := len(texts) - len(plain) - len(others):
        yield _make_line(" ", f"and {same} of the complexity levels, in the same places")


def _render_text_count(change: TextChange) -> _Line:
    return _make_line(_SIGNS[change.mark], describe_text(change), _COLOURS[change.mark] or "yellow")


def _render_passage(passage: TextPassage) -> _Line:
    sign = f"{_SIGNS[passage.mark]} {passage.line:>4}"
    return _Line(sign, passage.words, _COLOURS[passage.mark] or "yellow")


def _lay_out_bump(changes: Changes, of_what: str) -> Parts:
    # What is made of a part of the stages does not show all tasks and tools that the rest makes.
    least = "at least " if of_what and changes.bump is not Bump.MAJOR else ""
    yield Text(f"\nNext release{of_what}: {least}{changes.bump}", _BUMPS.get(changes.bump, ""))
    if not of_what:
        yield f"  {REASONS[changes.bump]}"
