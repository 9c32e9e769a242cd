"""Looks for a secret in the environment of its own process.

Control: secret, each turn.
"""

import os
import re

TURNS = 5


def raw():
    import ctypes

    getenv = ctypes.CDLL(None).getenv
    getenv.restype = ctypes.c_char_p
    return getenv(b"SOPFORGE_CANARY")


class HostileManager:
    def attack(self, *, turn):
        import posix

        attempts = [
            lambda: dict(os.environ),
            lambda: posix.environ,
            lambda: open("/proc/self/environ", "rb").read(),
            raw,
            lambda: os.getenv("SOPFORGE_CANARY"),
        ]
        return re.findall("CANARY-[0-9a-f]{32}", str(attempts[turn]()))
