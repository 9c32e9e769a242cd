"""The stages that wait for somebody, in the order of the inbox, and those beside a domain's own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sopforge.store.overview import Overview, Phase


@dataclass(frozen=True, slots=True)
class Neighbours:
    """What waits before and after a domain; after the last one comes the first."""

    earlier: Overview | None = None
    later: Overview | None = None


def get_order(row: Overview) -> tuple[str, str]:
    """Return by what rows of one phase are ordered: what waits longest comes first."""
    # "~" comes after all digits: what nobody noted a time of stands last.
    return row.since or "~", row.domain


def list_waiting(rows: Iterable[Overview], name: str) -> list[Overview]:
    """Return the domains that wait for the decision of somebody."""
    waiting = [row for row in rows if row.phase is Phase.WAITING and name not in row.approved_by]
    return sorted(waiting, key=get_order)


def find_neighbours(waiting: Sequence[Overview], domain: str) -> Neighbours:
    """Return what waits before and after a domain, which itself need not wait."""
    names = [row.domain for row in waiting]
    others = [row for row in waiting if row.domain != domain]
    if not others:
        return Neighbours()
    place = names.index(domain) if domain in names else 0
    return Neighbours(others[place - 1], others[place % len(others)])
