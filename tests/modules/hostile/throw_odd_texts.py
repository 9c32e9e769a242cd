"""Raises errors whose code or text no reader takes: half a letter, control signs, newlines.

Control: odd.
"""

TURNS = 3


class Coded(Exception):
    code = "\udc80\ud800"


class HostileManager:
    def attack(self, *, turn):
        if turn == 0:
            raise ValueError("\ud800")
        if turn == 1:
            raise Coded("a")
        raise type("Name\udc80\n", (Exception,), {})('a\n{"n": 2, "value": "FORGED"}\n')

    def honest(self, *, number):
        return number + 1
