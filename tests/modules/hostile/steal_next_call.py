"""Reads the channel itself, so that the next call is lost or read twice.

No control: a plain run gets no calls.
"""

import os
import threading

TURNS = 2


class HostileManager:
    def attack(self, *, turn):
        if turn:
            threading.Thread(target=self.read_all, daemon=True).start()
        else:
            for descriptor in range(1024):
                try:
                    os.set_blocking(descriptor, False)
                    os.read(descriptor, 10**6)
                except OSError:
                    continue
        return 1

    def read_all(self):
        for descriptor in range(16):
            try:
                os.read(descriptor, 10**6)
            except OSError:
                continue

    def honest(self, *, number):
        return number + 1
