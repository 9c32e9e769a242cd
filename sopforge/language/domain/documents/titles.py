"""The title of a brief, found without reading the rest of it: lists name many domains."""

from __future__ import annotations

import re
from functools import lru_cache

# A plain title on a line of its own, which goes on in no further line. It needs no YAML library,
# which a list of domains would otherwise load for this alone.
_PLAIN = re.compile(r"^title: +([^\W\d_](?:[\w ,.'()&/-]*[\w)])?) *\n(?=[^\s#])", re.MULTILINE)


@lru_cache(maxsize=2_048)
def find_title(text: str) -> str:
    r"""Return the title that a brief states at its top level, "" where it states none.

    What cannot be read has no title here; who reads all of it learns why.

    >>> find_title("domain: refund\ntitle: Order Refunds\n")
    'Order Refunds'
    """
    if (plain := _PLAIN.search(text)) and not _may_be_within(text[: plain.start()]):
        return " ".join(plain[1].split())
    return _find_in_yaml(text)


def _may_be_within(text_before: str) -> bool:
    """Say whether a line after this text may belong to a value in quotes or in brackets."""
    return any(mark in text_before for mark in "\"'{[")


def _find_in_yaml(text: str) -> str:
    import yaml

    try:
        return _find_value(text, "title")
    except yaml.YAMLError:
        return ""


def _find_value(text: str, wanted: str) -> str:
    """Return the scalar under a key of the outermost mapping."""
    import yaml

    depth, key, is_value = 0, "", False
    for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
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
