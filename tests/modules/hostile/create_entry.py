"""Creates an entry of any kind in a folder outside.

Control: created, each turn.
"""

import os
from importlib import import_module as load

TURNS = 9


class HostileManager:
    def attack(self, *, empty_folder, turn):
        path = empty_folder + "/mine"
        attempts = [
            lambda: open(path, "x"),
            lambda: os.mkdir(path),
            lambda: os.mkfifo(path),
            lambda: os.symlink("/etc", path),
            lambda: load("socket").socket(load("socket").AF_UNIX).bind(path),
            lambda: load("tempfile").mkstemp(dir=empty_folder),
            lambda: os.close(os.open(path, os.O_CREAT | os.O_WRONLY)),
            lambda: os.link(__file__, path),
            lambda: os.mknod(path, 0o600 | 0o100000),
        ]
        attempts[turn]()
