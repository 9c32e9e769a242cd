"""Which commands a round of the soak runs: chosen at random, from what a domain accepts."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from sopforge.store.digests import digest_text

BRIEF = Path(__file__).parents[1] / "briefs" / "refund.yaml"
DOMAINS = ("refund_a", "refund_b")
PERSONS = ("ada", "bob", "cyd")
WEIGHTS = {
    "generate": 5,
    "approve": 6,
    "publish": 3,
    "regenerate": 2,
    "edit": 1.5,
    "status": 1,
    "reject": 0.3,
}
# Few texts, so that most of what is asked for was made in an earlier round.
_CONTEXTS = ("Pets travel free of charge.", "Gifts are not refunded.")
_DAYS = (20, 25, 30)
_EDITED_DAYS = (27, 28)
# A brief is laid out as its writer did, and by a change as the product does.
_LIMIT = re.compile(r"(refund_days:\s*\{?\s*value: )\d+")

Command: TypeAlias = tuple[str, ...]


@dataclass(frozen=True)
class Briefs:
    """What the commands of a round are given: files in a folder."""

    folder: Path

    def write(self, approvers: Mapping[str, int]) -> None:
        """Write a brief for each domain, with as many approvers of the schema as are given."""
        text = BRIEF.read_text(encoding="utf-8")
        for domain, count in approvers.items():
            own = text.replace("domain: refund\n", f"domain: {domain}\n")
            own += f"gates: {{approvers: {{schema: {count}}}}}\n"
            self.brief(domain).write_text(own, encoding="utf-8")
        for days in _DAYS:
            patch = f"policy: {{refund_days: {{value: {days}}}}}\n"
            self.patch(days).write_text(patch, encoding="utf-8")

    def brief(self, domain: str) -> Path:
        """Return where the brief of a domain is."""
        return self.folder / f"{domain}.yaml"

    def patch(self, days: int) -> Path:
        """Return where the patch is that gives so many days."""
        return self.folder / f"{days}.yaml"

    def edited(self, text: str, chance: random.Random) -> Path:
        """Write a domain model with another number of days, and return where it is."""
        changed = with_limit(text, str(chance.choice(_EDITED_DAYS)))
        path = self.folder / f"{digest_text(changed)}.yaml"
        path.write_text(changed, encoding="utf-8")
        return path


def with_limit(text: str, days: str) -> str:
    """Return a domain model with another number of days, in whichever layout it stands."""
    changed, count = _LIMIT.subn(rf"\g<1>{days}", text)
    assert count == 1, text
    return changed


def chosen(chance: random.Random, domain: str, waiting: str, model: str, briefs: Briefs) -> Command:
    """Return a command about a domain, of which a stage waits with some domain model."""
    [verb] = chance.choices(list(WEIGHTS), list(WEIGHTS.values()))
    if verb == "edit" and not model:
        verb = "status"
    clean = ("--approve-clean",) if chance.random() < 0.6 else ()
    by = ("--by", chance.choice(PERSONS))
    stage = waiting or "schema"
    match verb:
        case "generate":
            # What was regenerated since is given up, so that briefs stay as they are known.
            given: Command = (str(briefs.brief(domain)), "--replace", *clean)
        case "regenerate":
            given = (domain, *_change(chance, briefs), *clean)
        case "edit":
            given = (domain, "schema", "--from", str(briefs.edited(model, chance)), *by)
        case "approve" | "reject":
            given = (domain, stage, *by)
        case _:
            given = (domain,) if verb == "publish" else ()
    return (verb, *given)


def _change(chance: random.Random, briefs: Briefs) -> Command:
    """Return what a brief is regenerated with."""
    if chance.random() < 0.6:
        return "--model-patch", str(briefs.patch(chance.choice(_DAYS)))
    return "--context", chance.choice(_CONTEXTS)
