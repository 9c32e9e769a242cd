"""Raises what is no ordinary error, in a call.

Control: odd.
"""

TURNS = 9


class Classless(Exception):
    __class__ = property(lambda self: int)


class Speechless(Exception):
    def __str__(self):
        raise KeyboardInterrupt

    __repr__ = __str__


class Numbered(Exception):
    def __str__(self):
        return 5


class Coded(Exception):
    code = type("Code", (str,), {"__str__": lambda self: 5, "encode": None})("code")


class CodeRaises(Exception):
    @property
    def code(self):
        raise SystemExit(0)


class HostileManager:
    def attack(self, *, turn):
        group = BaseExceptionGroup("many", [KeyboardInterrupt()])
        raise [
            SystemExit(0),
            KeyboardInterrupt(),
            GeneratorExit(),
            group,
            Classless("a"),
            Speechless("a"),
            Numbered("a"),
            Coded("a"),
            CodeRaises("a"),
        ][turn]
