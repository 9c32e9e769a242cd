"""Computes with decimals, fractions, big numbers and statistics."""

import decimal
import math
import statistics
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction


class GoodManager:
    def run(self, *, how):
        return getattr(self, how)()

    def cents(self):
        cent = Decimal("0.01")
        return [
            str(Decimal("2.675").quantize(cent, rounding=ROUND_HALF_UP)),
            str(Decimal("2.665").quantize(cent, rounding=ROUND_HALF_EVEN)),
            str(sum([Decimal("0.1")] * 3)),
        ]

    def contexts(self):
        with localcontext() as context:
            context.prec = 5
            inside = Decimal(2) / 3
        return [str(inside), str(Decimal(1) / 3)]

    def trapped(self):
        try:
            Decimal(1) / 0
        except decimal.DivisionByZero as raised:
            return type(raised).__name__

    def fractions(self):
        half = Fraction(1, 2) + Fraction("0.25")
        return [str(half), half.numerator, float(half), str(Fraction(0.1).limit_denominator(100))]

    def big(self):
        return [2**100, math.factorial(25), len(str(3**1000)), math.isqrt(10**40), pow(3, 200, 1009)]

    def floats(self):
        return [
            math.floor(-2.5),
            round(2.5),
            round(2.675, 2),
            math.isclose(0.1 + 0.2, 0.3),
            math.fsum([0.1] * 10),
            math.gcd(84, 36),
            math.comb(10, 3),
            0.1 + 0.2,
        ]

    def statistics(self):
        data = [2, 4, 4, 4, 5, 5, 7, 9]
        return [statistics.mean(data), statistics.median(data), statistics.pstdev(data), statistics.mode(data)]
