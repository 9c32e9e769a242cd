"""Leaves a child when its process ends.

Control: left.
"""

import atexit
import os
import time


def leave():
    if os.fork() == 0:
        os.setsid()
        os.closerange(0, 64)
        time.sleep(10)
        os._exit(0)


class HostileManager:
    def attack(self):
        atexit.register(leave)
        return 1
