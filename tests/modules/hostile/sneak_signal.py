"""Signals other processes with the built-in modules of the system and of signals.

Control: signalled, each turn.
"""

TURNS = 5


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
    def attack(self, *, victim_pid, parent_pid, turn):
        posix, signal = sneak("posix"), sneak("_signal")
        urgent = int(signal.SIGURG)
        attempts = [
            lambda: posix.kill(victim_pid, urgent),
            lambda: posix.killpg(victim_pid, urgent),
            lambda: signal.pidfd_send_signal(posix.pidfd_open(victim_pid), urgent),
            lambda: posix.kill(parent_pid, urgent),
            lambda: posix.kill(posix.getppid(), urgent),
        ]
        attempts[turn]()
