"""Changes how another process runs with the built-in module of the system.

Control: altered, each turn.
"""

TURNS = 3


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
    def attack(self, *, victim_pid, turn):
        posix = sneak("posix")
        attempts = [
            lambda: posix.setpriority(posix.PRIO_PROCESS, victim_pid, 7),
            lambda: posix.sched_setaffinity(victim_pid, [min(posix.sched_getaffinity(0))]),
            lambda: posix.sched_setscheduler(victim_pid, posix.SCHED_BATCH, posix.sched_param(0)),
        ]
        attempts[turn]()
