"""Answers with a list of its own that it changes afterwards."""


class UnsteadyManager:
    def __init__(self):
        self.row = {"calls": []}

    def answer(self, *, number):
        self.row["calls"].append(number)
        return self.row
