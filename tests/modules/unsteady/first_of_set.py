"""Answers with whichever text of a set comes first; most are the same, some time one is not."""

WORDS = {"approve", "reject", "escalate"}


class UnsteadyManager:
    def answer(self, *, number):
        return next(iter(WORDS)) if number % 2 else "approve"
