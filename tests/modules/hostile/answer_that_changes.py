"""Answers with a list that changes while it is looked at, through a thread and through its items.

No control: who wins is a matter of time.
"""

import threading
import time

TURNS = 2


class Trap(dict):
    def __init__(self, whole):
        self.whole = whole

    def items(self):
        self.whole[0] = float("nan")
        return super().items()

    __iter__ = keys = __len__ = items


class HostileManager:
    def attack(self, *, turn):
        answer = [1] * 200_000
        if turn:
            answer.append(Trap(answer))
            return answer
        threading.Thread(target=self.change, args=(answer,), daemon=True).start()
        return answer

    def change(self, answer):
        end = time.monotonic() + 1
        while time.monotonic() < end:
            answer[-1] = float("nan")
            answer[-1] = "\ud800"
