"""Package: the layers that it carries answer as ours do, in the sessions of the reference."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from sopforge.checks.package.carried_sessions import (
    CarriedBrokeError,
    Talk,
    open_carried_environment,
)
from sopforge.checks.package.known_sessions import drop_words
from sopforge.checks.package.package_solved import PREFIX, collect_package_files, read_graded
from sopforge.dials.cases import Cases
from sopforge.dials.files import read_layers
from sopforge.dials.plain import PlainCases
from sopforge.dials.working import LayeredAgent
from sopforge.environment.events import Called
from sopforge.environment.lines import describe_reply
from sopforge.environment.session import open_session
from sopforge.environment.shown import Shown, ShownTask, read_tools
from sopforge.errors import PackageUnreadableError, ToolProcessError
from sopforge.findings import Finding, convert_faults, make_error_finding
from sopforge.layers.desk import open_desk
from sopforge.packaging.carried_files import LAYERS_MODULE
from sopforge.packaging.sop_bench import JUDGES, LAYERED, LAYERS
from sopforge.sandbox.answers import as_text
from sopforge.untrusted.content import UNREADABLE
from sopforge.workspace import Workspace

_TRIED = 12
"""In how many sessions the two are compared, evenly from all."""
_SHOWN = 5
_BROKEN: tuple[type[Exception], ...] = (CarriedBrokeError, ToolProcessError, *UNREADABLE)
"""What is raised where carried code breaks, or answers what has another shape than it should."""


class PackageLayers:
    """The package's ``layers.py`` answers the reference agent's calls as SOPForge's layers do."""

    name = "package-layers"
    stage = "package"
    runs_tools = True

    def examine(self, workspace: Workspace) -> list[Finding]:
        files = collect_package_files(workspace)
        if LAYERS not in files:
            return []
        try:
            messages = list(_find_differences(files))
        except PackageUnreadableError as cause:
            return convert_faults(cause.faults)
        except _BROKEN as cause:
            messages = [f"the layers failed: {cause}"]
        return [
            make_error_finding("carried-layers", message, where=LAYERS_MODULE)
            for message in messages[:_SHOWN]
        ]

    def spoil(self, workspace: Workspace) -> Workspace:
        """Put a layer into a package that no program knows."""
        line = '{"layer": "no such layer", "data": {}}\n'
        return workspace.with_files({f"{PREFIX}{LAYERS}": line, f"{PREFIX}{JUDGES}": ""})


def _find_differences(files: Mapping[str, str]) -> Iterator[str]:
    """Yield the sessions in which a call is answered otherwise."""
    package = read_graded(files)
    gold = {task.id: task for task in package.tasks}
    tasks = {
        task.id: ShownTask(task.id, task.text, task.inputs, task.split) for task in package.tasks
    }
    tools = read_tools(files["toolspecs.json"])
    shown = Shown("", "", files["sop.txt"], tools, tasks, {})
    core = PlainCases(shown, package.model, gold, package.records, is_brief=True)
    cases = read_layers(core, files[LAYERS], files.get(JUDGES, ""), LAYERS)
    if files.get(f"{LAYERED}sop.txt") != cases.shown.sop:
        yield "the SOP of the layers differs from the package's SOP"
    yield from _compare_sessions(files, core, cases)


def _compare_sessions(files: Mapping[str, str], core: PlainCases, cases: Cases) -> Iterator[str]:
    names = list(cases.shown.tasks)
    few = names[:: max(1, len(names) // _TRIED)]
    with open_carried_environment(files, is_layered=True) as carried:
        for name in few:
            session = open_session(cases.environment, name)
            answer = LayeredAgent(core.model).work(open_desk(session))
            called = [event for event in session.state.events if isinstance(event, Called)]
            # As a harness writes them: numbers without the places that decimals keep.
            calls = [(event.tool, json.loads(as_text(dict(event.arguments)))) for event in called]
            heard = carried.hear_at_once([Talk(name, calls, answer)], is_shown=False)[0]
            for event, line in zip(called, heard.lines, strict=True):
                wanted = drop_words(json.loads(describe_reply(event.reply)))
                if drop_words(json.loads(line)) != wanted:
                    yield f"{name}: {event.tool} returns {line[:200]}, not {str(wanted)[:200]}"
                    break


CHECK = PackageLayers()
