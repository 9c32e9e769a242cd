"""Questions that models ask in turn: each is aimed at an operator and a type."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from tests.generators.expressions import RELATIONS, Maker
from tests.generators.scopes import OPTIONAL
from tests.generators.written_values import ANYWHERE

MakerOfText: TypeAlias = Callable[[Maker], str]

_ENDINGS = {"enum": "label", "text": "text"}


def _huge_and_small(maker: Maker, relation: str) -> str:
    return f"huge_b {relation} {maker.name('integer', ANYWHERE)}"


def _conditions_in_turn() -> list[MakerOfText]:
    made: list[MakerOfText] = []
    for relation in RELATIONS:
        for word in ("integer", "number", "date", "date-time"):
            made.append(partial(Maker.fact, word=word, relation=relation))
            made.append(partial(Maker.item_fact, word=word, relation=relation))
        made += [partial(Maker.item_fact, word="number", relation=relation)]
        made += [partial(Maker.mixed, relation=relation), partial(Maker.ratio, relation=relation)]
        made += [partial(Maker.aimed_ratio, relation=relation)] * 2
        made += [partial(_huge_and_small, relation=relation)]
        made += [
            partial(Maker.fact, word="huge", relation=relation, name=name)
            for name in ("huge_a", "huge_b")
        ]
        made += [
            partial(Maker.guarded_fact, name=name, relation=relation)
            for name in ("may_whole", "may_price", "may_day", "may_time")
        ]
    for word in ("enum", "text"):
        for relation in ("==", "!="):
            made.append(partial(Maker.fact, word=word, relation=relation))
            made.append(partial(Maker.item_fact, word=word, relation=relation))
            made.append(
                partial(Maker.guarded_fact, name=f"may_{_ENDINGS[word]}", relation=relation)
            )
    for relation in RELATIONS[2:]:
        made.append(partial(Maker.fact, word="enum", relation=relation, name="label_a"))
        made.append(partial(Maker.item_fact, word="enum", relation=relation))
        made.append(partial(Maker.guarded_fact, name="may_label", relation=relation))
        for extreme in ("min", "max"):
            made.append(partial(_extreme_label, extreme=extreme, relation=relation))
    for word in ("set", "boolean"):
        made += [partial(Maker.item_fact, word=word, relation="==")]
        made += [partial(Maker.fact, word=word, relation="==")] * 2
    made += [lambda _: "(not present(may_tags) or may_tags <= ['Urgent'])"]
    made += [partial(Maker.guarded_fact, name=name) for name in sorted(OPTIONAL)]
    made += [lambda maker: f"present({maker.random.choice(sorted(OPTIONAL))})", Maker.chain]
    made += [partial(_label_at, place=place) for place in ("first", "last", "median")]
    made += [partial(_weekday_fact, weekday=weekday) for weekday in ("Monday", "Sunday", "Friday")]
    made += [lambda maker: f"not ({maker.fact('integer', '<')} and flag_a)"]
    return made


def _extreme_label(maker: Maker, extreme: str, relation: str) -> str:
    if maker.random.random() < 0.5:
        return f"{extreme}(label_a, label_b) {relation} {maker.ranked('label_a', ANYWHERE)}"
    where = maker.random.choice(("", " if i.paid"))
    return f"{extreme}((i.kind for i in lines{where}), default=label_a) {relation} label_b"


def _label_at(maker: Maker, place: str) -> str:
    items = f"(i.kind for i in lines if {maker.random.choice(('i.paid', 'not i.paid'))})"
    return f"{place}({items}, default=label_a) == label_b"


def _weekday_fact(maker: Maker, weekday: str) -> str:
    return f"weekday_of({maker.name('date', ANYWHERE)}) == {weekday!r}"


def _numbers_in_turn() -> list[MakerOfText]:
    def binary(maker: Maker, operator: str, left: str, right: str) -> str:
        return f"{maker.name(left, ANYWHERE)} {operator} {maker.name(right, ANYWHERE)}"

    def call(maker: Maker, text: str) -> str:
        words = re.findall(r"\{([a-z-]+)\}", text)
        names = {word: [maker.name(word, ANYWHERE) for _ in range(2)] for word in {*words}}
        for word in words:
            text = text.replace(f"{{{word}}}", names[word].pop(), 1)
        return text

    pairs = (("integer", "integer"), ("number", "number"), ("number", "integer"))
    made: list[MakerOfText] = [
        partial(binary, operator=operator, left=left, right=right)
        for operator in "+-*"
        for left, right in (*pairs, ("huge", "integer"))
        if (operator, left) != ("*", "huge")
    ]
    texts = (
        *("-{integer}", "-{number}", "abs({integer})", "abs({number})", "abs(huge_a)"),
        *("round({integer} / 2, 0)", "round({number} / 2, 2)", "round({integer} / divisor, 1)"),
        *(
            "round({number} / 4, 1)",
            "round({number}, 0)",
            "round({number}, 1)",
            "round({number}, 2)",
        ),
        *("round({integer} / 8, 2)", "round(huge_a / 4, 0)", "round({number}, 4)"),
        *("min({integer}, {integer})", "max({number}, {integer}, 3)", "min(huge_a, whole_a)"),
        *(
            "max({integer}, {integer}, 0)",
            "min({number}, {number})",
            "max({number}, {number})",
            "max(huge_a, {integer})",
        ),
        *("{integer} if flag_a else {number}", "huge_a - 1 if huge_a > 0 else huge_a + 1"),
        *("round({integer} / may_divisor, 2) if present(may_divisor) else 0", "count({set})"),
        *("days_between({date}, {date})", "workdays_between({date}, {date}, bank)"),
        *("minutes_between({date-time}, {date-time})", "count(i for i in lines)"),
        *(
            f"minutes_between({{date-time}}, add_{unit}({{date-time}}, {count}))"
            for unit in ("minutes", "hours", "days")
            for count in ("0", "-30", "30", "whole_a" if unit != "minutes" else "pause")
        ),
        "hour_of({date-time})",
        *("count(i for i in lines if i.paid)", "sum(i.amount for i in lines)"),
        *("sum(i.pieces for i in lines if i.paid)", "min((i.pieces for i in lines), default=-1)"),
        *(
            "max((i.amount for i in lines if i.paid), default=0)",
            "sum(i.pieces * 2 for i in lines)",
        ),
        *("max((i.pieces for i in lines if not i.paid), default=3)",),
        *("min((i.pieces for i in lines if i.paid), default=2)",),
        *("min((i.amount for i in lines if i.paid), default=5)",),
        *("average((i.pieces for i in lines), places=1, default=0)",),
        *("average((i.amount for i in lines if i.paid), places=0, default=-2)",),
        *("average((i.pieces for i in lines), places=0, default=0)",),
        *("average((i.amount for i in lines), places=1, default=0)",),
        *("average((i.amount for i in lines), places=0, default=0)",),
        *("average((i.amount for i in lines), places=2, default=-0.5)",),
        *("average((i.amount for i in lines if not i.paid), places=3, default=0)",),
        *("average((i.pieces for i in lines if i.kind == 'Red'), places=0, default=9)",),
        *(
            "sum(round(i.amount / i.per, 2) for i in lines)",
            "count(i for i in lines if i.due > day_a)",
        ),
        *("sum(count(i.marks) for i in lines)", "count(i for i in lines if i.note == text_a)"),
        *("count(i for i in may_lines) if present(may_lines) else -1",),
    )
    return made + [partial(call, text=text) for text in texts]


def _dates_in_turn() -> list[MakerOfText]:
    texts = (
        *(
            "add_days({0}, {1})",
            "add_months({0}, {2})",
            "add_months({0}, 1)",
            "add_months({0}, -1)",
        ),
        *("add_months({0}, 0)", "add_months({0}, 12)", "add_months({0}, -12)", "date_of({3})"),
        *(
            "add_days({0}, -1)",
            "add_days({0}, 0)",
            "{0} if flag_a else cutoff",
            "add_months({0}, 6)",
        ),
        *("add_months(date_of({3}), {2})", "add_days(add_months({0}, 1), -1)"),
        *("add_months({0}, -2)", "add_months({0}, 2)", "add_days({0}, 30)"),
        *("add_workdays({0}, 0, bank)", "add_workdays({0}, max({1}, 0), bank)"),
        *("add_workdays({0}, 1, bank)", "add_workdays({0}, 10, bank)"),
    )

    def make(maker: Maker, text: str) -> str:
        parts = (maker.name("date", ANYWHERE), maker.count(40, ANYWHERE), maker.count(14, ANYWHERE))
        return text.format(*parts, maker.name("date-time", ANYWHERE))

    return [partial(make, text=text) for text in texts]


CONDITIONS_IN_TURN = _conditions_in_turn()
NUMBERS_IN_TURN = _numbers_in_turn()
DATES_IN_TURN = _dates_in_turn()
