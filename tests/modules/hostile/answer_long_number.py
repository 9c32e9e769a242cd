"""Answers with a number of a million digits, and lifts the limit of Python on such numbers.

Control: odd.
"""

import sys

TURNS = 2


class HostileManager:
    def attack(self, *, turn):
        if turn:
            sys.set_int_max_str_digits(0)
        return 10**6_000 if turn else 10**1_000_000
