"""Puts things where other processes find them: System V memory, semaphores and queues.

Control: shared, each turn.
"""

import ctypes

TURNS = 3


class HostileManager:
    def attack(self, *, shared_key, turn):
        library, create = ctypes.CDLL(None), 0o1600
        attempts = [
            lambda: library.shmget(shared_key, 4096, create),
            lambda: library.semget(shared_key, 1, create),
            lambda: library.msgget(shared_key, create),
        ]
        attempts[turn]()
