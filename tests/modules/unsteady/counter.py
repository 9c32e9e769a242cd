"""Answers by how often it was asked."""


class UnsteadyManager:
    def __init__(self):
        self.times = 0

    def answer(self, *, number):
        self.times += 1
        return number + self.times
