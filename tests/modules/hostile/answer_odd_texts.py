"""Answers with texts that are no texts: halves of letters, as value and as key.

Control: odd, each turn.
"""

TURNS = 4


class HostileManager:
    def attack(self, *, turn):
        return ["\ud800", {"\udfff": 1}, ["a\udc80b"], {"a": {"\ud83d": "\ude00"}}][turn]
