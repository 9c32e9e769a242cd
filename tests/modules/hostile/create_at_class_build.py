"""Creates a file outside while its class is built, and again while the manager is.

Control: created, each turn.
"""

import json
from pathlib import Path

TURNS = 2

try:
    aims = json.loads(Path(__file__).with_name("aims.json").read_text())
except OSError:
    aims = {"empty_folder": "/nowhere"}


class Meta(type):
    def __new__(cls, name, bases, scope):
        try:
            Path(aims["empty_folder"], "mine").write_text("mine")
        except OSError:
            pass
        return super().__new__(cls, name, bases, scope)

    def __call__(cls):
        try:
            Path(aims["empty_folder"], "mine too").write_text("mine")
        except OSError:
            pass
        return super().__call__()


class HostileManager(metaclass=Meta):
    def attack(self, *, turn):
        return turn
