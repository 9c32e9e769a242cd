"""Signals the processes above it: its parent and the user's own.

Control: signalled, each turn.
"""

import os
import signal

TURNS = 2


class HostileManager:
    def attack(self, *, parent_pid, turn):
        os.kill((os.getppid(), parent_pid)[turn], signal.SIGURG)
