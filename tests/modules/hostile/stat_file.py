"""Learns the size of a file outside without reading it.

Control: size, each turn.
"""

import os
from importlib import import_module as load

TURNS = 5


class HostileManager:
    def attack(self, *, secret_path, guarded_folder, turn):
        attempts = [
            lambda: os.stat(secret_path).st_size,
            lambda: os.lstat(secret_path).st_size,
            lambda: os.path.getsize(secret_path),
            lambda: load("pathlib").Path(secret_path).stat().st_size,
            lambda: [entry.stat().st_size for entry in os.scandir(guarded_folder)],
        ]
        return attempts[turn]()
