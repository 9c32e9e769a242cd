"""The SOP: it names the answers and the tools, and no answer that never comes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sopforge.checks.auditing.answers import MOST_LABELS
from sopforge.checks.auditing.rule import AuditRule, Spot
from sopforge.checks.auditing.subject import Subject
from sopforge.findings import Severity

SOP = "sop.txt"
_AMOUNT = re.compile(r"-?\d[\d.,]*( \S+)?")
_QUOTED = re.compile(r'"([^"\n]{1,60})"|`([^`\n]{1,60})`|<(\w+)>([^<>\n{}]{1,60})</\3>')


def find_unnamed_labels(subject: Subject) -> Iterator[Spot]:
    """Find answers that the SOP never names, so that an agent has to guess the word."""
    text = _normalize_label(subject.peer.sop)
    for name, cells in subject.truths.items() if text else ():
        labels = sorted(set(cells))
        if len(labels) <= MOST_LABELS:
            for label in labels:
                if _normalize_label(label) not in text and not _AMOUNT.fullmatch(label):
                    yield Spot(f"the SOP never says '{label}'", f"{SOP}, {name}")


def find_unnamed_tools(subject: Subject) -> Iterator[Spot]:
    """Find tools that the SOP never names, neither as they are called nor in words."""
    words = _normalize_label(subject.peer.sop).replace(" ", "")
    if not words:
        return
    tools = [tool.name for tool in subject.peer.toolspecs if not _is_extra(subject, tool.name)]
    unnamed = [name for name in tools if _normalize_label(name).replace(" ", "") not in words]
    if len(unnamed) > 1:
        message = f"the SOP never names {len(unnamed)} of the {len(tools)} tools"
        yield Spot(message, SOP, ", ".join(unnamed))
    elif unnamed:
        yield Spot(f"the SOP never names the tool '{unnamed[0]}'", SOP)


def find_unnamed_columns(subject: Subject) -> Iterator[Spot]:
    """Find output columns of which the SOP does not say under which name to answer."""
    text = _normalize_label(subject.peer.sop)
    names = subject.peer.output_columns
    for name in names if text else ():
        if _normalize_label(name) not in text and not (
            len(names) == 1 and "final decision" in text
        ):
            yield Spot(f"the SOP never says to answer '{name}'", SOP)


def find_unused_labels(subject: Subject) -> Iterator[Spot]:
    """Find answers that the SOP lists beside others and that no task has."""
    for name, cells in subject.truths.items():
        used = {_normalize_label(cell) for cell in cells}
        for label in sorted(_find_alternatives(subject.peer.sop, used)):
            yield Spot(f"no task has the answer '{label}'", f"{subject.test_set}, {name}")


def _find_alternatives(text: str, used: set[str]) -> set[str]:
    """Return what stands in quotes or elements where two known labels do, in a line or run."""
    found: set[str] = set()
    for block in _split_blocks(text):
        items = [next(filter(None, (part[0], part[1], part[3]))) for part in _QUOTED.findall(block)]
        known = {_normalize_label(item) for item in items} & used
        if len(known) > 1:
            found |= {item for item in items if _normalize_label(item) not in used and item.strip()}
    return found


def _split_blocks(text: str) -> Iterator[str]:
    """Return the lines, each run of lines that are nothing but an element as one."""
    run: list[str] = []
    for line in text.split("\n"):
        if re.fullmatch(r"\s*<(\w+)>[^<>]*</\1>\s*", line):
            run.append(line)
            continue
        yield "\n".join(run)
        run = []
        yield line
    yield "\n".join(run)


def _is_extra(subject: Subject, tool: str) -> bool:
    """Return whether the package says of a tool that it is not needed."""
    return tool in subject.metadata.get("extra_tools", ())


def _normalize_label(text: str) -> str:
    # A tool checkOrder counts as named where the SOP says "check order".
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return re.sub(r"[_\s-]+", " ", spaced).lower().strip()


RULES = (
    AuditRule("answer-not-in-sop", find_unnamed_labels, "state every possible answer in the SOP"),
    AuditRule(
        "tool-not-in-sop",
        find_unnamed_tools,
        "name the tool in the step that calls it, or list it under extra_tools in metadata.json",
        Severity.WARNING,
    ),
    AuditRule(
        "column-not-in-sop",
        find_unnamed_columns,
        "state in the SOP the name under which the agent gives the answer",
        Severity.WARNING,
    ),
    AuditRule(
        "answer-never-comes",
        find_unused_labels,
        "add tasks with this answer, or remove the answer; in a brief, it may be the 'missing' of"
        " an outcome that every path sets",
        Severity.WARNING,
    ),
)
