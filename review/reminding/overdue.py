"""Which gates wait for longer than they are meant to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sopforge.store.overview import Overview, Phase


@dataclass(frozen=True, slots=True)
class Waiting:
    """A version that waits at its gate, since when, who approved it, and where to decide."""

    row: Overview
    since: datetime
    address: str

    @property
    def key(self) -> str:
        """What names the version among all of a store."""
        return f"{self.row.domain}/{self.row.stage}/{self.row.version}/{self.row.content}"

    def build_reminder(self, now: datetime) -> Mapping[str, Any]:
        """Return what a reminder says; ``text`` is the same in words."""
        row, hours = self.row, int((now - self.since) / timedelta(hours=1))
        missing = f"{row.missing} {'approval is' if row.missing == 1 else 'approvals are'} missing"
        return {
            "domain": row.domain,
            "stage": row.stage,
            "version": row.version,
            "digest": row.content,
            "since": self.since.astimezone(UTC).isoformat(timespec="seconds"),
            "hours": hours,
            "approved_by": list(row.approved_by),
            "missing": row.missing,
            "url": self.address,
            "text": (
                f"{row.domain}: the {row.stage} has waited for {hours} h, and {missing}. "
                f"{self.address}"
            ),
        }


def find_overdue(
    rows: Iterable[Overview], after: timedelta, now: datetime, address: str
) -> list[Waiting]:
    """Return what waits for longer than ``after``, longest first; ``address`` is the app's."""
    found = [
        Waiting(row, since, f"{address}/d/{row.domain}/{row.stage}")
        for row in rows
        if (since := find_wait_start(row)) is not None and now - since >= after
    ]
    return sorted(found, key=lambda item: (item.since, item.key))


def find_wait_start(row: Overview) -> datetime | None:
    """Return since when a domain waits for a decision, None if it does not, or nobody noted it."""
    if row.phase is not Phase.WAITING:
        return None
    try:
        since = datetime.fromisoformat(row.since)
    except ValueError:
        return None
    return since if since.tzinfo else since.replace(tzinfo=UTC)
