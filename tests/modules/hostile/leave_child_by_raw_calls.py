"""Leaves a child made by raw calls of the kernel: fork, vfork's kin, clone, clone3, a sibling.

Control: left, each turn.
Machine: x86_64.
"""

import ctypes
import os
import struct
import time

TURNS = 4


class HostileManager:
    def attack(self, *, turn):
        call = ctypes.CDLL(None).syscall
        words = struct.pack("11Q", 0, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0)
        child = [
            lambda: call(57),
            lambda: call(56, 17, 0, 0, 0, 0),
            lambda: call(435, words, len(words)),
            lambda: call(56, 17 | 0x8000, 0, 0, 0, 0),
        ][turn]()
        if child == 0:
            os.closerange(0, 64)
            time.sleep(10)
            os._exit(0)
        return 1
