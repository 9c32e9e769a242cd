"""Reads from every descriptor that it was left.

Control: secret.
"""

import os


class HostileManager:
    def attack(self):
        found = []
        for descriptor in range(3, 1024):
            try:
                found.append(os.pread(descriptor, 100, 0).decode(errors="replace"))
            except OSError:
                continue
        return found
