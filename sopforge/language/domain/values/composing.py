"""Letters with marks, which Unicode writes as one character or as several that look the same."""

from __future__ import annotations

import unicodedata


def compose(text: str) -> str:
    r"""Return a text in which a letter and its marks are one character where there is one (NFC).

    >>> compose("u\u0308ber") == "\u00fcber"
    True
    """
    return unicodedata.normalize("NFC", text)
