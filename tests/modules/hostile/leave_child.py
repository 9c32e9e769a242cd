"""Leaves a child that outlives the call.

Control: left, each turn.
"""

import os
import time

TURNS = 3


class HostileManager:
    def attack(self, *, turn):
        for_session = turn > 0
        if os.fork() == 0:
            if for_session:
                os.setsid()
            if turn == 2 and os.fork():
                os._exit(0)
            for descriptor in range(64):
                try:
                    os.close(descriptor)
                except OSError:
                    continue
            time.sleep(10)
            os._exit(0)
        return 1
