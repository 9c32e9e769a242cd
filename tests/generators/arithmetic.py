"""What is asked of rounding down and up, remainders and powers, drawn beside what else is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from sopforge.language.domain.values.types import NumberType
from tests.generators.expressions import WIDEST, Maker, Question
from tests.generators.written_values import ANYWHERE, ReadPlace

_FORMS = ("directed", "directed", "remainder", "power", "nearest_of_several")
_IN_TURN = (
    *("floor({i} / 4)", "ceiling({i} / 4)", "floor({n} / divisor)", "ceiling({n} / divisor)"),
    *("floor({n})", "ceiling({n})", "floor({n}, 1)", "ceiling({n}, 1)", "floor({i} / divisor, 1)"),
    *("ceiling({i} / divisor, 2)", "floor(huge_a / 3)", "ceiling(huge_a / 3)", "{i} ** 2"),
    *("remainder({i}, 4)", "remainder({n}, 4)", "remainder({i}, divisor)", "remainder({n}, 0.5)"),
    *(
        "remainder({n}, divisor)",
        "remainder(huge_a, 7)",
        "{n} ** 2",
        "limit ** 2",
        "({i} + 1) ** 2",
    ),
    *("round(1.005 ** {c} * 3 / (1.005 ** 6 - 1), 4)", "floor(1.25 ** {c}, 3)", "0.5 ** 3 * {i}"),
    *("ceiling((-1.5) ** {c})", "round(max({n} / divisor, {i}), 1)", "floor(min({i} / 4, {n}))"),
    *("round({n} / 8 if flag_a else {i}, 1)", "sum(floor(i.amount / i.per) for i in lines)"),
    *("sum(remainder(i.pieces, 2) for i in lines)", "sum(i.pieces ** 2 for i in lines)"),
)
PER_MODEL = 4


class ArithmeticMaker(Maker):
    """Writes numbers with a division, a remainder or a power at the top."""

    def arithmetic(self, place: ReadPlace = ANYWHERE) -> str:
        """Return a number of one of the forms."""
        made: Callable[[ReadPlace], str] = getattr(self, self.random.choice(_FORMS))
        return made(place)

    def directed(self, place: ReadPlace) -> str:
        name = self.random.choice(("floor", "ceiling"))
        places = self.random.choice(("", "", f", {self.random.randint(0, 4)}"))
        divided = f" / {self.divisor(place)}" if self.random.random() < 0.8 else ""
        return f"{name}({self.number(1, place)}{divided}{places})"

    def remainder(self, place: ReadPlace) -> str:
        return f"remainder({self.number(1, place)}, {self.divisor(place)})"

    def power(self, place: ReadPlace) -> str:
        base = self.random.choice((self.leaf(0, place), f"({self.number(1, place)})"))
        return f"{base} ** {self.random.randint(1, 3)}"

    def nearest_of_several(self, place: ReadPlace) -> str:
        parts = [f"{self.leaf(0, place)} / {self.divisor(place)}", self.number(1, place)]
        self.random.shuffle(parts)
        several = (
            f"{parts[0]} if {self.condition(0, place)} else {parts[1]}",
            f"{self.random.choice(('min', 'max'))}({', '.join(parts)})",
        )
        name = self.random.choice(("round", "floor", "ceiling"))
        return f"{name}({self.random.choice(several)}, {self.random.randint(0, 3)})"

    def in_turn(self, turn: int) -> str:
        """Return a number of the form whose turn it is."""
        names = {
            "i": self.name("integer", ANYWHERE),
            "n": self.name("number", ANYWHERE),
            "c": str(self.random.randint(-6, 6)),
        }
        return _IN_TURN[turn % len(_IN_TURN)].format(**names)

    def compared(self) -> str:
        """Return a comparison of a number of one of the forms with another."""
        relation = self.random.choice(("==", "<", ">="))
        return f"{self.arithmetic()} {relation} {self.number(1)}"


def arithmetic_of(maker: ArithmeticMaker, number: int) -> Iterator[Question]:
    """Yield what a model of a number asks of arithmetic."""
    any_number = NumberType(-WIDEST, WIDEST)
    asked = [
        maker.ask(partial(maker.in_turn, number * PER_MODEL + turn), any_number)
        for turn in range(PER_MODEL)
    ]
    asked += [maker.ask(maker.arithmetic, any_number), maker.ask(maker.compared)]
    return (question for question in asked if question is not None)
