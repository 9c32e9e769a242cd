"""Answers in the order of a set of texts, which the salt of hashes decides."""


class UnsteadyManager:
    def answer(self, *, number):
        return list({f"item {n}" for n in range(number, number + 20)})
