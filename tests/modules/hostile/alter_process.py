"""Changes priority, processors, limits or scheduling of another process.

Control: altered, each turn.
"""

import os
import resource

TURNS = 5


class HostileManager:
    def attack(self, *, victim_pid, turn):
        attempts = [
            lambda: os.setpriority(os.PRIO_PROCESS, victim_pid, 7),
            lambda: os.sched_setaffinity(victim_pid, {min(os.sched_getaffinity(0))}),
            lambda: os.sched_setscheduler(victim_pid, os.SCHED_BATCH, os.sched_param(0)),
            lambda: resource.prlimit(victim_pid, resource.RLIMIT_NOFILE, (64, 64)),
            lambda: self.lower(victim_pid),
        ]
        attempts[turn]()

    def lower(self, pid):
        import ctypes

        ioprio_set, idle = {"x86_64": 251}.get(os.uname().machine, 30), 3 << 13
        ctypes.CDLL(None).syscall(ioprio_set, 1, pid, idle)
