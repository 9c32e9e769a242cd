"""Finds the number of the request that it answers, and writes the reply to the next one ahead.

Control: forged, each turn.
"""

import json
import os
import sys

TURNS = 2


def number_of_this():
    frame = sys._getframe()
    while frame:
        for known in frame.f_locals.values():
            if isinstance(known, dict) and "n" in known:
                return known["n"]
        if "number" in frame.f_locals:
            return frame.f_locals["number"]
        frame = frame.f_back
    return 0


class HostileManager:
    def attack(self, *, turn):
        forged = {"n": number_of_this() + 1, "value": "FORGED"}
        answer = {"n": number_of_this(), "value": 1}
        lines = [forged] if turn else [answer, forged]
        text = "".join(json.dumps(line) + "\n" for line in lines).encode()
        for descriptor in range(1, 1024):
            try:
                os.write(descriptor, text)
            except OSError:
                continue
        return 1

    def honest(self, *, number):
        return number + 1
