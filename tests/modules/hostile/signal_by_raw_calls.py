"""Signals another process by raw calls of the kernel.

Control: signalled, each turn.
Machine: x86_64.
"""

import ctypes

TURNS = 6


class HostileManager:
    def attack(self, *, victim_pid, turn):
        call, urgent = ctypes.CDLL(None).syscall, 23
        queued = (ctypes.c_int * 32)(urgent, 0, -1)
        attempts = [
            lambda: call(62, victim_pid, urgent),  # kill
            lambda: call(200, victim_pid, urgent),  # tkill
            lambda: call(234, victim_pid, victim_pid, urgent),  # tgkill
            lambda: call(129, victim_pid, urgent, queued),  # rt_sigqueueinfo
            lambda: call(297, victim_pid, victim_pid, urgent, queued),  # rt_tgsigqueueinfo
            lambda: call(424, call(434, victim_pid, 0), urgent, None, 0),  # pidfd_send_signal
        ]
        attempts[turn]()
