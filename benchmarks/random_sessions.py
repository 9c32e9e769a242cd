"""Sessions of random agents: none fails, none meets another, and each goes alike when repeated.

``python -m benchmarks.random_sessions PACKAGE... --sessions 1000`` puts the dials of L4, L5, L6 and
all others around each package. Some sessions of a level go on in turns, and then each by itself.
"""

from __future__ import annotations

import time
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console

from sopforge.errors import MaterialError
from sopforge.evaluation.packages.proved import read_proved
from sopforge.harness.environment.events import Called
from sopforge.harness.environment.session import Session, open_session
from sopforge.harness.grading.grades import Attempt, Stop
from sopforge.harness.layers.dials import LEVELS
from sopforge.harness.layers.layered import Cases
from sopforge.harness.layers.layering import put_layers
from sopforge.harness.layers.plain import PlainCases

OTHERS = {"ambiguity": 3, "records": 3, "user": 2}
CONSOLE = Console(width=160)
SEED, TOGETHER, MOST_CALLS = 7, 8, 40
PLAIN, NONSENSE = 0.8, ["", "0", "-1", "yes", "none", "A" * 2_000, "\u00e9\u0000", "2026-02-30"]


@dataclass
class RandomAgent:
    """Calls tools at random, mostly with values that it has seen, and states whatever it likes."""

    session: Session[Any]
    random: Random

    def __post_init__(self) -> None:
        """Begin with what lies before it."""
        seen = self.session.observation
        self.names: dict[str, list[str]] = {}
        for tool in seen.tools:
            taken = tool.parameters.get("properties")
            self.names[tool.name] = list(taken) if isinstance(taken, dict) else []
        self.values: list[Any] = [*seen.task.inputs.values(), *seen.task.text.split(), *NONSENSE]

    def go_on(self) -> None:
        """Make one call, and remember what it returned."""
        tool = self.random.choice(list(self.names))
        names = self.names[tool]
        arguments = {name: self.random.choice(self.values) for name in names}
        if self.random.random() > PLAIN:
            arguments[self.random.choice([*names, "other"])] = self.random.choice(
                [None, 1, 2.5, [], {}]
            )
        reply = self.session.call(tool, arguments)
        self.values += iterate_values(reply.result)

    def finish(self) -> str:
        """Return a final text of values that it has seen."""
        return f"<result>{self.random.choice(self.values)}</result>"


def iterate_values(result: object) -> Iterator[object]:
    """Yield the values in a result."""
    if isinstance(result, Mapping):
        for item in result.values():
            yield from iterate_values(item)
    elif isinstance(result, list):
        for item in result:
            yield from iterate_values(item)
    else:
        yield result


def play(cases: Cases, seeds: Sequence[int]) -> list[tuple[Any, ...]]:
    """Return what happened in some sessions that go on in turns, with their grades."""
    tasks = list(cases.shown.tasks)
    agents = []
    for seed in seeds:
        random = Random(seed)  # noqa: S311 - no secret
        agents.append(RandomAgent(open_session(cases.environment, random.choice(tasks)), random))
    left = {place: agent.random.randrange(MOST_CALLS) for place, agent in enumerate(agents)}
    while left:
        for place in list(left):
            if not left[place]:
                del left[place]
                continue
            agents[place].go_on()
            left[place] -= 1
    return [judge(cases, agent) for agent in agents]


def judge(cases: Cases, agent: RandomAgent) -> tuple[Any, ...]:
    """Return the events, the answer and the grade of a session that is over."""
    answer, events = agent.finish(), agent.session.state.events
    grade = cases.grade(agent.session.state.task, Attempt(events, answer, Stop.ANSWER))
    return events, answer, grade


def put_levels(core: PlainCases) -> Iterator[tuple[str, Cases]]:
    """Yield a domain with each level's dials, and with all of them."""
    levels: Mapping[str, Mapping[str, int]] = {**LEVELS, "all": {**LEVELS["L6"], **OTHERS}}
    for name, doses in levels.items():
        try:
            yield name, put_layers(core, doses, SEED)
        except MaterialError as cause:
            CONSOLE.print(f"{core.shown.name} {name}: {cause}")


def compare(cases: Cases, count: int) -> tuple[int, int, int]:
    """Return how many calls were made, how many sessions were right, and how many differ alone."""
    calls = right = differing = 0
    seeds = iter(range(count))
    while batch := list(islice(seeds, TOGETHER)):
        together = play(cases, batch)
        alone = [play(cases, [seed])[0] for seed in batch]
        differing += sum(one != other for one, other in zip(together, alone, strict=True))
        right += sum(grade.is_right for _, _, grade in together)
        calls += sum(isinstance(event, Called) for events, _, _ in together for event in events)
    return calls, right, differing


def main() -> None:
    """Play the sessions that the command line asks for, and print what came of them."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="+", type=Path)
    parser.add_argument("--sessions", type=int, default=1_000, help="for each level")
    asked = parser.parse_args()
    for package in asked.packages:
        for level, cases in put_levels(read_proved(package).plain):
            begun = time.perf_counter()
            calls, right, differing = compare(cases, asked.sessions)
            # Each session is played twice.
            speed = 2 * asked.sessions / (time.perf_counter() - begun)
            CONSOLE.print(
                f"{package.name} {level}: {asked.sessions} sessions, {calls} calls,"
                f" {right} right, {differing} differ alone, {speed:.0f} a second",
            )


if __name__ == "__main__":
    main()
