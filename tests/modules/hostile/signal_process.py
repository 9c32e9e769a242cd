"""Signals another process, its parent and the user's own, by every means that Python has.

Control: signalled, each turn.
"""

import os
import signal
from importlib import import_module as load

TURNS = 7


class HostileManager:
    def attack(self, *, victim_pid, parent_pid, turn):
        attempts = [
            lambda: os.kill(victim_pid, signal.SIGURG),
            lambda: os.killpg(victim_pid, signal.SIGURG),
            lambda: signal.pidfd_send_signal(os.pidfd_open(victim_pid), signal.SIGURG),
            lambda: self.own(victim_pid),
            lambda: load("subprocess").run(["kill", "-URG", str(victim_pid)]),
            lambda: os.kill(os.getppid(), signal.SIGURG),
            lambda: os.kill(parent_pid, signal.SIGURG),
        ]
        attempts[turn]()

    def own(self, pid):
        import fcntl

        reader, writer = os.pipe()
        fcntl.fcntl(reader, fcntl.F_SETOWN, pid)
        fcntl.fcntl(reader, 10, signal.SIGURG)  # F_SETSIG
        fcntl.fcntl(reader, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
        os.write(writer, b"a")
