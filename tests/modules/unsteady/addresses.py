"""Answers by where its objects lie in memory."""


class UnsteadyManager:
    def answer(self, *, number):
        return [number, id(object()), repr(self)]
