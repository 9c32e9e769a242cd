"""Writes half a gigabyte to every descriptor.

Control: flooded.
"""

import os


class HostileManager:
    def attack(self):
        part, broken = b"x" * 10**6, set()
        for _ in range(500):
            for descriptor in set(range(64)) - broken:
                try:
                    os.write(descriptor, part)
                except OSError:
                    broken.add(descriptor)
        return 1
