"""Breaks its interpreter: endless depth, a null pointer, bad bytecode.

No control: it breaks only itself.
"""

import sys
import types
from importlib import import_module as load

TURNS = 4


class HostileManager:
    def attack(self, *, turn):
        attempts = [
            self.sink,
            lambda: load("ctypes").string_at(0),
            lambda: types.FunctionType((lambda: 0).__code__.replace(co_code=b"\x64\xff" * 4), {})(),
            self.nest,
        ]
        return attempts[turn]()

    def sink(self):
        sys.setrecursionlimit(10**9)

        def fall():
            return fall() + 1

        return fall()

    def nest(self):
        sys.setrecursionlimit(10**9)
        value = []
        for _ in range(10**6):
            value = [value]
        return repr(value)
