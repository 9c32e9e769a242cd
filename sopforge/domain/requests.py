"""The texts in which people send a case: each names every input of the case once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from sopforge.domain.documents.schema import suggest

SLOT = re.compile(r"\{(\w+)\}")


def find_request_faults(text: str, known: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Yield what is wrong with a text: code, message and hint; ``known`` are the inputs."""
    found = Counter(SLOT.findall(text))
    for name in found:
        if name not in known:
            hint = suggest(name, known) or f"the inputs are {', '.join(known)}"
            yield "request-unknown-input", f"'{{{name}}}' is no input of the case", hint
    lacking = [name for name in known if name not in found]
    if lacking:
        hint = f"add {', '.join(f'{{{name}}}' for name in lacking)} where a sender states it"
        yield "request-lacks-input", f"the text does not state {', '.join(lacking)}", hint
    for name in (name for name, times in found.items() if times > 1):
        message = f"the text states {name} {found[name]} times"
        yield "request-repeats-input", message, f"write {{{name}}} once"
    if set("{}") & set(SLOT.sub("", text)):
        hint = "write a brace only around the name of an input"
        yield "request-malformed", "a brace names no input", hint
