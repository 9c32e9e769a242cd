"""What the limits and amounts of a step mean, in a line at its end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sopforge.domain.model import DomainModel, PolicyConstant
from sopforge.rendering.sop.document import Line, Style

OPENING = "Limits and amounts here: "
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
    known = {_phrase_meaning(item) for item in model.policy.values()}
    for text in texts:
        rest = text.removeprefix(OPENING)
        if rest != text and set(rest.removesuffix(".").split("; ")) <= known:
            yield text


def _explain(model: DomainModel, names: Sequence[str]) -> Iterator[Line]:
    explained = [name for name in dict.fromkeys(names) if _has_meaning(model.policy, name)]
    if explained:
        meanings = [_phrase_meaning(model.policy[name]) for name in explained]
        states = tuple(f"{_POLICY}{name}" for name in explained)
        yield Line(Style.PARAGRAPH, f"{OPENING}{'; '.join(meanings)}.", states)


def _has_meaning(policy: Mapping[str, PolicyConstant], name: str) -> bool:
    # A semicolon would end the meaning, and calendars say theirs where their days stand.
    return name in policy and bool(policy[name].meaning) and ";" not in policy[name].meaning


def _phrase_meaning(item: PolicyConstant) -> str:
    # Without the amount: a level or a dial may say that indirectly, or amend it.
    return " ".join(item.meaning.split())
