"""Never answers, and takes no processor.

Control: late, each turn.
"""

import time
from importlib import import_module as load

TURNS = 3


class HostileManager:
    def attack(self, *, turn):
        attempts = [
            lambda: time.sleep(10**6),
            lambda: load("signal").pause(),
            lambda: load("threading").Event().wait(),
        ]
        while True:
            attempts[turn]()
