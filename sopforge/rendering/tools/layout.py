"""Source as a formatter lays it out, so that people read it and their linters accept it."""

from __future__ import annotations

FORMATTER = "black"
LINE_LENGTH = 100


def lay_out_source(source: str) -> str:
    """Return Python source in the usual layout, with lines of at most 100 characters."""
    import black  # noqa: PLC0415 - slow to import

    return black.format_str(source, mode=black.Mode(line_length=LINE_LENGTH))
