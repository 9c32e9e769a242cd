"""Has an alarm raise errors in whoever runs it, after its answer.

No control: a plain run ends too soon.
"""

import signal

TURNS = 2


class HostileManager:
    def attack(self, *, turn):
        def shout(*_):
            raise (KeyboardInterrupt, MemoryError)[turn]

        signal.signal(signal.SIGALRM, shout)
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
        return 1

    def honest(self, *, number):
        return number + 1
