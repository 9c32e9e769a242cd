"""Rounds of reviews in a browser, while the app, its runs and the store's service are killed.

Rounds take turns between a folder and S3. In each, three persons work on two domains at once
through the app's own pages; then nothing more is killed, the app goes on with what is left, and all
that was confirmed to anybody must hold.
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from review.access.users import Role, UserFile
from sopforge.pipeline.runs.continuing import find_due_runs
from sopforge.pipeline.runs.run import is_at_work
from sopforge.store.last_run import load_last_run
from sopforge.store.opening import open_store
from sopforge.store.overview import Phase, build_overview
from tests.running.quick_commands import run_command
from tests.servers.prefect_processes import free_port
from tests.soak.commands import DOMAINS, Briefs
from tests.soak.disturbing import Disturber, ServedApp
from tests.soak.judging import differences
from tests.soak.places import Soaked, kept
from tests.soak.review_judging import left_standing, recorded_unsure, review_faults
from tests.soak.reviewers import SECRETS, AwayError, Reviewer, Sent, at_work

BUSY_SECONDS = 15.0
QUIET_SECONDS = 90.0
_LOOK_SECONDS = 0.2


@dataclass
class ReviewSoak:
    """What came of the rounds so far."""

    places: tuple[Soaked, ...]
    folder: Path
    made: Path
    seed: int
    kills: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)
    busy_seconds: float = BUSY_SECONDS
    quiet_seconds: float = QUIET_SECONDS
    options: tuple[str, ...] = ()
    environment: Mapping[str, str] | None = None
    others: Mapping[str, Callable[[], None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._users = UserFile(self.folder / "users.json")
        self._port = free_port()
        for name, secret in SECRETS.items():
            role = Role.PUBLISHER if name == "grace" else Role.REVIEWER
            self._users.add(name, role, secret)

    def round(self, number: int) -> list[str]:
        """Return what is wrong after a round."""
        chance = random.Random(f"{self.seed} {number}")  # noqa: S311 - it decides nothing secret
        place, name = self.places[number % len(self.places)], f"review-{number}"
        there = place.named(name)
        place.calm()
        self._begin(there, chance)
        log = self.folder / f"{name}.log"
        app = ServedApp(
            self.made, there, self._users.path, self._port, log, self.options, self.environment
        )
        with self._reviewers(app.origin, chance) as reviewers:
            app.start()
            app.wait()
            try:
                self._disturb(Disturber(app, place, chance, self.kills, self.others), reviewers)
                place.calm()
                wrong = self._settled(app, reviewers[0], there)
            finally:
                app.kill_all()
            sent = [item for one in reviewers for item in one.sent]
            wrong += [text for one in reviewers for text in one.odd]
        self._count(reviewers)
        wrong += _find_log_faults(log)
        wrong += self._judged(there, sent)
        if not wrong:
            place.forget(name)
        return wrong

    def report(self) -> Iterator[str]:
        """Yield lines on what came of all rounds."""
        yield f"kills: {dict(sorted(self.kills.items()))}"
        yield f"answers: {dict(sorted(self.answers.items()))}"
        yield f"done: {dict(sorted(self.done.items()))}"

    def _begin(self, there: str, chance: random.Random) -> None:
        briefs = Briefs(self.folder)
        briefs.write({domain: chance.choice((1, 1, 2)) for domain in DOMAINS})
        for domain in DOMAINS:
            command = "generate", str(briefs.brief(domain)), "--store", there
            ended = run_command(*command)
            # On a busy machine a short lease may be lost; the same command goes on.
            while "lock-lost" in ended.said:
                ended = run_command(*command)
            assert ended.code == 3, ended

    @contextmanager
    def _reviewers(self, origin: str, chance: random.Random) -> Iterator[list[Reviewer]]:
        is_over = threading.Event()
        found = [
            Reviewer(name, origin, random.Random(chance.random()), is_over)  # noqa: S311
            for name in SECRETS
        ]
        yield found
        for one in found:
            one.close()

    def _disturb(self, disturber: Disturber, reviewers: list[Reviewer]) -> None:
        disturber.place.upset()
        for left in at_work(reviewers, self.busy_seconds):
            disturber.disturb(left)

    def _settled(self, app: ServedApp, person: Reviewer, there: str) -> list[str]:
        """Have the app, started anew, go on with what is left; return what it leaves undone."""
        app.kill_all()
        app.start()
        app.wait()
        if not _is_quiet(person, there, self.quiet_seconds):
            return [_not_done(app, there)]
        wrong = []
        for domain in DOMAINS:
            store = open_store(there)
            row, before = (
                build_overview(store.get_domain(domain)),
                load_last_run(store.get_domain(domain)),
            )
            if row.phase in {Phase.DUE, Phase.BEGUN}:
                # Runs that were cut off three times wait for a person.
                if before.tries < 3:
                    noticed = person.notices(domain)
                    wrong.append(f"nobody goes on with {domain}: {noticed} {row} {before}")
                self.done["runs by hand"] += person.go_on(domain)
        if not _is_quiet(person, there, self.quiet_seconds):
            wrong.append(_not_done(app, there))
        return wrong

    def _judged(self, there: str, sent: list[Sent]) -> list[str]:
        found = kept(there)
        wrong = review_faults(found, sent, DOMAINS)
        damage = run_command("store", "check", "--store", there)
        wrong += [damage.said] if damage.code else []
        for domain in DOMAINS:
            wrong += left_standing(found, domain)
            wrong += differences(found, domain)
            self.done["recorded, sender unsure"] += recorded_unsure(found, sent, domain)
        return wrong

    def _count(self, reviewers: list[Reviewer]) -> None:
        for one in reviewers:
            self.answers.update(one.answers)
            self.done.update(item.done for item in one.sent if item.done)


def _is_quiet(person: Reviewer, there: str, seconds: float) -> bool:
    """Wait until nobody is at work, and nothing starts of itself; return whether it is so."""
    deadline, in_a_row = time.monotonic() + seconds, 0
    while in_a_row < 3:
        if time.monotonic() > deadline:
            return False
        time.sleep(_LOOK_SECONDS)
        store = open_store(there)
        with suppress(AwayError):
            is_busy = person.sees_runs() or any(
                is_at_work(store.get_domain(name)) for name in DOMAINS
            )
            in_a_row = 0 if is_busy or find_due_runs(store).due else in_a_row + 1
    return True


def _not_done(app: ServedApp, there: str) -> str:
    store = open_store(there)
    busy = [name for name in DOMAINS if is_at_work(store.get_domain(name))]
    noted = [load_last_run(store.get_domain(name)) for name in DOMAINS]
    log = app.log.read_text(encoding="utf-8", errors="replace")[-2000:]
    state = f"at work {busy}, {find_due_runs(store)}, {noted}, processes {app.runs()}, log {log}"
    return f"the app is not done in time: {state}"


def _find_log_faults(log: Path) -> list[str]:
    """Return the faults of SOPForge that the app's log reports."""
    text = log.read_text(encoding="utf-8", errors="replace")
    return [f"the app's log: {text[-4000:]}"] if "Traceback" in text else []
