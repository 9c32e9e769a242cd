"""Near-duplicates: keys in the register that lead to the record of another case."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from sopforge.environment.events import Reply
from sopforge.sandbox.answers import JSON, JSONValue, as_json, as_text


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a near-duplicate as the register shows it, and as the other record has it.

    Both are JSON as text.
    """

    shown: str
    held: str


@dataclass(frozen=True, slots=True)
class NearDuplicate:
    """The case whose record a key leads to, and the entries that tools compare with a record."""

    leads_to: str
    entries: Mapping[str, Entry] = field(default_factory=dict)

    def resolve_arguments(
        self, key: str, arguments: Mapping[str, JSONValue], *, is_compared: bool
    ) -> dict[str, JSONValue]:
        """Return the arguments of a call about ``key`` as a call about the other case.

        Where they are compared with the record, those that agree with the register agree with the
        record, and all others do not.
        """
        found: dict[str, JSONValue] = {
            name: self.leads_to if value == key else value for name, value in arguments.items()
        }
        for name, entry in self.entries.items() if is_compared else ():
            if name in found:
                found[name] = _exchange(entry, as_json(found[name]))
        return found

    def rename_reply(self, key: str, reply: Reply) -> Reply:
        """Return a reply about the other case as one about ``key``."""
        return Reply(
            rename_text(reply.result, self.leads_to, key),
            reply.refusal,
            reply.message.replace(self.leads_to, key),
        )


def _exchange(entry: Entry, given: JSON) -> JSON:
    if as_text(given) == entry.shown:
        return _read_value(entry.held)
    # What only the other record has is no value of this case.
    return _read_value(entry.shown) if as_text(given) == entry.held else given


def _read_value(text: str) -> JSON:
    value: JSON = json.loads(text, parse_float=Decimal)
    return value


def rename_text(value: JSON, old: str, new: str) -> JSON:
    """Return a value in which one text stands for another one wherever that is all of a text."""
    match value:
        case dict():
            return {name: rename_text(item, old, new) for name, item in value.items()}
        case list():
            return [rename_text(item, old, new) for item in value]
        case _:
            return new if value == old else value
