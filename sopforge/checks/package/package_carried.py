"""Package: the environment and the scorer that it carries do what our own do."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from sopforge.checks.package.carried_sessions import (
    CarriedBrokeError,
    CarriedEnvironment,
    CarriedScorer,
    Heard,
    Talk,
    open_carried_environment,
    open_carried_scorer,
    split,
)
from sopforge.checks.package.known_sessions import (
    NO_TOOL,
    SURE,
    Record,
    describe_gold_reply,
    drop_log_words,
    drop_words,
    iterate_known_sessions,
    make_gold_session,
)
from sopforge.checks.package.known_table_sessions import iterate_known_table_sessions
from sopforge.checks.package.package_solved import (
    PREFIX,
    GradedPackage,
    choose_few,
    collect_package_files,
    read_graded,
)
from sopforge.checks.spoiling import edit_text
from sopforge.domain.tasks import GoldCall, Task
from sopforge.environment.events import Called
from sopforge.environment.lines import describe_observation, describe_reply
from sopforge.environment.machine import Environment
from sopforge.environment.session import open_session
from sopforge.environment.shown import Shown, read_shown
from sopforge.environment.tools_service import History, ToolsService
from sopforge.errors import PackageUnreadableError, ToolProcessError
from sopforge.findings import Finding, convert_faults, make_error_finding
from sopforge.packaging.carried_files import ANSWERS
from sopforge.packaging.metadata import ENVIRONMENT, SCORER
from sopforge.packaging.sop_bench import is_of_this_layout
from sopforge.sandbox.answers import Call, JSONValue, as_json, as_text
from sopforge.scoring.trajectories import write_answer
from sopforge.store.backends.atomic_files import fill_folder
from sopforge.untrusted.content import UNREADABLE
from sopforge.workspace import Workspace

_BROKEN: tuple[type[Exception], ...] = (CarriedBrokeError, ToolProcessError, *UNREADABLE)
"""What is raised where carried code breaks, or answers what has another shape than it should."""
_SHOWN = 5
"""Of what is wrong with either, so many are listed: the rest mostly follows."""


class PackageCarried:
    """The package's environment answers like SOPForge's. Its scorer grades sessions correctly.

    Gold calls of every task are made, twenty sessions open at once; of a few tasks also wrong calls
    and those about other cases.
    """

    name = "package-carried"
    stage = "package"
    runs_tools = True

    def examine(self, workspace: Workspace) -> list[Finding]:
        files = collect_package_files(workspace)
        lacking = [name for name in (ENVIRONMENT, SCORER, ANSWERS) if name not in files]
        if lacking:
            return _judge_lacking(files, lacking)
        try:
            package = read_graded(files)
            shown = _read_shown(files)
        except PackageUnreadableError as cause:
            return convert_faults(cause.faults)
        return [*_check_environment(files, package, shown), *_check_scorer(files, package)]

    def spoil(self, workspace: Workspace) -> Workspace:
        """Have the scorer call an answer right of which any part is."""
        right = "is_complete and all(outcomes.values())"
        wrong = "is_complete and any(outcomes.values())"
        return edit_text(workspace, f"{PREFIX}{SCORER}", right, wrong)


def _judge_lacking(files: Mapping[str, str], lacking: Sequence[str]) -> list[Finding]:
    """Return that files are not there; packages of earlier layouts had none."""
    if not is_of_this_layout(json.loads(files["provenance.json"])):
        return []
    return [
        make_error_finding("carried-missing", f"the package has no {name}", where=name)
        for name in lacking
    ]


def _read_shown(files: Mapping[str, str]) -> Shown:
    with TemporaryDirectory(prefix="sopforge-package-") as home:
        folder = Path(home) / "package"
        fill_folder(folder, files)
        return read_shown(folder)


def _check_environment(
    files: Mapping[str, str], package: GradedPackage, shown: Shown
) -> list[Finding]:
    try:
        with open_carried_environment(files) as carried:
            messages = [*_find_gold_faults(carried, package.tasks)]
            messages += _find_differences(carried, package, shown)
    except _BROKEN as cause:
        messages = [f"the environment failed: {cause}"]
    return [
        make_error_finding("carried-environment", message, where=ENVIRONMENT)
        for message in messages[:_SHOWN]
    ]


def _find_gold_faults(carried: CarriedEnvironment, tasks: Sequence[Task]) -> Iterator[str]:
    """Yield the tasks of which gold calls are not answered, or not logged, as is expected."""
    talks = [
        Talk(task.id, [_as_call(call) for call in task.calls], _write_right_answer(task))
        for task in tasks
    ]
    for task, heard in zip(tasks, carried.hear(talks), strict=True):
        wanted = [describe_gold_reply(call) for call in task.calls]
        found = [drop_words(json.loads(line)) for line in heard.lines]
        if found != wanted:
            yield f"{task.id}: the gold calls return {_cut(found)}, not {_cut(wanted)}"
        elif drop_log_words(heard.log) != make_gold_session(task, _write_right_answer(task)):
            yield f"{task.id}: the log is {_cut(heard.log)}"


def _find_differences(
    carried: CarriedEnvironment, package: GradedPackage, shown: Shown
) -> Iterator[str]:
    """Yield the sessions of a few tasks that differ from our own, two of them open at once."""
    few = choose_few(package)
    keeps_state = any(tool.effects for tool in package.model.tools.values())
    with ToolsService(shown.files, keeps_state) as service:
        environment = Environment(shown, service)
        for place in range(0, len(few), 2):
            pair = few[place : place + 2]
            others = [*pair[1:], few[0]]
            talks = [_make_trial(*both) for both in zip(pair, others, strict=False)]
            heard = carried.hear_at_once(talks, is_shown=True)
            for talk, own in zip(talks, heard, strict=True):
                yield from _compare_sessions(environment, talk, own)


def _compare_sessions(environment: Environment[History], talk: Talk, heard: Heard) -> Iterator[str]:
    session = open_session(environment, talk.task)
    if json.loads(heard.lines[0]) != json.loads(describe_observation(session.observation)):
        yield f"{talk.task}: the text shown to an agent differs"
    for (tool, arguments), line in zip(talk.calls, heard.lines[1:], strict=True):
        wanted = describe_reply(session.call(tool, arguments))
        if line != wanted:
            given = as_text(as_json(arguments))
            yield f"{talk.task}: {tool} of {_cut(given)} returns {line}, not {wanted}"
            return
    if len(heard.log["events"]) != sum(isinstance(e, Called) for e in session.state.events):
        yield f"{talk.task}: the log does not match the calls that were made"


def _make_trial(task: Task, other: Task) -> Talk:
    """Return gold calls, each also wrong in one place, then such about another case."""
    gold = [_as_call(call) for call in task.calls]
    wrong = [_spoil_call(call, place) for place, call in enumerate(gold)]
    about_other = [_as_call(call) for call in other.calls]
    unknown: Call = (NO_TOOL, {"case": task.id})
    return Talk(
        task.id, [*wrong, *gold, unknown, *about_other, *gold[:1]], _write_right_answer(task)
    )


def _spoil_call(call: Call, place: int) -> Call:
    """Return a call with one argument left out, null, or another text."""
    tool, given = call
    names = list(given)
    if not names:
        return tool, {NO_TOOL: 1}
    name = names[place % len(names)]
    kept = {other: value for other, value in given.items() if other != name}
    changes: list[Mapping[str, JSONValue]] = [{}, {name: None}, {name: "no such thing"}]
    return tool, {**kept, **changes[place % len(changes)]}


def _check_scorer(files: Mapping[str, str], package: GradedPackage) -> list[Finding]:
    try:
        with open_carried_scorer(files) as carried:
            messages = [
                message
                for what, sessions, wanted in _iterate_known(files, package)
                for message in _find_wrong_rows(carried, what, sessions, wanted)
            ]
    except _BROKEN as cause:
        messages = [f"the scorer failed: {cause}"]
    return [
        make_error_finding("carried-scorer", message, where=SCORER) for message in messages[:_SHOWN]
    ]


def _iterate_known(
    files: Mapping[str, str], package: GradedPackage
) -> Iterator[tuple[str, list[Record], list[Record]]]:
    """Yield sessions with known figures, those on tables among them."""
    model, tasks = package.model, package.tasks
    # Scorers of layouts before 11 ask for no acts in these domains, and call more sessions right.
    has_acts = model.operations is not None or "acting" in json.loads(files[ANSWERS])
    for what, sessions, wanted in iterate_known_sessions(model, tasks):
        if has_acts or what in SURE:
            yield what, sessions, wanted
    yield from iterate_known_table_sessions(model, tasks, package.records)


def _find_wrong_rows(
    carried: CarriedScorer, what: str, sessions: Sequence[Record], wanted: Sequence[Record]
) -> Iterator[str]:
    pairs = list(zip(sessions, wanted, strict=True))
    for (rows, summary), expected in zip(carried.score(sessions), split(pairs), strict=True):
        for row, (session, values) in zip(rows, expected, strict=True):
            for name, value in {"task": session["task"], **values}.items():
                if not (_has_parts if name == "session" else _is_near)(row[name], value):
                    yield f"{what}, {session['task']}: {name} is {row[name]}, not {value}"
        for name, share in _count_shares([values for _, values in expected]).items():
            if not _is_near(summary[name], share):
                yield f"{what}: {name} of {len(expected)} sessions is {summary[name]}, not {share}"


def _count_shares(rows: Sequence[Record]) -> dict[str, float | None]:
    complete = sum(row["is_complete"] for row in rows)
    right = sum(row["is_right"] for row in rows)
    return {
        "ECR": complete / len(rows),
        "C-TSR": right / complete if complete else None,
        "TSR": right / len(rows),
    }


def _has_parts(found: Mapping[str, bool], wanted: Mapping[str, bool]) -> bool:
    """Return whether a session is judged as wanted, in those parts that are known beforehand."""
    return found.keys() >= wanted.keys() and all(found[part] == wanted[part] for part in wanted)


def _is_near(found: object, wanted: object) -> bool:
    """Return whether a figure is the wanted one, but for how its fraction is written."""
    if isinstance(wanted, float) and found is not None:
        return abs(float(str(found)) - wanted) < 1e-9  # noqa: PLR2004 - of shares of few
    return found == wanted


def _write_right_answer(task: Task) -> str:
    return write_answer(task.outcomes)


def _as_call(call: GoldCall) -> Call:
    return call.tool, call.arguments


def _cut(value: object, longest: int = 300) -> str:
    text = str(value)
    return text if len(text) <= longest else f"{text[:longest]}..."


CHECK = PackageCarried()
