"""What a package's own environment and scorer say, in processes that are confined as tools are."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from sopforge.checks.package.known_sessions import Record
from sopforge.packaging.carried_files import ANSWERS, LAYERS_MODULE
from sopforge.packaging.metadata import ENVIRONMENT, REPLAY, SCORER
from sopforge.packaging.sop_bench import (
    GRADER,
    GRADER_TASKS,
    GRADER_TRAJECTORIES,
    LAYERED,
    SHOWN_TASKS,
)
from sopforge.sandbox.answers import Call, JSONValue, Observation
from sopforge.sandbox.process import ToolProcess
from sopforge.sandbox.twice import SALTS, open_process

TIME_LIMIT = 20.0
_TOGETHER = 20
"""Sessions that are asked about in one request: their replies must fit into one answer."""
T = TypeVar("T")

# A sandbox runs a module of tools, under that name: so the published tools have another one there.
_PUBLISHED = "published.py"
_TALKING = f"""

TOOLS = {_PUBLISHED!r}


class CarriedManager:
    def __init__(self):
        self.environment = Environment()

    def process_tool_call(self, name, given):
        talks = given["talks"]
        # Beside each session another one does the same just before it: where they meet, it shows.
        beside = [self.environment.start(talk["task"]) for talk in talks]
        sessions = [self.environment.start(talk["task"]) for talk in talks]
        heard = [[write_json(s.observe())] if given["is_shown"] else [] for s in sessions]
        for place in range(max(len(talk["calls"]) for talk in talks)):
            for talk, other, session, lines in zip(talks, beside, sessions, heard):
                for tool, arguments in talk["calls"][place : place + 1]:
                    other.call(tool, arguments)
                    lines.append(write_json(session.call(tool, arguments).as_record()))
        for talk, session in zip(talks, sessions):
            session.finish(talk["answer"])
        return {{"heard": heard, "logs": [session.write_log() for session in sessions]}}
"""
_SCORING = """

class CarriedManager:
    def __init__(self):
        here = Path(__file__).parent
        self.scorer = Scorer(here, here)

    def process_tool_call(self, name, given):
        rows = self.scorer.score_log(given["log"])
        return {"rows": rows, "summary": summarize(rows)}
"""


class CarriedBrokeError(Exception):
    """The carried code raised where it should have answered."""


@dataclass(frozen=True, slots=True)
class Talk:
    """A session as it is asked for: its task, its calls, and its final text."""

    task: str
    calls: Sequence[Call]
    answer: str

    def as_record(self) -> dict[str, JSONValue]:
        """Return it as JSON."""
        calls: list[JSONValue] = [[tool, arguments] for tool, arguments in self.calls]
        return {"task": self.task, "calls": calls, "answer": self.answer}


@dataclass(frozen=True, slots=True)
class Heard:
    """What a session said, line by line, and the lines of the log that it was part of."""

    lines: list[str]
    log: Record


@dataclass(frozen=True, slots=True)
class CarriedEnvironment:
    """A package's own environment, running in a confined process."""

    process: ToolProcess

    def hear_at_once(self, talks: Sequence[Talk], *, is_shown: bool) -> list[Heard]:
        """Return what sessions said that were open at once, with or without what they showed.

        Raises:
            CarriedBrokeError: it raised.
            ToolProcessError: its process ended, or does what no tool may.
        """
        asked: dict[str, JSONValue] = {
            "talks": [talk.as_record() for talk in talks],
            "is_shown": is_shown,
        }
        found = _call(self.process, asked)
        logs = {log["task"]: log for log in map(json.loads, found["logs"])}
        return [
            Heard(lines, logs.get(talk.task, {}))
            for talk, lines in zip(talks, found["heard"], strict=True)
        ]

    def hear(self, talks: Sequence[Talk]) -> Iterator[Heard]:
        """Yield what sessions said after what they showed, some of them open at once."""
        for together in split(talks):
            yield from self.hear_at_once(together, is_shown=False)


@dataclass(frozen=True, slots=True)
class CarriedScorer:
    """A package's own scorer, running in a confined process."""

    process: ToolProcess

    def score(self, sessions: Sequence[Record]) -> Iterator[tuple[list[Record], Record]]:
        """Yield the rows of sessions with their summary, of so many sessions as ``split`` has."""
        for together in split(sessions):
            log = "".join(f"{json.dumps(session)}\n" for session in together)
            found = _call(self.process, {"log": log})
            yield found["rows"], found["summary"]


@contextmanager
def open_carried_environment(
    files: Mapping[str, str], *, is_layered: bool = False
) -> Iterator[CarriedEnvironment]:
    """Open the environment of a package's files, plainly or with the layers that they have.

    Raises:
        ToolProcessError: it does not load.
    """
    shown = ["sop.txt", "toolspecs.json", SHOWN_TASKS]
    if is_layered:
        # A sandbox has no folders: what agents see with the layers stands in the place of the rest.
        own = [name for name in files if name.startswith(LAYERED)]
        files = {**files, **{name.removeprefix(LAYERED): files[name] for name in own}}
        shown += [LAYERS_MODULE, *(name.removeprefix(LAYERED) for name in own)]
    names = (*dict.fromkeys(shown), *_list_records(files))
    with _open(
        {
            "tools.py": files[ENVIRONMENT] + _TALKING,
            _PUBLISHED: files["tools.py"],
            **{name: files[name] for name in names},
        }
    ) as process:
        yield CarriedEnvironment(process)


@contextmanager
def open_carried_scorer(files: Mapping[str, str]) -> Iterator[CarriedScorer]:
    """Open the scorer of a package's files.

    Raises:
        ToolProcessError: it does not load.
    """
    names = (ANSWERS, GRADER_TASKS, GRADER_TRAJECTORIES, *([REPLAY] if REPLAY in files else []))
    given = {name.removeprefix(GRADER): files[name] for name in names}
    given |= {name: files[name] for name in _list_records(files)}
    with _open({"tools.py": files[SCORER] + _SCORING, **given}) as process:
        yield CarriedScorer(process)


def _list_records(files: Mapping[str, str]) -> list[str]:
    return [name for name in files if name.startswith("records") and name.endswith(".csv")]


def split(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Return items so many at a time as are asked for in one request."""
    return (items[place : place + _TOGETHER] for place in range(0, len(items), _TOGETHER))


def _open(files: Mapping[str, str]) -> ToolProcess:
    content = {name: text.encode() for name, text in files.items()}
    return open_process(content, SALTS[0], time_limit=TIME_LIMIT)


def _call(process: ToolProcess, asked: Mapping[str, JSONValue]) -> Any:  # noqa: ANN401 - JSON
    answer = process.call("ask", asked)
    if isinstance(answer, Observation):
        return answer.value
    raise CarriedBrokeError(f"{answer.code}: {answer.message}")
