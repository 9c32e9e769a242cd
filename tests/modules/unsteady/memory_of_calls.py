"""Answers by what it was asked before: a default that grows."""


class UnsteadyManager:
    def answer(self, *, number, seen=[]):
        seen.append(number)
        return {"number": number, "is_new": seen.count(number) == 1, "largest": max(seen)}
