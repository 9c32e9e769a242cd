"""Answers with one list that stands a billion times in its answer.

Control: late.
"""


class HostileManager:
    def attack(self):
        value = []
        for _ in range(30):
            value = [value, value]
        return value
