"""A tools module that tries what none may do; ``sopforge doctor`` runs it, unwatched."""

from __future__ import annotations

import os
import socket


class ProbeManager:
    """Each method returns if its act succeeds, and raises if it is refused."""

    def read_a_file(self, path: str) -> None:
        """Read a file that is not its own."""
        os.read(os.open(path, os.O_RDONLY), 1)

    def look_at_a_file(self, path: str) -> None:
        """Learn the size of a file."""
        os.lstat(path)

    def write_a_file(self, path: str) -> None:
        """Make a file."""
        os.open(path, os.O_WRONLY | os.O_CREAT)

    def open_a_connection(self) -> None:
        """Make a socket."""
        socket.socket()

    def start_a_process(self) -> None:
        """Make a copy of itself."""
        if not os.fork():
            os._exit(0)

    def run_a_program(self) -> None:
        """Become another program."""
        os.execv("/bin/sh", ["sh", "-c", "exit"])  # noqa: S606 - this is what must fail

    def signal_a_process(self, number: int) -> None:
        """Reach another process."""
        os.kill(number, 0)

    def change_a_limit(self) -> None:
        """Change what was set for it."""
        os.setpriority(os.PRIO_PROCESS, 0, 19)

    def take_much_memory(self) -> None:
        """Take 1 GB of memory."""
        bytearray(1024**3)
