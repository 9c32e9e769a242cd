"""Answers with numbers that JSON has not.

Control: odd, each turn.
"""

TURNS = 5


class HostileManager:
    def attack(self, *, turn):
        return [
            float("nan"),
            [float("inf")],
            {"a": -float("inf")},
            -float("nan"),
            {"a": {"b": [1, float("nan")]}},
        ][turn]
