"""What an SOP says once all that it says indirectly is worked out."""

from __future__ import annotations

from collections.abc import Sequence

from sopforge.rendering.sop.document import Line
from sopforge.rendering.sop.indirect_limits import put_in
from sopforge.rendering.sop.moved_rules import put_back


def build_plain_reading(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return the lines with moved rules put back, limits put in, and without their annexes."""
    return put_in(put_back(lines))
