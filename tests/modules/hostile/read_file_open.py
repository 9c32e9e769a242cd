"""Reads a file outside with open() and its relatives.

Control: secret, each turn.
"""

import io
from importlib import import_module as load

TURNS = 6


class HostileManager:
    def attack(self, *, secret_path, turn):
        attempts = [
            lambda: open(secret_path, "rb").read(100),
            lambda: load("pathlib").Path(secret_path).open("rb").read(100),
            lambda: io.FileIO(secret_path).read(100),
            lambda: io.open_code(secret_path).read(100),
            lambda: load("codecs").open(secret_path, "rb").read(100),
            lambda: open(secret_path, "r+b").read(100),
        ]
        return attempts[turn]().decode(errors="replace")
