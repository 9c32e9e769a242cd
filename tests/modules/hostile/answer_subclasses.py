"""Answers with children of the plain types, which show one value to a check and another after.

Control: odd, each turn.
"""

TURNS = 4


class Dict(dict):
    def items(self):
        return [("a", 1), ("a", 2)]


class List(list):
    def __iter__(self):
        return iter([float("nan")])


class Key(str):
    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return id(self)


class Number(float):
    def __repr__(self):
        return "NaN"


class HostileManager:
    def attack(self, *, turn):
        return [
            Dict(a=1),
            [float(x) for x in List([1])],
            {Key("a"): 1, Key("a"): 2},
            [Number("nan")],
        ][turn]
