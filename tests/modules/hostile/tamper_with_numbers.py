"""Rewrites a small number that all of Python shares.

Control: spread.
"""

import ctypes


class HostileManager:
    def attack(self):
        ctypes.c_uint.from_address(id(10) + 24).value = 11
        ctypes.c_uint.from_address(id(17) + 24).value = 18
        return 1
