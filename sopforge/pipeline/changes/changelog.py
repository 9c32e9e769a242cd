"""What a release says of its changes to those who use it, in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sopforge.pipeline.changes.cases import CaseChanges, CaseVerdict, Sample, Turn
from sopforge.pipeline.changes.changes import Bump, Changes
from sopforge.pipeline.changes.examples import Decided, Example, FiledRecord
from sopforge.pipeline.changes.items import Aspect, ItemChange
from sopforge.pipeline.changes.row_consequences import ConsequenceKind
from sopforge.pipeline.changes.schemas import Impact
from sopforge.pipeline.changes.tasks import TaskChange, TaskChanges
from sopforge.pipeline.changes.texts import Mark, TextChange
from sopforge.workspace import SOP_TEXT

_MOST = 12
_VERBS = {Mark.ADDED: "new", Mark.REMOVED: "gone", Mark.REWORDED: "changed"}
_CONSEQUENCES = {
    Bump.MAJOR: "Results on earlier releases cannot be compared with results on this one.",
    Bump.MINOR: "Tasks that were kept have kept their answers.",
    Bump.PATCH: "Tasks, answers and tools are those of the release before; words changed.",
    Bump.NONE: "Nothing changed.",
}

REASONS = {
    Bump.MAJOR: "cases of old tasks have other answers, callers of tools break, or a level is gone",
    Bump.MINOR: "tasks, tools, levels or rules differ; cases of old tasks keep their answers",
    Bump.PATCH: "words and files differ; tasks, answers and tools are the same",
    Bump.NONE: "nothing differs",
}
"""Why the next release goes up as it does."""


def render_changelog(version: str, changes: Changes) -> str:
    """Return the entry of a release: what its users meet, the weightier first."""
    parts = (
        (
            "Answers",
            [*_describe_answer_changes(changes.tasks), *_describe_case_changes(changes.cases)],
        ),
        ("Rules", map(describe_item, changes.decisive_items)),
        ("Tasks", _describe_task_changes(changes.tasks)),
        ("Tools", _describe_interface_changes(changes)),
        ("Levels", (f"{item.level} is {_VERBS[item.mark]}." for item in changes.levels)),
        ("Texts", map(describe_text, _select_sop_texts(changes.texts))),
    )
    lines = [f"## {version}", "", _CONSEQUENCES[changes.bump], ""]
    for title, found in parts:
        entries = list(found)
        if entries:
            lines += [f"### {title}", "", *(f"- {line}" for line in entries), ""]
    return "\n".join(lines)


def describe_item(item: ItemChange) -> str:
    """Return what became of a part of the model, as one sentence."""
    verb = _VERBS[item.mark]
    details = "; ".join(_format_aspect(aspect) for aspect in item.aspects)
    return f"The {item.words} is {verb}{f': {details}' if details else ''}."


def _format_aspect(aspect: Aspect) -> str:
    if not aspect.old or not aspect.new:
        return f"{aspect.name} {aspect.new or aspect.old}"
    return f"{aspect.name} {aspect.old} → {aspect.new}"


def describe_text(change: TextChange) -> str:
    """Return how much of a text changed."""
    if change.mark is not Mark.REWORDED:
        return f"{change.file} is {_VERBS[change.mark]}."
    counts = [
        f"{change.count(mark)} {mark}"
        for mark in (Mark.ADDED, Mark.REMOVED, Mark.REWORDED)
        if change.count(mark)
    ]
    if change.are_laid_out:
        passages = f"passages {', '.join(counts)}" if counts else "the same"
        return f"{change.file}: {passages}, but for its layout and its comments."
    return f"{change.file}: passages {', '.join(counts) or 'moved'}."


def _select_sop_texts(texts: Iterable[TextChange]) -> list[TextChange]:
    """Return the texts that users read: the SOP, of each level."""
    return [item for item in texts if item.file.endswith(SOP_TEXT)]


def describe_cases(cases: CaseChanges) -> Iterator[str]:
    """Return what is known of the cases that are decided differently."""
    narrowed = join_names(cases.narrowed)
    if cases.verdict is CaseVerdict.ALIKE:
        within = f" whose {narrowed} both models know" if narrowed else ""
        yield f"No case{within} is decided differently: that is proved."
    elif cases.verdict is CaseVerdict.DIFFERENT:
        yield "Some cases are decided differently."
    elif cases.verdict is CaseVerdict.UNDECIDED:
        yield "Whether any case is decided differently could not be settled by the solver."
    elif cases.verdict is CaseVerdict.NOT_COMPARED:
        fields = join_names(cases.apart) or "no outcome that both have"
        yield f"Not all cases can be compared ({fields})."
    yield from _describe_lone_consequences(cases)
    for sample in cases.samples:
        yield describe_sample(sample)


def _describe_lone_consequences(cases: CaseChanges) -> Iterator[str]:
    """Return what one model alone answers, calls or changes."""
    for name in cases.only_new:
        yield f"`{name}` is answered for the first time."
    for name in cases.only_old:
        yield f"`{name}` is no longer answered."
    for side, acts in (("new", cases.acts_of_new), ("old", cases.acts_of_old)):
        for name in acts:
            yield f"`{name}` is called or changed by the {side} model alone: it is not compared."


def describe_sample(sample: Sample) -> str:
    """Return how many cases of a sample are decided differently."""
    if sample.lacking:
        return f"The {sample.of} cannot be compared: they lack {join_names(sample.lacking)}."
    others = ", ".join(f"{count} for {name}" for name, count in sample.unknown.items())
    left = f" ({others} are cases of one model alone)" if others else ""
    number = f"{sample.different:,}" if sample.different else "none"
    verb = "is" if sample.different == 1 else "are"
    return f"Of {sample.compared:,} {sample.of}, {number} {verb} decided differently{left}."


def describe_turn(turn: Turn) -> str:
    """Return how an answer, or what else follows, changed, and in how many cases."""
    name = f"`{turn.outcome}`" if turn.kind is ConsequenceKind.ACTION else f"the {turn.label}"
    if turn.kind is ConsequenceKind.ON_FILE:
        name = f"the {turn.outcome} at the end"
    return f"{name}: {turn.old} became {turn.new} in {turn.count:,}"


def describe_example(example: Example) -> Iterator[str]:
    """Return a case, what follows before and after, and what decided, line by line."""
    yield describe_case(example)
    for verb, side in (("was", example.old), ("is", example.new)):
        found = ", ".join(list_differences(example, side))
        yield f"{verb} {found}, because {describe_reason(side)}"


def describe_reason(side: Decided) -> str:
    """Return what decided, in the words of the SOP where it has a passage for it."""
    clause = side.clause
    return f'SOP, {clause.heading}, says "{clause.text}"' if clause else side.reason


def describe_case(example: Example) -> str:
    """Return what a case states, and what the records that it reads hold."""
    case = f"If {join_names(example.says)}"
    records = describe_records(example.records)
    return f"{case}; on file: {records}" if records else case


def describe_records(records: Iterable[FiledRecord]) -> str:
    """Return what some records hold."""
    return "; ".join(
        f"{item.table} {item.key}: "
        + ", ".join(f"{name} {cell}" for name, cell in item.columns.items())
        for item in records
    )


def list_differences(example: Example, side: Decided) -> list[str]:
    """Return what follows on a side and not on the other: answers, actions, what is on file."""
    names = example.other_answers
    found = [f"{example.labels.get(name, name)}: {side.answers[name]}" for name in names]
    found += [f"{name} {side.actions[name]}" for name in example.other_actions]
    if example.has_other_records:
        records = describe_records(side.on_file)
        found.append(f"on file at the end: {records}" if records else "nothing changed on file")
    return found


def join_names(names: Iterable[str]) -> str:
    """Return names as a sentence lists them."""
    *others, last = [*names] or [""]
    return f"{', '.join(others)} and {last}" if others else last


def _describe_case_changes(cases: CaseChanges | None) -> Iterator[str]:
    if cases is None:
        return
    yield from describe_cases(cases)
    for sample in cases.samples:
        for turn in sample.turns[:_MOST]:
            yield f"{describe_turn(turn)} of these {sample.of}."
    for example in cases.examples[:1]:
        yield f"For example: {'; '.join(describe_example(example))}."


def _describe_answer_changes(tasks: TaskChanges) -> Iterator[str]:
    """Return which tasks have other answers; the answers stay with the grader."""
    names = [f"`{task.id}`" for task in tasks.with_other_answers]
    if names:
        subject = format_count(len(names), "kept task has", "kept tasks have")
        what = "answers"
        if any(task.records for task in tasks.with_other_answers):
            what = "answers, or leave other records on file"
        yield f"{subject} other {what}: {_join_first_names(names)}."


def _join_first_names(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return f"{', '.join(names[:_MOST])}{more}"


def format_count(count: int, one: str, many: str) -> str:
    """Return a number with what is counted."""
    return f"{count:,} {one if count == 1 else many}"


def _describe_task_changes(tasks: TaskChanges) -> Iterator[str]:
    for what, names in (("new", tasks.added), ("gone", tasks.removed)):
        if names:
            yield f"{len(names):,} {what}: {_join_first_names(names)}."
    for count, what in count_task_changes(tasks.changed):
        yield f"{count} {what}."
    for figure in tasks.figures:
        old, new = _format_number(figure.old), _format_number(figure.new)
        yield f"Coverage, {figure.name}: {old} → {new}."


def count_task_changes(changed: Sequence[TaskChange]) -> list[tuple[int, str]]:
    """Return how many of the changed tasks changed in each respect."""
    counts = [
        (sum(1 for task in changed if task.answers), "with other answers"),
        (sum(1 for task in changed if task.records), "with other records on file at the end"),
        (sum(1 for task in changed if task.inputs), "with other inputs"),
        (sum(1 for task in changed if task.has_other_calls), "with another gold trajectory"),
        (sum(1 for task in changed if task.split), "moved between development and test"),
        (sum(1 for task in changed if task.is_reworded and not task.inputs), "reworded"),
    ]
    return [(count, what) for count, what in counts if count]


def _format_number(number: int | None) -> str:
    return "none" if number is None else str(number)


def _describe_interface_changes(changes: Changes) -> Iterator[str]:
    for impact in Impact:
        found = [item for item in changes.interface if item.impact is impact]
        lines = [
            f"{'Breaking: ' if impact is Impact.BREAKING else ''}`{item.tool}`"
            f"{f' ({item.level})' if item.level else ''}: {item.what}."
            for item in found
        ]
        yield from (
            # What breaks callers is listed to the last.
            lines if impact is Impact.BREAKING else _limit_lines(lines, "more changes of tools.")
        )


def _limit_lines(lines: Sequence[str], more: str) -> Iterator[str]:
    yield from lines[:_MOST]
    if len(lines) > _MOST:
        yield f"{len(lines) - _MOST} {more}"
