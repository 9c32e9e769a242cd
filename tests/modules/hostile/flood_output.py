"""Prints without end, to whatever output there is.

Control: flooded, each turn.
"""

import os
import sys

TURNS = 3


class HostileManager:
    def attack(self, *, turn):
        part = "x" * 10**6
        for _ in range(200):
            if turn == 0:
                print(part)
            elif turn == 1:
                sys.__stderr__.write(part)
            else:
                os.write(1, part.encode())
                os.write(2, part.encode())
        return 1
