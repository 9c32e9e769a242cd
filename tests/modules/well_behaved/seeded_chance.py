"""Draws from streams with a seed."""

import random


class GoodManager:
    def __init__(self):
        self.stream = random.Random("sop")

    def run(self, *, seed):
        stream = random.Random(seed)
        first = [stream.random() for _ in range(2)]
        again = random.Random(seed)
        cards = list(range(5))
        again.shuffle(cards)
        random.seed(seed)
        return {
            "first": first,
            "same": first[0] == random.Random(seed).random(),
            "sorted": sorted(cards),
            "global": random.random() == first[0],
            "within": 0 <= self.stream.randrange(10) < 10,
        }
