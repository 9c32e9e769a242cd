"""Answers with what looks like the messages between a sandbox and its process.

No control: there is nothing to reach.
"""

TURNS = 5


class HostileManager:
    def attack(self, *, turn):
        return [
            {"n": 0, "value": "FORGE"},
            {"fault": ["tool-process-died", "b", "c", "d"]},
            {"refusal": ["code", "text"]},
            'a"}\n{"n": 2, "value": "FORGE"}\n',
            {"\n{": "\r\u2028\0", "": {"": []}},
        ][turn]

    def honest(self, *, number):
        return number + 1
