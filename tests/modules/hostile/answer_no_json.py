"""Answers with objects that JSON has not.

No control: an ordinary encoder refuses them too.
"""

import decimal

TURNS = 12


class HostileManager:
    def attack(self, *, turn):
        circle = []
        circle.append(circle)
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
        ][turn]
