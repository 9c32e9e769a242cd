"""The runs that a command line asks for: each agent on a package, with each model that it asks."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sopforge.errors import Fault, MaterialError

if TYPE_CHECKING:
    from sopforge.cli.evaluate.run_options import AgentOptions, RunOptions
    from sopforge.evaluation.models.settings import ModelSettings
    from sopforge.evaluation.models.spending import Purse
    from sopforge.evaluation.packages.package import EvaluatedPackage
    from sopforge.evaluation.runs.rows import Asked, RunFolder


@dataclass(frozen=True, slots=True)
class AskedRun:
    """An agent on a package: its attempts, and what makes those that have no row yet.

    ``make`` returns whether all have one afterwards: a budget may leave some out.
    """

    asked: Sequence[Asked]
    make: Callable[[RunFolder], bool]


def prepare_runs(
    package: EvaluatedPackage,
    tasks: Sequence[str],
    agents: Sequence[str],
    options: RunOptions,
    purse: Purse | None,
) -> list[AskedRun]:
    """Return the runs of agents on a package; nothing is written yet.

    Raises:
        MaterialError: there is no such agent, or it lacks what it needs to run.
    """
    from sopforge.evaluation.models.settings import KINDS

    found: list[AskedRun] = []
    for name in agents:
        if name not in KINDS:
            found.append(_prepare_plain(package, tasks, name, options))
            continue
        if purse is None:
            raise AssertionError("a model agent has a purse")
        found += [
            _prepare_model(package, tasks, settings, options, purse)
            for settings in _list_settings(name, options)
        ]
    return found


def make_purse(agents: Sequence[str], options: RunOptions) -> Purse | None:
    """Return what the runs spend from; None where no agent asks a model.

    Raises:
        MaterialError: the extra for it is not installed, a model is named that nobody asks, or
            the file of prices has faults.
    """
    from sopforge.evaluation.models.settings import KINDS

    asks = any(name in KINDS for name in agents)
    if options.models and not asks:
        kinds = ", ".join(KINDS)
        message, hint = (
            "no agent uses a model",
            f"use --agent with one of {kinds}, or leave --model out",
        )
        raise MaterialError(Fault("model-not-asked", message, "--model", hint))
    if asks or options.on_inspect:
        _require_inspect()
    if not asks:
        return None
    from sopforge.authors.providers.pricing import read_prices
    from sopforge.evaluation.models.spending import Purse

    today = datetime.now(UTC).date()
    return Purse(read_prices(options.prices), today, options.budget)


def _require_inspect() -> None:
    lacking = [name for name in ("inspect_ai", "bm25s") if importlib.util.find_spec(name) is None]
    if lacking:
        message = f"model agents need {' and '.join(lacking)}, which cannot be imported"
        hint = (
            "install it with: pip install 'sopforge[evaluate]'; in a clone of SOPForge: make venv"
        )
        raise MaterialError(Fault("extra-not-installed", message, "--agent", hint))


def _list_settings(kind: str, options: AgentOptions) -> Iterator[ModelSettings]:
    from sopforge.evaluation.models.settings import make_settings

    for model in options.models or ("",):
        yield make_settings(
            kind,
            model,
            temperature=options.temperature,
            max_tokens=options.max_tokens,
            cap=options.cap,
            token_budget=options.token_budget,
            canned_reply=options.canned_reply,
        )


def _prepare_plain(
    package: EvaluatedPackage, tasks: Sequence[str], name: str, options: RunOptions
) -> AskedRun:
    from sopforge.evaluation.agents.choosing import make_agent
    from sopforge.evaluation.packages.with_user import find_listener, find_own
    from sopforge.evaluation.runs.running import add_layer_settings, ask_for, open_agent, run_agent

    agent = make_agent(name, find_own(package), options.time_limit, find_listener(package))
    asked = ask_for(package, tasks, agent.name, options.seed, epochs=options.epochs)
    asked = add_layer_settings(package, asked)

    def make(folder: RunFolder) -> bool:
        if not options.on_inspect:
            run_agent(package, agent, asked, folder)
            return True
        from sopforge.evaluation.models.harness import PlainWorker, run_on_inspect

        with open_agent(agent):
            return run_on_inspect(package, PlainWorker(agent), asked, folder, concurrency=1)

    return AskedRun(asked, make)


def _prepare_model(
    package: EvaluatedPackage,
    tasks: Sequence[str],
    settings: ModelSettings,
    options: RunOptions,
    purse: Purse,
) -> AskedRun:
    from sopforge.evaluation.models.making import load_prompts, make_worker, open_model
    from sopforge.evaluation.packages.with_user import find_listener
    from sopforge.evaluation.runs.running import add_layer_settings, ask_for

    has_user = find_listener(package) is not None
    described = settings.as_text(load_prompts(settings, has_user=has_user).digest)
    name, epochs = settings.name, options.epochs
    asked = ask_for(package, tasks, name, options.seed, described, epochs=epochs)
    asked = add_layer_settings(package, asked)
    # At once: a model that cannot be asked ends the command before anything is written.
    model = open_model(settings.model)

    def make(folder: RunFolder) -> bool:
        from sopforge.evaluation.models.harness import run_on_inspect

        worker = make_worker(
            settings,
            model,
            folder,
            purse,
            time_limit=options.time_limit,
            call_limit=options.call_limit,
            concurrency=options.concurrency,
            has_user=has_user,
        )
        return run_on_inspect(package, worker, asked, folder, concurrency=options.concurrency)

    return AskedRun(asked, make)
