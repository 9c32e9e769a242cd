"""What an SOP says once all that it says indirectly is worked out."""

from __future__ import annotations

from collections.abc import Sequence

from sopforge.rendering.sop.added.indirect_limits import put_in
from sopforge.rendering.sop.added.moved_rules import put_back
from sopforge.rendering.sop.document import Line
from sopforge.rendering.sop.named_conditions import drop_pointers


def build_plain_reading(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return the lines with moved rules put back and limits put in, without the sections of both.

    Pointers to definitions are left out.
    """
    return put_in(put_back(drop_pointers(lines)))
