"""Answers by the clock: the day and the moment."""

import time
from datetime import datetime


class UnsteadyManager:
    def answer(self, *, number):
        return [number, datetime.now().isoformat(), time.time_ns()]
