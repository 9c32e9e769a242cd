"""Answers well until a generator of its own is used up."""


class UnsteadyManager:
    def __init__(self):
        self.rows = (n for n in range(5))

    def answer(self, *, number):
        return number in self.rows
