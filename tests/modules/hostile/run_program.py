"""Runs another program.

Control: created, each turn.
"""

import os
from importlib import import_module as load

TURNS = 6


class HostileManager:
    def attack(self, *, empty_folder, turn):
        path = empty_folder + "/mine"
        line = ["/bin/sh", "-c", f": > '{path}'"]
        attempts = [
            lambda: os.system(line[2]),
            lambda: load("subprocess").run(line),
            lambda: os.waitpid(os.posix_spawn(line[0], line, {}), 0),
            lambda: os.execv(line[0], line),
            lambda: os.popen(line[2]).read(),
            lambda: os.spawnv(os.P_WAIT, line[0], line),
        ]
        return str(attempts[turn]())
