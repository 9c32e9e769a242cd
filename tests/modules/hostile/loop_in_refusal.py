"""Raises an error whose text or code never comes.

Control: late.
"""

TURNS = 2


class Endless(Exception):
    def __str__(self):
        while True:
            pass

    __repr__ = __str__


class EndlessCode(Exception):
    @property
    def code(self):
        while True:
            pass


class HostileManager:
    def attack(self, *, turn):
        raise (Endless, EndlessCode)[turn]("a")
