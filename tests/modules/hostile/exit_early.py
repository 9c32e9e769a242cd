"""Ends its process with status 0, in a call.

No control: it ends only itself.
"""

import os
from importlib import import_module as load

TURNS = 5


class HostileManager:
    def attack(self, *, turn):
        attempts = [
            lambda: os._exit(0),
            lambda: load("sys").exit(0),
            lambda: load("signal").raise_signal(9),
            lambda: os.abort(),
            lambda: load("faulthandler")._sigsegv(),
        ]
        attempts[turn]()
