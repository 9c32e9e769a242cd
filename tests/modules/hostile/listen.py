"""Waits for callers on a port of its own.

Control: listens.
"""

import os
import socket


class HostileManager:
    def attack(self, *, free_port):
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", free_port))
        listener.listen()
        os.set_inheritable(listener.fileno(), True)
        if os.fork() == 0:
            __import__("time").sleep(8)
            os._exit(0)
