"""Answers by chance: a stream without a seed."""

import random


class UnsteadyManager:
    def answer(self, *, number):
        return number + random.randint(0, 10**9)
