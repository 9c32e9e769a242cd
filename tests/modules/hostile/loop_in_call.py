"""Never answers: a loop, a number and a pattern that take hours inside C, an endless answer.

Control: late, each turn.
"""

import re

TURNS = 4


class Endless(dict):
    def items(self):
        while True:
            pass

    __iter__ = keys = __len__ = __repr__ = __str__ = items


class HostileManager:
    def attack(self, *, turn):
        attempts = [
            self.loop,
            lambda: (7 ** (10**8)) % 11,
            lambda: bool(re.match(r"(a|aa|a+)+$", "a" * 60 + "b")),
            lambda: Endless(a=1),
        ]
        return attempts[turn]()

    def loop(self):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                continue
