"""Answers with numbers that JSON has not, and with halves of letters, as value and as key.

Control: odd, each turn.
"""

TURNS = 9


class HostileManager:
    def attack(self, *, turn):
        return [
            float("nan"),
            [float("inf")],
            {"a": -float("inf")},
            -float("nan"),
            {"a": {"b": [1, float("nan")]}},
            "\ud800",
            {"\udfff": 1},
            ["a\udc80b"],
            {"a": {"\ud83d": "\ude00"}},
        ][turn]
