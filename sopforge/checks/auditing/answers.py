"""Answers: cells that survive loose readers, and labels that distinguish right from wrong."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from string import ascii_lowercase

from sopforge.checks.auditing.arguments import BLANKS
from sopforge.checks.auditing.rule import AuditRule, Spot
from sopforge.checks.auditing.subject import Subject
from sopforge.findings import Severity
from sopforge.harness.scoring.sop_bench_answers import AgentResult, compute_rates

MOST_LABELS = 40
MOST_SHARE = 2 / 3
_DROPPED = frozenset({"id", "task_id", "email_id", "product_id", "decisions"})


def find_missing_answers(subject: Subject) -> Iterator[Spot]:
    """Find answers that are read as not-a-number: blanks, and words such as None."""
    for name in subject.peer.output_columns:
        read = [_get_truth(subject, place, name) for place in range(len(subject.rows))]
        lost = [
            place for place, cell in enumerate(read) if isinstance(cell, float) and math.isnan(cell)
        ]
        if lost:
            message = f"{len(lost)} of {len(read)} answers in '{name}' are read as NaN"
            written = subject.rows[lost[0]][name]
            yield Spot(message, f"{subject.test_set}, {name}", f"task {lost[0]}: {written!r}")


def find_null_words(subject: Subject) -> Iterator[Spot]:
    """Find other cells whose text readers take for a missing value."""
    for name in subject.columns:
        if name in subject.peer.output_columns:
            continue
        words = Counter(
            row[name] for row in subject.rows if row[name].strip() and row[name].lower() in BLANKS
        )
        for word, count in sorted(words.items()):
            message = (
                f"{count} cell{'s' * (count != 1)} of '{name}' contain{'s' * (count == 1)}"
                f" '{word}', which is read as NaN"
            )
            yield Spot(message, f"{subject.test_set}, {name}")


def find_changed_answers(subject: Subject) -> Iterator[Spot]:
    """Find answers whose text is not what SOP-Bench compares: zeros and places are lost."""
    for name, cells in subject.truths.items():
        pairs = [(cell, _get_truth(subject, place, name)) for place, cell in enumerate(cells)]
        other = [
            (cell, read)
            for cell, read in pairs
            # What is read as not-a-number has a finding of its own.
            if str(read).lower() != cell.strip().lower() and str(read) != "nan"
        ]
        if other:
            cell, read = other[0]
            message = (
                f"{len(other)} answer{'s' * (len(other) != 1)} in '{name}'"
                f" {'is' if len(other) == 1 else 'are'} compared as a different text"
            )
            yield Spot(message, f"{subject.test_set}, {name}", f"{cell!r} is read as {str(read)!r}")


_MOST_PAIRS = 3
"""Of so many answers that contain others each is named."""


def find_contained_labels(subject: Subject) -> Iterator[Spot]:
    """Find labels of which one contains another, so that either passes for the other."""
    for name, labels in _iterate_label_columns(subject):
        pairs = [
            f"'{inner}' is contained in '{outer}'"
            for inner in labels
            for outer in labels
            if inner != outer and _normalize_text(inner) in _normalize_text(outer)
        ]
        where = f"{subject.test_set}, {name}"
        if len(pairs) > _MOST_PAIRS:
            more = len(pairs) - 1
            pairs = [
                f"{pairs[0]}; the same holds for {more} further pair{'s' * (more != 1)} of answers",
            ]
        yield from (Spot(message, where) for message in pairs)


def find_null_labels(subject: Subject) -> Iterator[Spot]:
    """Find labels that the matcher takes for no answer."""
    for name, labels in _iterate_label_columns(subject):
        for label in labels:
            if label.strip().lower() in BLANKS | {"unknown"}:
                message = (
                    f"the evaluator takes the label '{label}' for a missing answer, and a"
                    " missing answer for the label"
                )
                yield Spot(message, f"{subject.test_set}, {name}")


def find_majorities(subject: Subject) -> Iterator[Spot]:
    """Find answers that a guesser gets right in more than two of three tasks."""
    for name, cells in subject.truths.items():
        label, count = Counter(cells).most_common(1)[0]
        if count > MOST_SHARE * len(cells):
            message = f"'{label}' is the answer of {count} of {len(cells)} tasks"
            yield Spot(message, f"{subject.test_set}, {name}")


def find_bad_tags(subject: Subject) -> Iterator[Spot]:
    """Find output columns that cannot be the name of an element in an answer.

    The element of an only column may have any name but those that evaluators drop.
    """
    names = subject.peer.output_columns
    for name in names:
        if name.lower() in _DROPPED or (len(names) > 1 and not name.isidentifier()):
            yield Spot(f"'{name}' cannot be the name of an answer element", "metadata.json")


def find_unscored_answers(subject: Subject) -> Iterator[Spot]:
    """Find right answers that SOP-Bench's evaluator scores wrong, and silence that it scores."""
    columns = subject.peer.output_columns
    right = {
        str(place): AgentResult("\n".join(f"<{name}>{row[name]}</{name}>" for name in columns))
        for place, row in enumerate(subject.rows)
    }
    rate = compute_rates(subject.peer, right).tsr
    if rate < 1:
        message = f"correct answers, written as elements with the column names, score {rate:.3f}"
        yield Spot(message, subject.test_set)
    silent = compute_rates(
        subject.peer, {task.id: AgentResult("") for task in subject.peer.tasks}
    ).tsr
    if silent:
        yield Spot(f"an agent that answers nothing scores {silent:.3f}", subject.test_set)


def compute_careless_scores(subject: Subject) -> dict[str, float]:
    """Return the task success rate of answers that are the same for every task.

    This is a fact about SOP-Bench's matcher, and no finding.
    """
    truths = subject.truths
    if not truths:
        return {}
    ((together, _),) = Counter(zip(*truths.values(), strict=True)).most_common(1)
    frequent = dict(zip(truths, together, strict=True))
    every = {name: ", ".join(sorted(set(cells))) for name, cells in truths.items()}
    letters = [_compute_rate(subject, dict.fromkeys(truths, letter)) for letter in ascii_lowercase]
    return {
        "most frequent answer": _compute_rate(subject, frequent),
        "best single letter": max(letters),
        "all labels at once": _compute_rate(subject, every),
        "nothing": _compute_rate(subject, dict.fromkeys(truths, "")),
    }


def _compute_rate(subject: Subject, stated: Mapping[str, str]) -> float:
    text = "\n".join(f"<{name}>{value}</{name}>" for name, value in stated.items())
    if len(stated) == 1:
        (text,) = stated.values()
        text = f"<final_decision>{text}</final_decision>" if text else ""
    return compute_rates(
        subject.peer, {task.id: AgentResult(text) for task in subject.peer.tasks}
    ).tsr


def _get_truth(subject: Subject, place: int, name: str) -> object:
    expected = subject.peer.tasks[place].expected
    return expected[name] if isinstance(expected, dict) else expected


def _iterate_label_columns(subject: Subject) -> Iterator[tuple[str, list[str]]]:
    """Return the columns whose answers are labels, and these."""
    for name, cells in subject.truths.items():
        labels = sorted(set(cells))
        if len(labels) <= MOST_LABELS and not any(
            cell.replace(".", "").isdigit() for cell in labels
        ):
            yield name, labels


def _normalize_text(text: str) -> str:
    return text.lower().strip().replace("_", " ").replace("-", " ")


RULES = (
    AuditRule("answer-nan", find_missing_answers, "write a word such as 'not determined'"),
    AuditRule(
        "cell-read-as-missing",
        find_null_words,
        "write a word that CSV readers do not read as a missing value, such as 'no violation'",
        Severity.WARNING,
    ),
    AuditRule(
        "answer-read-differently",
        find_changed_answers,
        "write numbers with their unit, and labels with a letter",
        Severity.WARNING,
    ),
    AuditRule(
        "answer-contains-answer",
        find_contained_labels,
        "rename one of the two answers; if they are amounts, write 'outputs: primary' in the"
        " brief, and SOPForge still scores all outcomes",
    ),
    AuditRule("answer-reads-as-none", find_null_labels, "rename the label"),
    AuditRule("answer-majority", find_majorities, "add tasks with other answers", Severity.WARNING),
    AuditRule(
        "column-not-a-tag",
        find_bad_tags,
        "rename the column: use letters, digits and underscores, and do not call it 'id'",
    ),
    AuditRule(
        "right-answer-fails", find_unscored_answers, "correct the other findings on answers first"
    ),
)
