"""The title of a brief, found without reading the rest of it: lists name many domains."""

from __future__ import annotations

from functools import lru_cache

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@lru_cache(maxsize=2_048)
def find_title(text: str) -> str:
    r"""Return the title that a brief states at its top level, "" where it states none.

    What cannot be read has no title here; who reads all of it learns why.

    >>> find_title("domain: refund\ntitle: Order Refunds\n")
    'Order Refunds'
    """
    try:
        return _find_value(text, "title")
    except yaml.YAMLError:
        return ""


def _find_value(text: str, wanted: str) -> str:
    """Return the scalar under a key of the outermost mapping."""
    depth, key, is_value = 0, "", False
    for event in yaml.parse(text, Loader=_LOADER):
        match event:
            case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                depth += 1
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                depth -= 1
                is_value = is_value and depth > 1
            case yaml.ScalarEvent(value=value) if depth == 1:
                if is_value and key == wanted:
                    return " ".join(str(value).split())
                key, is_value = str(value), not is_value
            case _:
                pass
    return ""
