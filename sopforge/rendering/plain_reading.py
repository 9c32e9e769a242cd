"""What an SOP says once all that it says in a roundabout way is worked out."""

from __future__ import annotations

from collections.abc import Sequence

from sopforge.rendering.indirect_limits import put_in
from sopforge.rendering.moved_rules import put_back
from sopforge.rendering.sop_document import Line


def plain_reading(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return the lines with moved rules put back, limits put in, and without their annexes."""
    return put_in(put_back(lines))
