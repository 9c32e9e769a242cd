"""Answers by how long its own work took."""

import time


class UnsteadyManager:
    def answer(self, *, number):
        start = time.perf_counter_ns()
        sum(range(1000))
        return number + time.perf_counter_ns() - start
