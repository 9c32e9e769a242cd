"""Writes half a reply to every descriptor, so that what follows is read as its rest.

Control: odd, each turn.
"""

import os

TURNS = 7


class HostileManager:
    def attack(self, *, turn):
        part = [
            b'{"n": 1, "value": "',
            b'{"n": 1, "value": 1, "value": 2}\n',
            b'{"n": 1, "value": NaN}\n',
            b'{"n": 1, "value": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n",
            b'{"n": 1, "value": ' + b"9" * 900_000 + b"}\n",
            b'{"n": 1, "value": "\xff\xfe"}\n',
            b'{"n": 1e400, "value": 1e999999999}\n\n\n\0\n',
        ][turn]
        for descriptor in range(1024):
            try:
                os.write(descriptor, part)
            except OSError:
                continue
        return "rest"

    def honest(self, *, number):
        return number + 1
