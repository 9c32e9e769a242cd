"""Asks the kernel for rare services with the built-in modules of Python.

Control: entered, each turn.
"""

TURNS = 15


class HostileManager:
    def attack(self, *, turn):
        posix, time, signal = sneak("posix"), sneak("time"), sneak("_signal")
        attempts = [
            lambda: posix.memfd_create("mine"),
            lambda: posix.eventfd(0),
            lambda: posix.pidfd_open(posix.getppid()),
            lambda: posix.openpty(),
            lambda: posix.setsid() if posix.getsid(0) != posix.getpid() else 0,
            lambda: posix.nice(1),
            lambda: posix.sched_setaffinity(0, [min(posix.sched_getaffinity(0))]),
            lambda: posix.chdir("/"),
            lambda: posix.umask(0o77),
            lambda: posix.statvfs("/"),
            lambda: posix.readlink("/proc/self/exe"),
            lambda: posix.access("/", 0) or posix.stat("/"),
            lambda: posix.getcwd(),
            lambda: signal.setitimer(signal.ITIMER_REAL, 100),
            lambda: posix.kill(-1, 0),
        ]
        attempts[turn]()
        return {"entered": [str(turn)]}
