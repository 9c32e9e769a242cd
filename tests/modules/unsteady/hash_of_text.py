"""Answers by the hash of a text, which is salted in every process."""


class UnsteadyManager:
    def answer(self, *, number):
        return hash(f"number {number}")
