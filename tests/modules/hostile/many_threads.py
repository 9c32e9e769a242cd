"""Starts a crowd of threads.

Control: many, each turn.
"""

import _thread
import threading
import time

TURNS = 2


class HostileManager:
    def attack(self, *, turn):
        for _ in range(40):
            if turn:
                _thread.start_new_thread(time.sleep, (1,))
            else:
                threading.Thread(target=time.sleep, args=(1,), daemon=True).start()
        time.sleep(0.5)
        return 1
