"""What the limits and amounts of a step mean, at its end: one in a line, several as a list.

It repeats figures of the rules: a text that gives one in another manner does without it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from sopforge.domain.model import DomainModel, PolicyConstant
from sopforge.logic.english import English
from sopforge.rendering.sop.document import Line, Style

MEANING = "meaning"
"""Why such a line is none of the rules."""
OPENING = "Limits and amounts:"
_ITEM = "  - "
_POLICY = "policy "
_HEADINGS = frozenset({Style.SECTION, Style.STEP})


def add_meanings(model: DomainModel, lines: Iterable[Line]) -> Iterator[Line]:
    """Yield the lines, and after those of each step or section what its constants mean."""
    found: list[str] = []
    for line in lines:
        if line.style in _HEADINGS:
            yield from _explain(model, found)
            found = []
        yield line
        found += [item.removeprefix(_POLICY) for item in line.states if item.startswith(_POLICY)]
    yield from _explain(model, found)


def are_meanings(model: DomainModel, text: str, items: Collection[str]) -> bool:
    """Return whether a text and the list below it say of constants of a model what they mean."""
    one = text.removeprefix(OPENING).strip()
    constants = model.policy.values()
    if items:
        return not one and set(items) <= {_phrase_item(model, item) for item in constants}
    return one in {_phrase_one(model, item) for item in constants}


def drop_meanings(text: str) -> str:
    """Return a text without these lines."""
    kept: list[str] = []
    is_list = False
    for line in text.split("\n"):
        is_list = line == OPENING or (is_list and line.startswith(_ITEM))
        if not is_list and not line.startswith(OPENING):
            kept.append(line)
    return "\n".join(kept)


def drop_stated_meanings(lines: Iterable[Line], stated: Collection[str]) -> list[Line]:
    """Return lines without those that say what some constants mean, given as lines state them."""
    kept: list[Line] = []
    for line in lines:
        if line.excused == MEANING and line.states and set(line.states) <= set(stated):
            continue
        if line.excused != MEANING:
            _drop_empty_list(kept)
        kept.append(line)
    _drop_empty_list(kept)
    return kept


def _drop_empty_list(lines: list[Line]) -> None:
    """Remove the opening of a list that nothing follows."""
    if lines and lines[-1].excused == MEANING and lines[-1].text == OPENING:
        lines.pop()


def _explain(model: DomainModel, names: Sequence[str]) -> Iterator[Line]:
    items = [
        model.policy[name]
        for name in dict.fromkeys(names)
        # Calendars say their meanings where their days stand.
        if name in model.policy and model.policy[name].meaning
    ]
    if len(items) == 1:
        text = f"{OPENING} {_phrase_one(model, items[0])}"
        yield Line(Style.PARAGRAPH, text, (f"{_POLICY}{items[0].constant.name}",), MEANING)
        return
    if items:
        yield Line(Style.PARAGRAPH, OPENING, (), MEANING)
    for item in items:
        states = (f"{_POLICY}{item.constant.name}",)
        yield Line(Style.NESTED, _phrase_item(model, item), states, MEANING)


def _phrase_one(model: DomainModel, item: PolicyConstant) -> str:
    return f"{_phrase_amount(model, item)} ({_phrase_meaning(item)})."


def _phrase_item(model: DomainModel, item: PolicyConstant) -> str:
    return f"{_phrase_amount(model, item)}: {_phrase_meaning(item)}"


def _phrase_amount(model: DomainModel, item: PolicyConstant) -> str:
    return English(model.fields).visit_constant(item.constant)


def _phrase_meaning(item: PolicyConstant) -> str:
    return " ".join(item.meaning.split())
