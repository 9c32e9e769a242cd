"""What a domain's last run was asked for, and how it ended: what the next run goes on from.

It is kept beside the brief, not in it, for it decides no byte of what is made.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from sopforge.store.call_log import NO_CALLS, NotedCalls
from sopforge.store.objects import make_damage_error
from sopforge.store.versions import DomainStore

FORMAT = 1
FAILED = "Failed"
"""How a run ended that met an error which the same run would meet again."""
CANCELLED = "Cancelled"
"""How a run ended that a person stopped on purpose, where that can be seen."""
PUBLISHED = "Published"
"""How a run ended that wrote the release."""


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What a run is asked for besides its brief.

    ``approve_clean`` approves by policy what has no error-level finding, ``publish`` writes the
    release once all stages are approved, ``run_ahead`` builds downstream of the gate that waits,
    ``budget`` limits in US dollars what a language model may cost from now on, and ``prices`` names
    a file of prices of the user's own.
    """

    approve_clean: bool = False
    publish: bool = False
    run_ahead: bool = False
    budget: Decimal | None = None
    prices: str = ""


@dataclass(frozen=True, slots=True)
class LastRun:
    """The last run of a domain.

    ``spent`` is what the domain had cost when the run began, ``decisions`` how many of persons it
    knew of, ``tries`` how many runs began since one ended; ``ended`` is empty while a run is at
    work, and stays so where it is interrupted, its process dies, or what stopped it may pass.
    ``brief`` is the number of its brief, 0 where nobody noted it, and ``calls`` what the log of
    calls held when this was noted.
    """

    settings: RunSettings
    spent: Decimal
    decisions: int
    tries: int
    ended: str = ""
    brief: int = 0
    calls: NotedCalls = NO_CALLS

    @property
    def is_unfinished(self) -> bool:
        """Whether a run began that is at work, or was cut off."""
        return self.tries > 0 and not self.ended


NO_RUN = LastRun(RunSettings(), Decimal(0), decisions=0, tries=0)


def load_last_run(domain: DomainStore) -> LastRun:
    """Return the last run of a domain, ``NO_RUN`` if there was none.

    Raises:
        StoreError: what was kept of it cannot be read.
    """
    name = _name_last_run_file(domain.name)
    data = domain.objects.read(name)
    if data is None:
        return NO_RUN
    try:
        return _read(json.loads(data))
    except (AttributeError, InvalidOperation, KeyError, TypeError, ValueError) as cause:
        hint = "restore it from a copy"
        raise make_damage_error(
            domain.objects, name, f"the file describes no run: {cause!r}", hint
        ) from cause


def keep_last_run(domain: DomainStore, run: LastRun) -> None:
    """Keep a run in the place of the one before."""
    value = {"format": FORMAT, **asdict(run)}
    domain.objects.replace(
        _name_last_run_file(domain.name), (json.dumps(value, indent=1, default=str) + "\n").encode()
    )


def _read(value: Mapping[str, Any]) -> LastRun:
    asked = value["settings"]
    budget = None if asked["budget"] is None else Decimal(asked["budget"])
    return LastRun(
        RunSettings(
            approve_clean=bool(asked["approve_clean"]),
            publish=bool(asked["publish"]),
            # Notes of earlier programs lack this, the number of the brief, and the calls.
            run_ahead=bool(asked.get("run_ahead")),
            budget=budget,
            prices=asked["prices"],
        ),
        Decimal(value["spent"]),
        int(value["decisions"]),
        int(value["tries"]),
        str(value["ended"]),
        int(value.get("brief", 0)),
        NotedCalls(**value.get("calls", {})),
    )


def _name_last_run_file(domain: str) -> str:
    return f"{domain}/last_run.json"
