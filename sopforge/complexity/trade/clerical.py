"""Clerical instructions of a domain: what an office does with the papers of certain cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import TypeVar

from sopforge.complexity.passages import Passage, Where
from sopforge.complexity.trade.asides import fill_frame
from sopforge.complexity.trade.setting import Setting
from sopforge.domain.fields import Field
from sopforge.domain.language.expressions import Compare, Constant, Expression, Read, Relation
from sopforge.domain.model import DomainModel
from sopforge.domain.values.types import EnumType, NumberType, encode
from sopforge.logic.english import phrase_expression
from sopforge.rendering.sop.added.clerical import (
    CLERICAL,
    is_clerical,
    phrase_deed_after,
    phrase_deed_if,
)
from sopforge.rendering.sop.added.clerical_deeds import DEEDS, DEEDS_AFTER_CALLS
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.references import PROCEDURE
from sopforge.seeds import draw_below, permute_index

Given = TypeVar("Given")
_TURNS = 2
"""How many conditions there are at most on each field."""
_PARTS = 10
"""A number is compared with the end of one of so many equal parts of its range."""


def iterate_clerical_passages(model: DomainModel, setting: Setting, seed: int) -> Iterator[Passage]:
    """Yield instructions under conditions on what a case states, and others after tool calls."""
    stated = [item for item in model.inputs if model.find_owner(item.name) is model.case]
    under = make_deed_passages(stated, model, setting, seed)
    for pair in zip_longest(under, _iterate_deeds_after(model, setting, seed)):
        yield from filter(None, pair)


def make_deed_passages(
    items: Iterable[Field], model: DomainModel, setting: Setting, seed: int, *, skipped: int = 0
) -> Iterator[Passage]:
    """Yield instructions under conditions on fields, which may be further ones of a model.

    The first ``skipped`` of the things to do are left to others.
    """
    fields = {**model.fields, **{item.name: item for item in items}}
    deeds = _list_deeds(DEEDS, setting, seed)
    for number, (item, condition) in enumerate(_iterate_conditions([*items], model, seed)):
        said = phrase_expression(condition, fields)
        is_first = not draw_below(2, seed, "clerical", item.name, number)
        text = phrase_deed_if(said, deeds[(number + skipped) % len(deeds)], is_first=is_first)
        # Some labels have a comma: nobody could say where such a condition ends.
        if is_clerical(text):
            yield _make_passage(text, Where(section=PROCEDURE))


def _iterate_deeds_after(model: DomainModel, setting: Setting, seed: int) -> Iterator[Passage]:
    """Yield what is done after calls, each where the call stands."""
    called = [model.tools[step.call] for step in model.steps.values() if step.call]
    deeds = _list_deeds(DEEDS_AFTER_CALLS, setting, seed)
    for number, tool in enumerate(_shuffle(called, seed, "called")):
        text = phrase_deed_after(tool.offered_name, deeds[number % len(deeds)])
        yield _make_passage(text, Where(states=f"tool {tool.name}"))


def _make_passage(text: str, where: Where) -> Passage:
    return Passage(Line(Style.PARAGRAPH, text, excused=CLERICAL), where)


def _list_deeds(frames: Sequence[str], setting: Setting, seed: int) -> list[str]:
    """Return what can be done with what a setting has, as it stands inside a sentence."""
    filled = (
        fill_frame(frame, setting, 0, seed)
        for frame in _shuffle(frames, seed, "deeds", setting.domain)
    )
    return [text[:1].lower() + text[1:] for text in filled if text]


def _iterate_conditions(
    items: Sequence[Field], model: DomainModel, seed: int
) -> Iterator[tuple[Field, Expression]]:
    """Yield conditions on fields that have labels or numbers, one on each in turn."""
    decided = {item.constant.value for item in model.policy.values()}
    for turn in range(_TURNS):
        for item in _shuffle(items, seed, "conditions", turn):
            kind = item.type
            if isinstance(kind, EnumType) and len(kind.values) > turn:
                size = len(kind.values)
                label = kind.values[permute_index(turn, size, seed, "label", item.name)]
                yield (
                    item,
                    Compare(
                        Relation.EQ, Read(kind, item.name), Constant(kind, encode(kind, label))
                    ),
                )
            elif isinstance(kind, NumberType) and _is_measure(item, kind):
                amount = _draw_amount(item, kind, turn, seed)
                # The amount of a limit would be taken for the limit.
                if amount is not None and amount not in decided:
                    limit = Constant(NumberType(amount, amount, kind.places, kind.unit), amount)
                    yield item, Compare(Relation.GT, Read(kind, item.name), limit)


def _is_measure(item: Field, kind: NumberType) -> bool:
    """Return whether a number says how much or how many: others are names, as that of a coach."""
    return bool(kind.unit) or item.label.startswith("number of ")


def _draw_amount(item: Field, kind: NumberType, turn: int, seed: int) -> int | None:
    """Return a round amount within the usual range of a number, None where there is none."""
    usual = item.sampling.typical
    low, high = (usual.minimum, usual.maximum) if usual else (kind.minimum, kind.maximum)
    part = 1 + permute_index(turn, _PARTS - 1, seed, "amount", item.name)
    drawn = low + (high - low) * part // _PARTS
    unit = 10 ** max(len(str(abs(drawn))) - 1, 0)
    rounded = drawn // unit * unit
    return rounded if low < rounded < high else None


def _shuffle(items: Sequence[Given], seed: int, *key: str | int) -> list[Given]:
    size = len(items)
    return [items[permute_index(place, size, seed, *key)] for place in range(size)]
