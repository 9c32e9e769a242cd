"""Source as a formatter lays it out, so that people read it and their linters accept it."""

from __future__ import annotations

from functools import lru_cache

FORMATTER = "black"
LINE_LENGTH = 100


@lru_cache(maxsize=8)
def lay_out_source(source: str) -> str:
    """Return Python source in the usual layout, with lines of at most 100 characters.

    Equal sources, as those of levels and of what is made again, are laid out once.
    """
    import black  # noqa: PLC0415 - slow to import

    return black.format_str(source, mode=black.Mode(line_length=LINE_LENGTH))
