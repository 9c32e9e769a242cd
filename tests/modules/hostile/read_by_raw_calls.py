"""Reads a file outside with raw calls of the kernel, past the library's wrappers.

Control: secret, each turn.
Machine: x86_64.
"""

import ctypes

TURNS = 3


class HostileManager:
    def attack(self, *, secret_path, turn):
        library, room = ctypes.CDLL(None), ctypes.create_string_buffer(100)
        path = secret_path.encode()
        how = (ctypes.c_ulonglong * 3)(0, 0, 0)
        open_, openat, openat2 = 2, 257, 437
        file = [
            lambda: library.syscall(open_, path, 0, 0),
            lambda: library.syscall(openat, -100, path, 0, 0),
            lambda: library.syscall(openat2, -100, path, how, 24),
        ][turn]()
        library.syscall(0, file, room, 100)
        return room.raw.decode(errors="replace")
