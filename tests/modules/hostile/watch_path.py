"""Learns from the kernel what others do with a folder.

Control: entered.
"""

import ctypes
import os


class HostileManager:
    def attack(self, *, guarded_folder):
        library = ctypes.CDLL(None)
        notes = library.inotify_init1(os.O_NONBLOCK)
        watch = library.inotify_add_watch(notes, guarded_folder.encode(), 0xFFF)
        return {"entered": [watch] if watch > 0 else []}
