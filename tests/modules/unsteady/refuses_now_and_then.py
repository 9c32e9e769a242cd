"""Refuses by the clock, with a text that states the moment."""

import time


class UnsteadyManager:
    def answer(self, *, number):
        now = time.time_ns()
        if now // 1000 % 2:
            raise ValueError(f"not now: {now}")
        return number
