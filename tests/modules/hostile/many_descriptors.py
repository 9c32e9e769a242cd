"""Takes as many descriptors as it gets, ten thousand at most.

Control: open.
"""

import os
import time


class HostileManager:
    def attack(self):
        taken = []
        while len(taken) < 10_000:
            try:
                taken += os.pipe()
            except OSError:
                break
        time.sleep(0.3)
        return 1
