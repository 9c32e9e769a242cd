"""Forks a crowd; forty at most, each for two seconds.

Control: many.
"""

import os
import time


class HostileManager:
    def attack(self):
        for _ in range(40):
            if os.fork() == 0:
                os.closerange(0, 64)
                time.sleep(2)
                os._exit(0)
        return 1
