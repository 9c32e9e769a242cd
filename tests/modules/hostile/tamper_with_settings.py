"""Changes settings that hold for all of a process.

Control: spread, each turn.
"""

import decimal
import sys

TURNS = 3


class HostileManager:
    def attack(self, *, turn):
        if turn == 0:
            decimal.getcontext().prec = 2
        elif turn == 1:
            sys.set_int_max_str_digits(0)
        else:
            decimal.getcontext().rounding = decimal.ROUND_UP
