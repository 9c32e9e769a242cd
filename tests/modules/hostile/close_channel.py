"""Closes every descriptor, answers, and waits.

No control: it cuts only itself off.
"""

import os

TURNS = 3


class HostileManager:
    def attack(self, *, turn):
        if turn == 0:
            os.closerange(0, 1024)
        for descriptor in range(1024 if turn else 0):
            try:
                if turn == 1:
                    os.close(descriptor)
                else:
                    os.set_blocking(descriptor, False)
            except OSError:
                continue
        return 1

    def honest(self, *, number):
        return number + 1
