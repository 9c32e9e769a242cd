"""Answers with a hundred thousand lists, each in the next.

No control: an ordinary encoder refuses it too.
"""

import sys

TURNS = 3


class HostileManager:
    def attack(self, *, turn):
        value = None
        if turn == 2:
            sys.setrecursionlimit(10**8)
        for _ in range(100_000):
            value = {"a": value} if turn == 1 else [value]
        return value
