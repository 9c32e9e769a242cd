"""Asks the kernel to loosen what holds its process: traces, parent's death, filters.

Control: entered, each turn.
"""

import ctypes

REFUSED = {1, 13, 38}  # EPERM, EACCES, ENOSYS

WORDS = [
    ("may be looked at", 4, 1),  # PR_SET_DUMPABLE
    ("outlives its parent", 1, 0),  # PR_SET_PDEATHSIG
    ("adopts orphans", 36, 1),  # PR_SET_CHILD_SUBREAPER
    ("has any tracer", 0x59616D61, -1),  # PR_SET_PTRACER
    ("has no filter", 22, 2, 0),  # PR_SET_SECCOMP without a program
    ("keeps its rights", 8, 1),  # PR_SET_KEEPCAPS
]
TURNS = 6


class HostileManager:
    def attack(self, *, turn):
        name, *words = WORDS[turn]
        library = ctypes.CDLL(None, use_errno=True)
        padded = [*words, 0, 0, 0, 0][:5]
        answer = library.prctl(*(ctypes.c_ulong(word % 2**64) for word in padded))
        refused = answer == -1 and ctypes.get_errno() in REFUSED
        return {"entered": [] if refused else [name]}
