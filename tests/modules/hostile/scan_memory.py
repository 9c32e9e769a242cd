"""Searches its whole memory for data of other modules.

Control: secret, each turn.
"""

import re

TURNS = 2


class HostileManager:
    def attack(self, *, turn):
        found = set()
        with open("/proc/self/maps") as maps:
            lines = [line for line in maps if " rw-p " in line and "[v" not in line]
        memory = open("/proc/self/mem", "rb", buffering=0) if turn else None
        for line in lines:
            start, end = (int(part, 16) for part in line.split()[0].split("-"))
            if turn:
                memory.seek(start)
                part = memory.read(end - start)
            else:
                import ctypes

                part = ctypes.string_at(start, end - start)
            found |= set(re.findall(b"CANARY-[0-9a-f]{32}", part))
        return sorted(one.decode() for one in found)
