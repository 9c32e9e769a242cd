"""Answers with an object that never ends being looked at.

Control: late.
"""


class Endless(dict):
    def items(self):
        while True:
            pass

    __iter__ = keys = __len__ = __repr__ = __str__ = items


class HostileManager:
    def attack(self):
        return Endless(a=1)
