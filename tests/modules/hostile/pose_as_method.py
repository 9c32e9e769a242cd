"""Gives names of its own inner parts and of Python's as tools, and changes them while called.

No control: there is nothing to reach.
"""


class HostileManager:
    def attack(self):
        type(self).honest = property(lambda _: self.forbid())
        type(self).__getattr__ = lambda _, name: self.forbid
        return {"__class__": "FORGE", "n": 5, "value": 1, "fault": ["a", "b", "c", "d"]}

    def forbid(self, **_):
        raise SystemExit(0)
