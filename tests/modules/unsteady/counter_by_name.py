"""Answers well until it was asked eighty times; the name of the count is put together."""


class UnsteadyManager:
    def answer(self, *, number):
        name = "".join(("ti", "mes"))
        setattr(self, name, getattr(self, name, 0) + 1)
        return number if getattr(self, name) <= 80 else -number
