"""Keeps half of what it did when it refuses, and answers by that."""


class UnsteadyManager:
    def __init__(self):
        self.total = 0

    def answer(self, *, number):
        self.total += number
        if number < 0:
            raise ValueError("a number is not negative")
        return self.total
