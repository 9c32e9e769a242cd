"""Puts something else than a module in its own place while it loads.

No control: there is nothing to reach.
"""

import sys


class Module:
    __name__ = "tools"

    def __dir__(self):
        return ["HostileManager", "AManager", 5, None]

    def __getattr__(self, name):
        if name.startswith("__"):
            raise KeyboardInterrupt
        return lambda *_: self

    def attack(self, **_):
        return 1


sys.modules[__name__] = Module()


class HostileManager:
    def attack(self):
        return 1
