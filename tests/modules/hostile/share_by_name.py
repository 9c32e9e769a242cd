"""Puts things where other processes find them: memory, queues, semaphores, by name and by key.

Control: shared, each turn.
"""

import os

TURNS = 7


class HostileManager:
    def attack(self, *, shared_name, shared_key, turn):
        if turn == 0:
            import _posixshmem

            _posixshmem.shm_open("/" + shared_name, os.O_CREAT | os.O_RDWR)
            return
        import ctypes

        library, name = ctypes.CDLL(None), b"/" + shared_name.encode()
        if turn == 1:
            library.mq_open(name, os.O_CREAT | os.O_RDWR, 0o600, None)
        elif turn == 2:
            library.sem_open.restype = ctypes.c_void_p
            library.sem_open(name, os.O_CREAT, 0o600, 1)
        elif turn == 3:
            add_key = 248 if os.uname().machine == "x86_64" else 217
            users_own = -4
            library.syscall(add_key, b"user", name, b"mine", 4, users_own)
        else:
            create, names = 0o1600, ("shmget", "semget", "msgget")
            words = [(shared_key, 4096, create), (shared_key, 1, create), (shared_key, create)]
            getattr(library, names[turn - 4])(*words[turn - 4])
