"""Answers with more than anybody reads.

Control: flooded, each turn.
"""

TURNS = 4


class Loud(Exception):
    code = "c" * 5_000_000


class HostileManager:
    def attack(self, *, turn):
        if turn == 2:
            raise ValueError("x" * 5_000_000)
        if turn == 3:
            raise Loud("a")
        return ["x" * 5_000_000, list(range(10**6))][turn]
