"""Takes 1.2 GB while it loads.

Control: heavy.
"""

import time

taken = b"x" * (12 * 10**8)
time.sleep(0.2)


class HostileManager:
    def attack(self):
        return len(taken)
