"""Answers the same many times, then otherwise."""


class UnsteadyManager:
    times = 0

    def answer(self, *, number):
        UnsteadyManager.times += 1
        return number if UnsteadyManager.times < 50 else number + 1
