"""Takes memory in one piece, in many, by mapping, by unpacking; 1.2 GB at most.

Control: heavy, each turn.
"""

import time
from importlib import import_module as load

TURNS = 4


class HostileManager:
    def attack(self, *, turn):
        attempts = [
            lambda: b"x" * (12 * 10**8),
            lambda: [b"%d" % i * 10_000 for i in range(24_000)],
            self.mapped,
            self.unpacked,
        ]
        taken = attempts[turn]()
        time.sleep(0.2)
        return len(taken)

    def mapped(self):
        room = load("mmap").mmap(-1, 12 * 10**8)
        for at in range(0, len(room), 4096):
            room[at] = 1
        return room

    def unpacked(self):
        zlib = load("zlib")
        packed = zlib.compress(bytes(10**8), 9)
        return [zlib.decompress(packed) for _ in range(12)]
