"""Rounds of random commands that are killed at random: ``python -m tests.soak folder|s3 200``.

``review`` in the place of a store has rounds of reviews over HTTP: see ``review_rounds``. With
``review-prefect``, a server and a worker of Prefect's own start the runs, and are killed as well.

In each round several processes at once generate, decide, edit, regenerate and publish in two
domains of a store, and some are killed. Then all that was promised must hold. The seed is printed,
and may be given after the number of rounds: it gives the same commands, at other moments.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from sopforge.errors import StoreError
from sopforge.store.opening import open_store
from tests.running.quick_commands import use_quick_builds
from tests.soak.commands import DOMAINS, Briefs, Command, chosen
from tests.soak.judging import differences, faults
from tests.soak.places import Soaked, kept, opened
from tests.soak.processes import Run, run_at_once
from tests.soak.review_rounds import ReviewSoak

REVIEW, REVIEW_PREFECT = "review", "review-prefect"
BATCHES = 9
MOST_AT_ONCE = 4
REPORT_EVERY = 20


@dataclass
class Soak:
    """What came of the rounds so far."""

    place: Soaked
    folder: Path
    seed: int
    ends: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)

    def round(self, number: int) -> list[str]:
        """Return what is wrong after a round."""
        chance = random.Random(f"{self.seed} {number}")  # noqa: S311 - it decides nothing secret
        briefs = Briefs(self.folder)
        briefs.write({domain: chance.choice((1, 1, 2)) for domain in DOMAINS})
        name = f"round-{number}"
        there = self.place.named(name)
        self.place.upset()
        first = [("generate", str(briefs.brief(name)), "--store", there) for name in DOMAINS]
        runs = run_at_once(first, chance)
        for _ in range(BATCHES):
            commands = list(self._commands(there, chance, briefs))
            runs += run_at_once(commands, chance)
        self.place.calm()
        self._count(runs)
        found = kept(there)
        wrong = faults(found, runs, DOMAINS)
        for domain in DOMAINS:
            if any(key.startswith(f"{domain}/briefs/") for key in found):
                wrong += differences(found, domain)
        if not wrong:
            self.place.forget(name)
        return wrong

    def report(self) -> Iterator[str]:
        """Yield lines on what came of all rounds."""
        yield f"{sum(self.ends.values())} commands"
        yield f"ends: {dict(sorted(self.ends.items()))}"
        yield f"refusals: {dict(sorted(self.refusals.items()))}"

    def _commands(self, there: str, chance: random.Random, briefs: Briefs) -> Iterator[Command]:
        for _ in range(chance.randint(1, MOST_AT_ONCE)):
            domain = chance.choice(DOMAINS)
            stage, model = _waiting(there, domain)
            command = chosen(chance, domain, stage, model, briefs)
            yield (*command, "--store", there)

    def _count(self, runs: list[Run]) -> None:
        for run in runs:
            self.ends[f"{run.command[0]} {run.ended.code}"] += 1
            if run.ended.refusal:
                self.refusals[run.ended.refusal] += 1


def _waiting(there: str, domain: str) -> tuple[str, str]:
    """Return the stage that waits, and the domain model if it is that."""
    with suppress(StoreError):  # The service may be out of order.
        store = open_store(there)
        noted = store.get_domain(domain).find_waiting()
        stage = noted.stage if noted else ""
        versions = store.get_domain(domain).list_versions("schema") if stage == "schema" else []
        return stage, versions[-1].files["domain.yaml"] if versions else ""
    return "", ""


class Rounds(Protocol):
    """A soak of some kind."""

    def round(self, number: int) -> list[str]:
        """Return what is wrong after a round."""

    def report(self) -> Iterator[str]:
        """Yield lines on what came of all rounds."""


def main(kind: str, rounds: int, seed: int, made: Path | None = None) -> int:
    """Run the rounds; return the exit code. What was built is in ``made``, if it is to stay."""
    _say(f"soak: {kind}, {rounds} rounds, seed {seed}")
    failed, began = 0, time.monotonic()
    with tempfile.TemporaryDirectory(prefix="soak-") as home, ExitStack() as places:
        folder = Path(home)
        builds = made or folder / "made"
        use_quick_builds(builds)
        soak = _rounds(kind, folder, builds, seed, places)
        for number in range(rounds):
            wrong = soak.round(number)
            failed += bool(wrong)
            for text in wrong:
                _say(f"round {number}: {text}")
            if (number + 1) % REPORT_EVERY == 0:
                _say(f"{number + 1} rounds, {failed} with something wrong")
    _say(f"{time.monotonic() - began:.0f} s")
    for line in soak.report():
        _say(line)
    _say(f"rounds with something wrong: {failed}")
    return 1 if failed else 0


def _rounds(kind: str, folder: Path, made: Path, seed: int, places: ExitStack) -> Rounds:
    stores = folder / "stores"
    if kind == REVIEW:
        found = [places.enter_context(opened(name, stores, seed)) for name in ("folder", "s3")]
        return ReviewSoak(tuple(found), folder, made, seed)
    if kind == REVIEW_PREFECT:
        place = places.enter_context(opened("folder", stores, seed))
        # Only these rounds load Prefect.
        from tests.soak.review_prefect import prefect_soak

        return places.enter_context(prefect_soak(place, folder, made, seed))
    return Soak(places.enter_context(opened(kind, stores, seed)), folder, seed)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    place, count, *given = sys.argv[1:]
    seed = int(given[0]) if given and given[0] else random.SystemRandom().randrange(10**6)
    sys.exit(main(place, int(count), seed, Path(given[1]) if given[1:] else None))
