"""What the limits and amounts of a step mean, in a line at its end.

It repeats figures of the rules: a text that gives one in another manner does without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sopforge.domain.model import DomainModel, PolicyConstant
from sopforge.logic.english import English
from sopforge.rendering.sop.document import Line, Style

MEANING = "meaning"
"""Why such a line is none of the rules."""
OPENING = "Limits and amounts: "
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


def list_meaning_lines(model: DomainModel, texts: Iterable[str]) -> Iterator[str]:
    """Yield those of some texts that say of constants of a model what they mean."""
    known = {_phrase_meaning(model, item) for item in model.policy.values()}
    for text in texts:
        rest = text.removeprefix(OPENING)
        if rest != text and set(rest.removesuffix(".").split("; ")) <= known:
            yield text


def drop_meanings(text: str) -> str:
    """Return a text without these lines."""
    return "\n".join(line for line in text.split("\n") if not line.startswith(OPENING))


def _explain(model: DomainModel, names: Sequence[str]) -> Iterator[Line]:
    explained = [name for name in dict.fromkeys(names) if _has_meaning(model.policy, name)]
    if explained:
        meanings = [_phrase_meaning(model, model.policy[name]) for name in explained]
        states = tuple(f"{_POLICY}{name}" for name in explained)
        yield Line(Style.PARAGRAPH, f"{OPENING}{'; '.join(meanings)}.", states, MEANING)


def _has_meaning(policy: Mapping[str, PolicyConstant], name: str) -> bool:
    # A semicolon would end the meaning, and calendars say theirs where their days stand.
    return name in policy and bool(policy[name].meaning) and ";" not in policy[name].meaning


def _phrase_meaning(model: DomainModel, item: PolicyConstant) -> str:
    amount = English(model.fields).visit_constant(item.constant)
    return f"{amount} ({' '.join(item.meaning.split())})"
