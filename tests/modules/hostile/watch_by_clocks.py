"""Reads, by number, the clocks that count how busy other processes are.

Control: entered, each turn.
"""

import time

TURNS = 3


class HostileManager:
    def attack(self, *, turn, victim_pid):
        clock = (~victim_pid << 3) | 2
        attempts = [time.clock_gettime, time.clock_getres, self.first_of_all]
        return {"entered": [str(attempts[turn](clock))]}

    def first_of_all(self, _):
        for number in range(1, 32_768):
            try:
                return number, time.clock_gettime((~number << 3) | 2)
            except OSError:
                continue
        raise LookupError
