"""Asks the kernel for what many kernels lack: other kernels, modules, ports, accounts.

No control: many kernels are built without them.
Machine: x86_64.
"""

import ctypes

REFUSED = {1, 13, 38}  # EPERM, EACCES, ENOSYS

CALLS = [
    ("kexec_load", 246, 0, 1000, 0, 0),
    ("kexec_file_load", 320, -1, -1, 0, 0, -1),
    ("iopl", 172, 9),
    ("ioperm", 173, 0, 0, 1),
    ("init_module", 175, 0, 0, 0),
    ("finit_module", 313, -1, 0, 0),
    ("delete_module", 176, 0, 0),
    ("acct", 163, 1),
    ("kcmp", 312, 0, 0, -1, 0, 0),
    ("modify_ldt", 154, -1, 0, 0),
    ("map_shadow_stack", 453, 0, 0, -1),
    ("uselib", 134, 0),
]
TURNS = 12


class HostileManager:
    def attack(self, *, turn):
        name, *words = CALLS[turn]
        library = ctypes.CDLL(None, use_errno=True)
        answer = library.syscall(*(ctypes.c_long(word) for word in words))
        refused = answer == -1 and ctypes.get_errno() in REFUSED
        return {"entered": [] if refused else [name]}
