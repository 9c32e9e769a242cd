"""Reminding people of what waits: once for each version in each interval, whatever fails."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from filelock import FileLock, Timeout

from review.reminding.delivering import Delivery, NotDeliveredError, choose_delivery
from review.reminding.overdue import Waiting, find_overdue
from review.reminding.sent_reminders import NAME, SentReminders
from review.settings import Settings
from sopforge.store.overview import Overview, Phase, list_overviews
from sopforge.store.places import resolve_place
from sopforge.store.versions import Store

_LOG = logging.getLogger("review")
# The look for what is to go on waits as long.
_MOST_SECONDS = 30.0


def _get_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Reminders:
    """Reminds of what waits in a store for longer than ``after``, and again after as long."""

    store: Store
    after: timedelta
    address: str
    deliver: Delivery
    sent: SentReminders
    now: Callable[[], datetime] = _get_now

    def remind(self) -> None:
        """Remind of what is due; what cannot be delivered is logged, and sent at the next look.

        Raises:
            StoreError: the store cannot be read.
        """
        rows = list_overviews(self.store)
        try:
            # Where several apps share the users, one of them reminds.
            with FileLock(f"{self.sent.path}.lock", timeout=0):
                self._remind(rows)
        except Timeout:
            return
        except OSError as cause:
            _LOG.warning("the list of sent reminders cannot be written: %s", cause)

    def _remind(self, rows: list[Overview]) -> None:
        now, before = self.now(), self.sent.read()
        waiting = find_overdue(rows, self.after, now, self.address)
        reminded = _filter_waiting(before, rows, waiting)
        ends = time.monotonic() + _MOST_SECONDS
        for item in waiting:
            last = reminded.get(item.key)
            if last is not None and now - last < self.after:
                continue
            if time.monotonic() > ends or not self._deliver_reminder(item, now, reminded):
                break
        if reminded != before:
            self.sent.write(reminded)

    def _deliver_reminder(
        self, item: Waiting, now: datetime, reminded: dict[str, datetime]
    ) -> bool:
        """Send one reminder, and note that; return whether others may be sent."""
        try:
            self.deliver(item.build_reminder(now))
        except NotDeliveredError as refused:
            _LOG.warning(
                "the reminder about %s %s was not sent: %s",
                item.row.domain,
                item.row.stage,
                refused,
            )
            return not refused.is_away
        reminded[item.key] = now
        # At once: a process that dies now reminds of nothing twice.
        self.sent.write(reminded)
        return True


def build_reminders(store: Store, settings: Settings) -> Reminders | None:
    """Return what reminds people as settings say, None where nobody is to be reminded."""
    deliver = choose_delivery(settings)
    if settings.remind_after is None or deliver is None:
        return None
    path = settings.users_file.with_name(NAME)
    sent = SentReminders(path, resolve_place(store.place))
    return Reminders(store, settings.remind_after, settings.address, deliver, sent)


def _filter_waiting(
    before: Mapping[str, datetime], rows: Iterable[Overview], waiting: Iterable[Waiting]
) -> dict[str, datetime]:
    """Return when people were reminded of versions that still wait, or that cannot be read."""
    keys = {item.key for item in waiting}
    broken = {row.domain for row in rows if row.phase is Phase.BROKEN}
    return {key: at for key, at in before.items() if key in keys or key.partition("/")[0] in broken}
