"""The brief with cases of several kinds that docs/how-to/write-a-brief.md shows."""

from __future__ import annotations

import re
from pathlib import Path

from sopforge.language.domain.reading import Brief, read_brief
from tests.worlds.small_models import changed

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "write-a-brief.md"


def read_desk(*changes: tuple[str, str]) -> Brief:
    """Return the brief of the page, with parts replaced."""
    (text,) = re.findall(
        r"^```yaml\n(format: 1\n.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    return read_brief(changed(text, *changes), str(PAGE))
