"""Near-duplicates: keys in the register that lead to the record of another case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from sopforge.sandbox.answers import JSONValue
from sopforge.session.environment import write_json
from sopforge.session.layers import resolve_near


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
        return resolve_near(asdict(self), key, arguments, write_json if is_compared else None)
