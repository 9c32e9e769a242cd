"""Talks to a listener by raw calls of the kernel.

Control: heard.
Machine: x86_64.
"""

import ctypes
import struct


class HostileManager:
    def attack(self, *, tcp_port):
        call = ctypes.CDLL(None).syscall
        caller = call(41, 2, 1, 0)
        address = struct.pack("=H", 2) + struct.pack(">H4B8x", tcp_port, 127, 0, 0, 1)
        call(42, caller, address, 16)
        call(1, caller, b"mine", 4)
