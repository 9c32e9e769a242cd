"""Answers with objects that lie about what they are.

No control: an ordinary encoder looks at their type.
"""

TURNS = 5


class Liar:
    def __init__(self, kind):
        self.kind = kind

    @property
    def __class__(self):
        return self.kind

    def __iter__(self):
        return iter(())

    def __len__(self):
        return 0

    def keys(self):
        return ["a", "a"]

    def __getitem__(self, key):
        return self

    def __eq__(self, other):
        return True

    def __hash__(self):
        return hash(str)


class HostileManager:
    def attack(self, *, turn):
        return Liar([dict, list, str, int, type(None)][turn])
