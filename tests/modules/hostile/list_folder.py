"""Learns names in a folder outside.

Control: secret, each turn.
"""

import os
from importlib import import_module as load

TURNS = 5


class HostileManager:
    def attack(self, *, guarded_folder, turn):
        attempts = [
            lambda: os.listdir(guarded_folder),
            lambda: [entry.name for entry in os.scandir(guarded_folder)],
            lambda: load("glob").glob(guarded_folder + "/*"),
            lambda: [str(path) for path in load("pathlib").Path(guarded_folder).rglob("*")],
            lambda: [names for _, names, _ in os.walk(guarded_folder)],
        ]
        return attempts[turn]()
