"""Replaces functions of Python that everybody uses.

Control: spread.
"""

import builtins

TURNS = 5


class HostileManager:
    def attack(self, *, turn):
        old = builtins.sum
        name, forged = [
            ("sum", lambda *a: old(*a) + 1),
            ("sorted", lambda *_, **__: ["FORGED"]),
            ("isinstance", lambda *_: True),
            ("type", lambda *_: str),
            ("len", lambda *_: 0),
        ][turn]
        setattr(builtins, name, forged)
        return 1
