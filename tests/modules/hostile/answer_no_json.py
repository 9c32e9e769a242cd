"""Answers with objects that JSON has not, and with a hundred thousand lists, each in the next.

No control: an ordinary encoder refuses them too.
"""

import decimal
import sys

TURNS = 15


class HostileManager:
    def attack(self, *, turn):
        circle = []
        circle.append(circle)
        if turn == 14:
            sys.setrecursionlimit(10**8)
        return [
            {1, 2},
            b"bytes",
            1j,
            decimal.Decimal("NaN"),
            object(),
            (number for number in range(3)),
            circle,
            {(1, 2): 3},
            {None: 1, "null": 2},
            range(3),
            memoryview(b"a"),
            self,
            *map(self.nest, (list, dict, list)),
        ][turn]

    def nest(self, kind):
        value = None
        for _ in range(100_000):
            value = {"a": value} if kind is dict else [value]
        return value
