"""Agents that are programs: what each scores is known beforehand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sopforge.errors import Fault, MaterialError
from sopforge.evaluation.agents.agent import EvaluatedAgent
from sopforge.evaluation.packages.proved import ProvedPackage
from sopforge.extensions import list_names
from sopforge.harness.environment.session import Session
from sopforge.harness.layers.desk import Desk, open_desk
from sopforge.harness.layers.dials import ABLATED
from sopforge.harness.layers.layering import iterate_layers
from sopforge.harness.layers.user.requester import Requester
from sopforge.harness.layers.working import LayeredAgent
from sopforge.harness.scoring.agents import OneLetterAgent, ReferenceAgent, WrongAgent
from sopforge.harness.scoring.trajectories import write_answer
from sopforge.harness.users.acts import collect_entries
from sopforge.harness.users.listening import Listener
from sopforge.harness.users.manners import Manner
from sopforge.harness.users.pliant import PliantAgent
from sopforge.harness.users.yielding import YIELDING_AGENTS, take_acts
from sopforge.language.domain.documents.schema import suggest
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tasks import Task
from sopforge.language.domain.values.types import ListType, TextType
from sopforge.proof.dataset.mutants.mutants import derive_mutants
from sopforge.seeds import draw_below, make_stream

ONE_MISTAKE, COMMAND, FUNCTION, MCP = "one-mistake:", "command:", "python:", "mcp:"
RANDOM_CALLS = 6


@dataclass(frozen=True, slots=True)
class Scripted:
    """An agent that works from the inputs, by a program and not by the SOP.

    Where there is a user, its ``listener`` asks for them.
    """

    name: str
    agent: LayeredAgent
    listener: Listener | None = None

    def solve(self, session: Session[Any]) -> None:
        inputs = learn_inputs(session, self.listener)
        session.finish(self.agent.work(replace(open_desk(session), inputs=inputs)))


@dataclass(frozen=True, slots=True)
class Yields:
    """Follows the procedure, and yields to one manner of a user: takes his first word, say."""

    name: str
    model: DomainModel
    listener: Listener
    manner: Manner

    def solve(self, session: Session[Any]) -> None:
        entries, yielding = take_acts(self.listener.hear(session), (self.manner,))

        def decide(desk: Desk, model: DomainModel) -> str:
            agent = PliantAgent(model, yielding, visit=desk.consult)
            return agent.solve(desk.inputs, desk.call).answer

        agent = LayeredAgent(self.model, decide=decide)
        session.finish(agent.work(replace(open_desk(session), inputs=entries)))


@dataclass(frozen=True, slots=True)
class Silent:
    """Calls nothing, and says nothing."""

    name: str = "silent"

    def solve(self, session: Session[Any]) -> None:
        session.finish("")


def learn_inputs(session: Session[Any], listener: Listener | None) -> Mapping[str, str]:
    """Return the entries of a task: as they are shown, or as a user says them."""
    if listener is None or not session.has_user:
        return session.observation.task.inputs
    return collect_entries(listener.hear(session))


def state_wrong_results(desk: Desk, model: DomainModel) -> str:
    """Work as the reference does, and then state another value for everything."""
    return (
        WrongAgent(ReferenceAgent(model, visit=desk.consult)).solve(desk.inputs, desk.call).answer
    )


def state_one_letter(desk: Desk, model: DomainModel) -> str:
    """State the letter "e" for everything."""
    return OneLetterAgent(model).solve(desk.inputs, desk.call).answer


@dataclass(frozen=True, slots=True)
class Constant:
    """States the same for every task, and calls no tool."""

    outcomes: Mapping[str, str]
    name: str = "constant"

    def solve(self, session: Session[Any]) -> None:
        session.finish(write_answer(self.outcomes))


@dataclass(frozen=True, slots=True)
class RandomTool:
    """Calls tools that it draws with what it knows, and states answers that it draws."""

    model: DomainModel
    name: str = "random-tool"
    listener: Listener | None = None

    def solve(self, session: Session[Any]) -> None:
        seen = session.observation
        known: dict[str, Any] = {
            name: self.model.fields[name].as_json(self.model.fields[name].parse(cell))
            for name, cell in learn_inputs(session, self.listener).items()
        }
        for turn in range(RANDOM_CALLS if seen.tools else 0):
            drawn = draw_below(len(seen.tools), session.state.seed, "tool", seen.task.id, turn)
            tool = seen.tools[drawn]
            taken = tool.parameters.get("properties")
            names = list(taken) if isinstance(taken, dict) else []
            reply = session.call(tool.name, {name: known[name] for name in names if name in known})
            known |= reply.result if isinstance(reply.result, dict) else {}
        session.finish(write_answer(self.draw_answers(session)))

    def draw_answers(self, session: Session[Any]) -> dict[str, str]:
        """Return a value of its type for each outcome."""
        found = {}
        for item in self.model.outcomes:
            low, high = item.type.bounds
            if isinstance(item.type, TextType | ListType):
                found[item.name] = "no such answer"
                continue
            stream = make_stream(session.state.seed, "answer", item.name, session.state.task)
            found[item.name] = item.format_cell(low + stream.draw_below(high - low + 1, 0))
        return found


def make_scripted_agent(
    name: str, package: ProvedPackage, listener: Listener | None = None
) -> EvaluatedAgent:
    """Return the agent of a name that needs neither a language model nor code of the user's.

    Raises:
        MaterialError: there is no such agent.
    """
    model = package.graded.model
    if name.startswith(ONE_MISTAKE):
        return _make_one_mistake_agent(name, model, listener)
    if name in YIELDING_AGENTS and (listener or not _has_requester(package)):
        return _make_yielding(name, model, listener)
    if name in ABLATED:
        return Scripted(name, LayeredAgent(model, (ABLATED[name].lacks,)), listener)
    makers: Mapping[str, Callable[[], EvaluatedAgent]] = {
        "gold": lambda: Scripted("gold", LayeredAgent(model), listener),
        "wrong": lambda: Scripted(
            "wrong", LayeredAgent(model, decide=state_wrong_results), listener
        ),
        "silent": Silent,
        "one-letter": lambda: Scripted(
            "one-letter", LayeredAgent(model, decide=state_one_letter), listener
        ),
        "constant": lambda: Constant(find_most_frequent_answer(package.graded.tasks)),
        "random-tool": lambda: RandomTool(model, listener=listener),
    }
    if name not in makers:
        others = (f"{ONE_MISTAKE}MUTANT", f"{COMMAND}COMMAND", f"{FUNCTION}MODULE:FUNCTION")
        known = ", ".join(
            dict.fromkeys(
                [
                    *makers,
                    *list_names("agents"),
                    *others,
                    f"{MCP}COMMAND",
                    *YIELDING_AGENTS,
                    *ABLATED,
                ]
            )
        )
        raise MaterialError(
            Fault(
                "agent-unknown",
                f"there is no agent '{name}'",
                "--agent",
                f"choose one of {known}; with --model: function-calling, react, budget, retrieval",
            )
        )
    return makers[name]()


def find_most_frequent_answer(tasks: Sequence[Task]) -> Mapping[str, str]:
    """Return the outcomes that most tasks have, of equally frequent ones the first by name."""
    counts = Counter(tuple(sorted(task.outcomes.items())) for task in tasks)
    best = min(counts, key=lambda answer: (-counts[answer], answer))
    return dict(best)


def _has_requester(package: ProvedPackage) -> bool:
    """Return whether a dial brings somebody to whom an agent may yield."""
    return any(isinstance(layer, Requester) for layer, _ in iterate_layers(package.cases))


def _make_yielding(name: str, model: DomainModel, listener: Listener | None) -> EvaluatedAgent:
    if listener is None:
        message = f"'{name}' makes its mistake with a user, but this run has no user"
        hint = "add --user one-message, --user turn-by-turn or --dial user=2"
        raise MaterialError(Fault("agent-needs-user", message, "--agent", hint))
    return Yields(name, model, listener, YIELDING_AGENTS[name])


def _make_one_mistake_agent(
    name: str, model: DomainModel, listener: Listener | None
) -> EvaluatedAgent:
    wanted = name.removeprefix(ONE_MISTAKE)
    mutants = {mutant.id: mutant for mutant in derive_mutants(model)}
    if wanted not in mutants:
        listed = "choose one of the mutants in grader/coverage.json, under 'mutants'"
        hint = suggest(wanted, list(mutants)) or listed
        message = f"the model has no mutant '{wanted}'"
        raise MaterialError(Fault("agent-unknown", message, "--agent", hint))
    return Scripted(name, LayeredAgent(mutants[wanted].model), listener)
