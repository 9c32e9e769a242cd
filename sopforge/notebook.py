"""What a notebook needs: a brief becomes a package, a package tasks, an agent figures.

    import sopforge

    made = sopforge.generate("brief.yaml", "store", approve_clean=True)
    package = sopforge.load(sopforge.publish(made.domain, "store")["L0"])
    pandas.DataFrame(package.tasks())
    sopforge.evaluate(package, my_agent).tsr

All errors that a user can do something about are ``SopForgeError``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from warnings import warn

from sopforge.evaluation.agents.agent import EvaluatedAgent
from sopforge.evaluation.agents.choosing import make_agent
from sopforge.evaluation.agents.own_agents import AgentFunction, FunctionAgent
from sopforge.evaluation.figures.means import compute_row_rates
from sopforge.evaluation.packages.package import EvaluatedPackage
from sopforge.evaluation.packages.reading import read_evaluated
from sopforge.evaluation.runs.metrics import Rate
from sopforge.evaluation.runs.rows import RunFolder, name_place
from sopforge.evaluation.runs.running import add_layer_settings, ask_for, choose_tasks, run_agent
from sopforge.findings import Finding
from sopforge.harness.grading.grades import Stop
from sopforge.pipeline.briefs.brief_files import load_brief, load_latest_brief
from sopforge.pipeline.briefs.taking import Newer, take_brief
from sopforge.pipeline.releases.locating import locate_release
from sopforge.pipeline.releases.publishing import publish as publish_release
from sopforge.pipeline.runs.run import run_alone
from sopforge.store.last_run import RunSettings
from sopforge.store.opening import open_store
from sopforge.store.places import DEFAULT_STORE

TIME_LIMIT_SECONDS = 600.0


@dataclass(frozen=True, repr=False)
class Package:
    """A package, of SOPForge or of others; its agent's side and its answers."""

    evaluated: EvaluatedPackage
    place: tuple[str, str]
    """By what name it is found from any working directory, and in which store."""

    def __repr__(self) -> str:
        return f"Package({self.name!r}, {len(self.evaluated.shown.tasks)} tasks)"

    @property
    def name(self) -> str:
        """The package's name."""
        return self.evaluated.shown.name

    @property
    def sop(self) -> str:
        """The procedure that agents must follow."""
        return self.evaluated.shown.sop

    @property
    def tools(self) -> list[dict[str, Any]]:
        """What agents are offered: of each tool its name, description and parameters."""
        return [
            {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
            for tool in self.evaluated.shown.tools
        ]

    def tasks(self) -> list[dict[str, Any]]:
        """Return of each task its id, its text, its inputs and the right outcomes, as texts."""
        return [
            {
                "id": task.id,
                "text": task.text,
                "inputs": dict(task.inputs),
                "outcomes": dict(self.evaluated.describe_gold(task.id).outcomes),
            }
            for task in self.evaluated.shown.tasks.values()
        ]


@dataclass(frozen=True)
class Generated:
    """How far a domain came: ``ending`` is Approved, AwaitingApproval or Rejected.

    ``findings`` are those of the last stage that was built, ``stage``.
    """

    domain: str
    ending: str
    stage: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Evaluation:
    """What an agent's attempts came to: the rates with their intervals, and a row for each."""

    tsr: Rate
    ecr: Rate
    c_tsr: Rate
    rows: list[dict[str, object]]


def load(package: str | Path, *, store: str | Path = DEFAULT_STORE) -> Package:
    """Return a package: a folder, an address on S3, or ``DOMAIN@VERSION/LEVEL`` in a store."""
    with locate_release(str(package), str(store)) as found:
        read = read_evaluated(found.require_package())
    return Package(read, name_place(str(package), str(store)))


def generate(
    brief: str | Path,
    store: str | Path = DEFAULT_STORE,
    *,
    approve_clean: bool = False,
    replace: bool = False,
    budget: Decimal | None = None,
) -> Generated:
    """Build a domain as far as its approvals allow; call it again after each decision.

    ``approve_clean`` approves each stage without errors by policy. Where the store's brief is newer
    than the file, the file is refused, unless it is to ``replace`` it. ``budget`` is in US dollars.
    """
    opened, read = open_store(store), load_brief(Path(brief))
    newer = Newer.REPLACE if replace else Newer.REFUSE
    domain = opened.get_domain(read.parts.domain)
    ran = run_alone(
        domain,
        lambda: take_brief(domain, read, newer),
        lambda: RunSettings(approve_clean, budget=budget),
    )
    manifest = ran.progress.version.manifest
    return Generated(domain.name, ran.ending, manifest.stage, tuple(manifest.findings))


def publish(domain: str, store: str | Path = DEFAULT_STORE) -> Mapping[str, str]:
    """Write the release of a domain whose stages are all approved; return its packages by level."""
    opened = open_store(store)
    return publish_release(opened, load_latest_brief(opened.get_domain(domain))).packages


def evaluate(
    package: Package | str | Path,
    agent: AgentFunction | str,
    *,
    tasks: int = 0,
    epochs: int = 1,
    seed: int = 0,
    out: str | Path | None = None,
) -> Evaluation:
    """Run an agent on a package's tasks: all, or so many that the seed draws.

    An agent is a function from a session to its final text, or the name of one that asks no model,
    as ``sopforge evaluate`` has them. With a folder ``out``, attempts that are there are not made
    again, and ``sopforge report`` reads it. An agent that breaks off is warned of.
    """
    loaded = package if isinstance(package, Package) else load(package)
    opened = loaded.evaluated
    worker = _make_agent(agent, opened)
    chosen = choose_tasks(opened, tasks, seed)
    asked = add_layer_settings(opened, ask_for(opened, chosen, worker.name, seed, epochs=epochs))
    with TemporaryDirectory(prefix="sopforge-run-") as apart:
        folder = RunFolder(Path(out or apart))
        with folder.hold():
            folder.note_package(opened.digest, *loaded.place)
            rows = run_agent(opened, worker, asked, folder)
    broken = [row.says for row in rows if row.stop == Stop.FAILED]
    if broken:
        warn(f"{len(broken)} of {len(rows)} attempts broke off: {broken[0]}", stacklevel=2)
    rates = compute_row_rates(rows)
    return Evaluation(rates.tsr, rates.ecr, rates.c_tsr, [row.as_record() for row in rows])


def _make_agent(agent: AgentFunction | str, package: EvaluatedPackage) -> EvaluatedAgent:
    if isinstance(agent, str):
        return make_agent(agent, package, TIME_LIMIT_SECONDS)
    return FunctionAgent(f"python:{agent.__module__}:{agent.__qualname__}", agent)
