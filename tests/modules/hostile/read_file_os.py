"""Reads a file outside with the functions of os, through every name of its folder.

Control: secret, each turn.
"""

import os

TURNS = 4


class HostileManager:
    def attack(self, *, secret_path, turn):
        folder, _, name = secret_path.rpartition("/")
        attempts = [
            lambda: os.open(secret_path, os.O_RDONLY),
            lambda: os.open(name, os.O_RDONLY, dir_fd=os.open(folder, os.O_PATH)),
            lambda: os.open("/proc/self/root" + secret_path, os.O_RDONLY),
            lambda: os.open("../" * 40 + secret_path[1:], os.O_RDONLY),
        ]
        return os.pread(attempts[turn](), 100, 0).decode(errors="replace")
