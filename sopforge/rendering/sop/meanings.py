"""What the limits and amounts of a step mean, in a note or a list at its end.

It repeats figures of the rules: a text that gives one in another manner does without it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from sopforge.domain.model import DomainModel, PolicyConstant
from sopforge.logic.english import English
from sopforge.rendering.sop.added.indirect_limits import call_limit, name_limit
from sopforge.rendering.sop.document import Line, Style

MEANING = "meaning"
"""Why such a line is none of the rules."""
OPENING = "What these figures mean:"
_ITEM = "  - "
_NOTE = "Note: "
"""Begins what is said of one figure: "Note: the minimum age is 18 years."."""
_NOTED = re.compile(rf"{_NOTE}(?P<limit>.+)\.")
_ONE = re.compile(r"(.+?) \((.+)\)\.")
_HEAD_ENDS = re.compile(
    r" (?:above|after|at|before|below|between|considered|for|from|in|of|on|that|to|up|which|with"
    r"|within|without)\b"
)
_PLURAL = re.compile(r"\w(?<![siu])s\b")
_POLICY = "policy "
_FEW = 3
"""Of so many words, each says something of its own."""
_STEM = 5
"""So many letters of a word stand for all its forms."""
_FILLERS = frozenset(
    re.findall(
        r"\w+",
        "a after an and are as at be before by can counts day days for from highest in is it its"
        " least limit longest lowest maximum may minimum most must number of on or period per"
        " shortest so that the time to up usual what when which whose with within allowed",
    )
)
"""Words of limits, and those that name nothing."""
_HEADINGS = frozenset({Style.SECTION, Style.STEP})


def add_meanings(model: DomainModel, lines: Iterable[Line]) -> Iterator[Line]:
    """Yield the lines, and after those of each step or section what its constants mean, once."""
    explained: set[str] = set()
    for part in _split_at_headings(lines):
        yield from part
        named = [name for name in _list_policy(model, part) if name not in explained]
        explained.update(named)
        yield from _explain(model, [name for name in named if not _is_evident(model, name, part)])


def _is_evident(model: DomainModel, name: str, lines: Sequence[Line]) -> bool:
    """Return whether the rules with a constant and the title have nearly all words of its meaning.

    After '"high" if the risk score is at least 14 points', nobody needs "Minimum risk score for a
    high risk: 14 points".
    """
    item = model.policy.get(name)
    meant = _list_stems(item.meaning) if item else frozenset()
    words = (model.title, *_iterate_words(f"{_POLICY}{name}", lines))
    said = _list_stems(" ".join(words))
    spare = 2 * len(meant) // 5 if len(meant) > _FEW else 0
    return bool(meant) and len(meant - said) <= spare


def _iterate_words(state: str, lines: Sequence[Line]) -> Iterator[str]:
    """Yield the lines that state a constant, with the opening and head of their list or table."""
    opening: list[str] = []
    for line, before in zip(lines, [None, *lines[:-1]], strict=True):
        is_head = line.style is Style.ROW and (before is None or before.style is not Style.ROW)
        if line.style is Style.PARAGRAPH:
            opening = [line.text]
        elif line.style is Style.BULLET:
            opening = [*opening[:1], line.text]
        elif is_head:
            opening.append(line.text)
        if state in line.states:
            yield from (*opening, line.text)


def _list_stems(text: str) -> frozenset[str]:
    """Return the beginnings of the words of a text that name something."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    return frozenset(word[:_STEM] for word in words if word not in _FILLERS)


def _split_at_headings(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Yield the lines of each step or section, its heading first."""
    part: list[Line] = []
    for line in lines:
        if line.style in _HEADINGS and part:
            yield part
            part = []
        part.append(line)
    if part:
        yield part


def _list_policy(model: DomainModel, lines: Iterable[Line]) -> list[str]:
    """Return the names of the constants in the rules of some lines, those of one as declared.

    A line that states nothing besides a constant says itself what that means.
    """
    return [
        name
        for line in lines
        if any(not item.startswith(_POLICY) for item in line.states)
        for name in [*model.policy, *model.calendars]
        if f"{_POLICY}{name}" in line.states
    ]


def list_amounts(text: str, items: Sequence[str]) -> list[list[tuple[str, str]]]:
    """Return the amounts of such a list, with what it says of each; or of one after the opening.

    An amount stands at the end of an item, or before what it means: each reading is returned.
    """
    noted = _NOTED.fullmatch(text)
    if noted and not items:
        return [_split_note(noted["limit"])]
    one = text.removeprefix(OPENING).strip()
    if not text.startswith(OPENING) or bool(one) == bool(items):
        return []
    if one:
        found = _ONE.fullmatch(one)
        return [[(found[1], found[2])]] if found else []
    return [_split_item(item) for item in items]


def _split_note(note: str) -> list[tuple[str, str]]:
    """Return an amount and what it means, from "the minimum age is 18 years": at each "is"."""
    words = note.split(" is ")
    return [
        (" is ".join(words[place:]), name_limit(" is ".join(words[:place])))
        for place in range(1, len(words))
    ]


def _split_item(item: str) -> list[tuple[str, str]]:
    meaning, _, amount = item.rpartition(": ")
    first, _, rest = item.partition(": ")
    return [(amount, meaning), (first, rest)]


def list_meanings(model: DomainModel) -> list[tuple[str, str]]:
    """Return the amount of each constant of a model, with what it means."""
    return [(_phrase_amount(model, item), _phrase_meaning(item)) for item in model.policy.values()]


def drop_meanings(text: str) -> str:
    """Return a text without these lines."""
    kept: list[str] = []
    is_list = False
    for line in text.split("\n"):
        is_list = line == OPENING or (is_list and line.startswith(_ITEM))
        if not is_list and not line.startswith((OPENING, f"{_NOTE}the ")):
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
    if len(items) == 1 and _is_name_of_one(items[0].meaning):
        (item,) = items
        note = f"{_NOTE}{call_limit(_name(item))} is {_phrase_amount(model, item)}."
        yield Line(Style.PARAGRAPH, note, _list_states(item), MEANING)
        return
    if items:
        yield Line(Style.PARAGRAPH, OPENING, (), MEANING)
    for item in items:
        text = f"{_phrase_amount(model, item)}: {_phrase_meaning(item)}"
        yield Line(Style.NESTED, text, _list_states(item), MEANING)


def _is_name_of_one(meaning: str) -> bool:
    """Return whether "the" can stand before a meaning and "is" after it: not "days late"."""
    name = name_limit(meaning)
    head = _HEAD_ENDS.split(name, maxsplit=1)[0]
    return call_limit(name) == f"the {name}" and not _PLURAL.search(head)


def _name(item: PolicyConstant) -> str:
    return name_limit(item.meaning).removesuffix(".")


def _list_states(item: PolicyConstant) -> tuple[str, ...]:
    return (f"{_POLICY}{item.constant.name}",)


def _phrase_amount(model: DomainModel, item: PolicyConstant) -> str:
    return English(model.fields).visit_constant(item.constant)


def _phrase_meaning(item: PolicyConstant) -> str:
    return " ".join(item.meaning.split())
