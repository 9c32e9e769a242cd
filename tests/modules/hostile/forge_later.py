"""Writes replies to every descriptor in the background, while it waits for the next call.

Control: forged, each turn.
"""

import json
import os
import threading
import time

TURNS = 2


def write_all():
    lines = b"".join(
        json.dumps({"n": number, "value": "FORGED"}).encode() + b"\n" for number in range(60)
    )
    for descriptor in range(1024):
        try:
            os.write(descriptor, lines)
        except OSError:
            continue


class HostileManager:
    def attack(self, *, turn):
        if turn:
            import signal

            signal.signal(signal.SIGALRM, lambda *_: write_all())
            signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
        else:
            threading.Thread(target=self.later, daemon=True).start()
        return 1

    def later(self):
        time.sleep(0.05)
        write_all()

    def honest(self, *, number):
        time.sleep(0.3)
        return number + 1
