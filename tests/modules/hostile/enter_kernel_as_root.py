"""Asks the kernel to rule the machine, with arguments so wrong that nothing comes of it.

Control as root: entered, each turn.
Machine: x86_64.
"""

import ctypes

REFUSED = {1, 13, 38}  # EPERM, EACCES, ENOSYS

CALLS = [
    ("mount", 165, 0, 0, 0, 0, 0),
    ("umount2", 166, 0, 0),
    ("pivot_root", 155, 0, 0),
    ("chroot", 161, 0),
    ("open_tree", 428, -1, 0, 1),
    ("move_mount", 429, -1, 0, -1, 0, 0),
    ("fsopen", 430, 0, 0),
    ("fsmount", 432, -1, 0, 0),
    ("mount_setattr", 442, -1, 0, 0, 0, 0),
    ("sethostname", 170, 0, 3),
    ("setdomainname", 171, 0, 3),
    ("clock_settime", 227, 0, 0),
    ("clock_adjtime", 305, 0, 0),
    ("settimeofday", 164, 1, 0),
    ("adjtimex", 159, 0),
    ("reboot", 169, 0, 0, 0, 0),
    ("swapon", 167, 0, 0),
    ("swapoff", 168, 0),
    ("quotactl", 179, -1, 0, 0, 0),
    ("fanotify_init", 300, -1, 0),
    ("open_by_handle_at", 304, -1, 0, 0),
    ("syslog", 103, 10, 0, 0),
    ("mknod", 133, 0, 0o60000, 0),
    ("unshare of mounts", 272, 0x00020000),
    ("setresuid", 117, 0, 0, 0),
    ("setgroups", 116, -1, 0),
    ("capset", 126, 0, 0),
    ("bpf of programs", 321, 5, 0, 0),
    ("migrate_pages", 256, -1, 0, 0, 0),
]
TURNS = 29


class HostileManager:
    def attack(self, *, turn):
        name, *words = CALLS[turn]
        library = ctypes.CDLL(None, use_errno=True)
        answer = library.syscall(*(ctypes.c_long(word) for word in words))
        refused = answer == -1 and ctypes.get_errno() in REFUSED
        return {"entered": [] if refused else [name]}
