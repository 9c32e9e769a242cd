"""Stops its own process, so that it neither answers nor ends.

Control: late.
"""

import os
import signal


class HostileManager:
    def attack(self):
        os.kill(os.getpid(), signal.SIGSTOP)
