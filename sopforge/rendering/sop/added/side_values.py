"""Side values: what an SOP has worked out or recorded on the side, and nothing else looks at.

Their lines read as those of any value. They are side values because the model knows no field of
that name or label, and because no line of the procedure names them: ``find_used_side_values`` shows
those of which that is not true.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from sopforge.domain.model import DomainModel
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.frames import DECIDE_VERB, LOOK_UP, WORK_OUT_VERBS, to_two_cases

SIDE = "side value"
"""Why such a line states no model item."""
_WORKED_OUT = re.compile(
    rf"(?:{'|'.join((*WORK_OUT_VERBS, DECIDE_VERB, LOOK_UP, 'Record'))}) (?:the )?"
    r"(?P<label>[\w' -]+?)(?: \((?P<name>\w+)\)| as |[.,:]).*"
)
_DEFINED = re.compile(r"(?P<name>\w+)(?: \((?P<label>[^()]+)\))?: .+")
_PARTS = frozenset({Style.BULLET, Style.NESTED, Style.ROW})


def find_used_side_values(lines: Sequence[Line], model: DomainModel) -> Iterator[Line]:
    """Yield the lines of side values that could decide something.

    They name no value, or one that the model or another line of the text has.
    """
    others = [line for line in lines if line.excused != SIDE]
    is_within = False
    for line in lines:
        found = _find_value(line) if line.excused == SIDE else None
        if found is not None:
            is_within = is_unknown(*found, model, others)
            if not is_within:
                yield line
        elif line.excused == SIDE and not (is_within and line.style in _PARTS):
            yield line
        elif line.excused != SIDE:
            is_within = False


def is_unknown(name: str, label: str, model: DomainModel, lines: Iterable[Line]) -> bool:
    """Return whether neither a model nor a text names a value, by its name or its label."""
    labels = {item.label.lower() for item in model.fields.values()}
    text = "\n".join(line.text for line in lines).lower()
    words = "|".join(map(re.escape, (name, label.lower())))
    is_named = re.search(rf"\b(?:{words})\b", text) is not None
    return name not in model.fields and label.lower() not in labels and not is_named


def count_side_values(lines: Iterable[Line]) -> int:
    """Return how many values on the side a text works out or records."""
    found = [line for line in lines if line.excused == SIDE and line.style is Style.PARAGRAPH]
    return len({value for line in found if (value := _find_value(line))})


def _find_value(line: Line) -> tuple[str, str] | None:
    """Return the name and the label of the value that a line works out, records or defines."""
    form = _DEFINED if line.style is Style.BULLET else _WORKED_OUT
    found = form.fullmatch(to_two_cases(line.text))
    if found is None:
        return None
    name, label = found["name"], found["label"]
    return name or label.replace(" ", "_"), (label or name.replace("_", " ")).lower()
