"""Ignores every signal that it can, raises its limits, and never ends.

Control: late.
"""

import resource
import signal


class HostileManager:
    def attack(self):
        for number in signal.valid_signals():
            try:
                signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError):
                continue
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            _, hard = resource.getrlimit(resource.RLIMIT_CPU)
            resource.setrlimit(resource.RLIMIT_CPU, (hard, hard))
        except (OSError, ValueError):
            pass
        while True:
            pass
