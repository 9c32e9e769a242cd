"""Leaves a child while it loads.

Control: left.
"""

import os
import time

if os.fork() == 0:
    os.setsid()
    os.closerange(0, 64)
    time.sleep(10)
    os._exit(0)


class HostileManager:
    def attack(self):
        return 1
