"""What people were reminded of, and when: a file beside the users, kept over restarts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from review.access.private_files import write_private

FORMAT = 1
NAME = "review-reminders.json"


class SentReminders:
    """When people were reminded of each version of one store; other stores are left as they are."""

    def __init__(self, path: Path, place: str) -> None:
        self.path = path
        self._place = place

    def read(self) -> dict[str, datetime]:
        """Return when people were reminded last; nothing, where the file cannot be read."""
        found: dict[str, datetime] = {}
        for key, at in self._read_stores().get(self._place, {}).items():
            try:
                found[key] = datetime.fromisoformat(at)
            except (TypeError, ValueError):
                continue
        return found

    def write(self, reminded: Mapping[str, datetime]) -> None:
        """Note when people were reminded last, in the place of what was noted before."""
        own = {key: at.isoformat(timespec="seconds") for key, at in sorted(reminded.items())}
        stores = {**self._read_stores(), self._place: own}
        value = {"format": FORMAT, "stores": {name: kept for name, kept in stores.items() if kept}}
        write_private(self.path, json.dumps(value, indent=1) + "\n")

    def _read_stores(self) -> dict[str, dict[str, str]]:
        # A file that is none is as good as no file: at worst somebody is reminded once more.
        try:
            value = json.loads(self.path.read_text(encoding="utf-8"))
            stores = value["stores"] if value["format"] == FORMAT else {}
            return {name: dict(kept) for name, kept in stores.items()}
        except (AttributeError, KeyError, OSError, TypeError, ValueError):
            return {}
