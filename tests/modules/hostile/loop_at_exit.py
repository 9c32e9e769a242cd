"""Never ends ending.

Control: late.
"""

import atexit


def loop():
    while True:
        pass


class HostileManager:
    def attack(self):
        atexit.register(loop)
        return 1

    def __del__(self):
        loop()
