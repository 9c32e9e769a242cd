"""Asides of a trade: frames filled with what a procedure names, in an order that mixes places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from string import Formatter

from sopforge.artifacts.complexity.setting import Setting
from sopforge.artifacts.complexity.trade.pools.asides import ASIDES, AsidePlace
from sopforge.artifacts.complexity.trade.pools.editions import REASONS
from sopforge.language.english.nouns import pluralize
from sopforge.seeds import permute_index, permute_items

_TURNS = 3
"""How often a frame is filled at most, each time with other names."""


@dataclass(frozen=True, slots=True)
class FilledAside:
    """A sentence with the place where it would stand."""

    place: AsidePlace
    text: str


def iterate_asides(setting: Setting, seed: int) -> Iterator[FilledAside]:
    """Return all asides that can be made of a setting, each once: one for each place in turn."""
    said: set[str] = set()
    name = setting.domain
    for turn in range(_TURNS):
        frames = permute_items(ASIDES, seed, "aside", name, turn)
        columns = [
            [item for item in frames if item.place is place]
            for place in permute_items(tuple(AsidePlace), seed, "places", name, turn)
        ]
        for row in zip_longest(*columns):
            for item in filter(None, row):
                text = fill_frame(item.text, setting, turn, seed)
                if text and text not in said:
                    said.add(text)
                    yield FilledAside(item.place, text)


def fill_frame(frame: str, setting: Setting, turn: int, seed: int) -> str:
    """Return a frame with the names of a setting, "" where it has none of a kind that is needed."""
    needed = {name for _, name, _, _ in Formatter().parse(frame) if name}
    chosen = _choose_names(frame, setting, turn, seed)
    if not all(chosen.get(name) for name in needed):
        return ""
    # "a account" is never what was meant.
    text = re.sub(r"\b([Aa]) (?=[aeio])", r"\1n ", frame.format_map(chosen))
    return text[:1].upper() + text[1:]


def draw_reason(setting: Setting, number: int, seed: int) -> str:
    """Return a sentence on why something was changed, each before any again."""
    size = len(REASONS)
    for place in range(number, number + size):
        frame = REASONS[permute_index(place % size, size, seed, "reason", setting.domain)]
        if text := fill_frame(frame, setting, place // size, seed):
            return text
    raise ValueError("some reasons name nothing of the domain")


def _choose_names(frame: str, setting: Setting, turn: int, seed: int) -> dict[str, str]:
    def choose(names: Sequence[str], key: str, further: int = 0) -> str:
        if len(names) <= further:
            return ""
        return names[permute_index((turn + further) % len(names), len(names), seed, key, frame)]

    paper = choose(setting.papers, "paper")
    return {
        "case": setting.case,
        "cases": setting.cases,
        "worker": setting.worker,
        "workers": pluralize(setting.worker),
        "owner": setting.owner,
        "role": choose(setting.roles, "role"),
        "system": choose(setting.systems, "system"),
        "paper": paper,
        "papers": pluralize(paper) if paper else "",
        "entry": choose(setting.entries, "entry"),
        "other": choose(setting.entries, "entry", 1),
        "label": choose(setting.results, "label"),
    }
