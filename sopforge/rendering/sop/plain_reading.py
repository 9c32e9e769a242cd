"""What an SOP says once all that it says indirectly is worked out."""

from __future__ import annotations

from collections.abc import Sequence

from sopforge.rendering.sop.added.indirect_limits import put_in
from sopforge.rendering.sop.added.moved_rules import put_back
from sopforge.rendering.sop.document import Line


def build_plain_reading(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return the lines with moved rules put back, limits put in, and without their annexes."""
    return put_in(put_back(lines))
