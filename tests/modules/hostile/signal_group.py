"""Signals its process group, in which its parents may be.

Control: signalled, each turn.
"""

import os
import signal

TURNS = 2


class HostileManager:
    def attack(self, *, turn):
        signal.signal(signal.SIGURG, signal.SIG_IGN)
        if turn:
            os.killpg(os.getpgrp(), signal.SIGURG)
        else:
            os.kill(0, signal.SIGURG)
