"""The texts in which people send a case: each names every input of the case once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from sopforge.domain.building.gathering import Gathering
from sopforge.domain.documents.schema import suggest
from sopforge.domain.model import DomainModel

SLOT = re.compile(r"\{(\w+)\}")


def check_requests(gathering: Gathering, model: DomainModel, texts: Sequence[str]) -> None:
    """Add faults for texts that lack an input, name one twice, or name what is no input."""
    known = [item.name for item in model.inputs]
    for place, text in enumerate(texts):
        found = Counter(SLOT.findall(text))
        path = ("requests", place)
        for name in found:
            if name not in known:
                hint = suggest(name, known) or f"the inputs are {', '.join(known)}"
                message = f"'{{{name}}}' is no input of the case"
                gathering.add_fault(path, "request-unknown-input", message, hint)
        lacking = [name for name in known if name not in found]
        if lacking:
            message = f"the text does not state {', '.join(lacking)}"
            hint = f"add {', '.join(f'{{{name}}}' for name in lacking)} where a sender states it"
            gathering.add_fault(path, "request-lacks-input", message, hint)
        for name in (name for name, times in found.items() if times > 1):
            message = f"the text states {name} {found[name]} times"
            hint = f"write {{{name}}} once"
            gathering.add_fault(path, "request-repeats-input", message, hint)
        if set("{}") & set(SLOT.sub("", text)):
            hint = "write a brace only around the name of an input"
            gathering.add_fault(path, "request-malformed", "a brace names no input", hint)
