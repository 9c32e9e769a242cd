"""Asks the kernel for rare services that any user may ask for, with arguments that change nothing.

Control: entered, each turn.
Machine: x86_64.
"""

import ctypes

REFUSED = {1, 13, 38}  # EPERM, EACCES, ENOSYS

CALLS = [
    ("io_uring_setup", 425, 1, 0),
    ("io_uring_enter", 426, -1, 0, 0, 0, 0, 0),
    ("memfd_create", 319, b"mine", 0),
    ("memfd_secret", 447, -1),
    ("userfaultfd", 323, -1),
    ("bpf", 321, -1, 0, 0),
    ("perf_event_open", 298, 0, 0, -1, -1, 0),
    ("keyctl", 250, -1, 0, 0, 0, 0),
    ("request_key", 249, 0, 0, 0, 0),
    ("inotify_init1", 294, 0),
    ("inotify_add_watch", 254, -1, b"/", 1),
    ("name_to_handle_at", 303, -100, b"/", 0, 0, 0),
    ("unshare", 272, 0),
    ("setns", 308, -1, 0),
    ("clone3", 435, 0, 0),
    ("personality", 135, 0xFFFFFFFF),
    ("pidfd_open", 434, 0, -1),
    ("process_vm_readv", 310, 1, 0, 0, 0, 0, -1),
    ("process_vm_writev", 311, 1, 0, 0, 0, 0, -1),
    ("process_madvise", 440, -1, 0, 0, 0, -1),
    ("ptrace", 101, 0x4206, -1, 0, 0),
    ("seccomp", 317, -1, 0, 0),
    ("landlock_create_ruleset", 444, 0, 0, 1),
    ("timer_create", 222, 0, 0, 0),
    ("timerfd_create", 283, -1, 0),
    ("eventfd2", 290, 0, 0),
    ("epoll_create1", 291, 0),
    ("signalfd4", 289, -1, 0, 8, 0),
    ("setitimer", 38, -1, 0, 0),
    ("splice", 275, -1, 0, -1, 0, 1, 0),
    ("vmsplice", 278, -1, 0, 0, 0),
    ("tee", 276, -1, -1, 1, 0),
    ("copy_file_range", 326, -1, 0, -1, 0, 1, 0),
    ("flock", 73, -1, 2),
    ("chdir", 80, 0),
    ("fchdir", 81, -1),
    ("statfs", 137, 0, 0),
    ("statx", 332, -100, 0, 0, 0, 0),
    ("access", 21, 0, 0),
    ("faccessat2", 439, -100, 0, 0, 0),
    ("readlink", 89, 0, 0, 0),
    ("utimensat", 280, -1, 0, 0, 0),
    ("execve", 59, 0, 0, 0),
    ("socket", 41, -1, 0, 0),
    ("socketpair", 53, -1, 0, 0, 0),
    ("accept4", 288, -1, 0, 0, -1),
    ("sendmsg", 46, -1, 0, 0),
    ("sched_setattr", 314, 0, 0, 0),
    ("sched_setaffinity", 203, 0, 0, 0),
    ("ioprio_set", 251, -1, 0, 0),
    ("setpriority", 141, -1, 0, 0),
    ("setsid", 112),
    ("setpgid", 109, -1, 0),
    ("shmget", 29, 0, 0, 0),
    ("mq_open", 240, 0, 0, 0, 0),
    ("set_mempolicy", 238, -1, 0, 0),
    ("move_pages", 279, 0, 1, 0, 0, 0, -1),
    ("fanotify_mark", 301, -1, 0, 0, -1, 0),
    ("openat2", 437, -100, 0, 0, 0),
    ("quotactl_fd", 443, -1, -1, 0, 0),
    ("cachestat", 451, -1, 0, 0, -1),
    ("listmount", 458, 0, 0, 0, 0),
    ("lsm_list_modules", 461, 0, 0, 0),
]
TURNS = 63


class HostileManager:
    def attack(self, *, turn):
        name, *words = CALLS[turn]
        library = ctypes.CDLL(None, use_errno=True)
        answer = library.syscall(*(ctypes.c_long(w) if isinstance(w, int) else w for w in words))
        refused = answer == -1 and ctypes.get_errno() in REFUSED
        return {"entered": [] if refused else [name]}
