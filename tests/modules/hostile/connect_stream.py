"""Talks to a listener over TCP and Unix sockets.

Control: heard, each turn.
"""

import socket

TURNS = 4


class HostileManager:
    def attack(self, *, tcp_port, unix_path, abstract_name, turn):
        inet, unix = socket.AF_INET, socket.AF_UNIX
        family, address = [
            (inet, ("127.0.0.1", tcp_port)),
            (unix, unix_path),
            (unix, "\0" + abstract_name),
            (socket.AF_INET6, ("::ffff:127.0.0.1", tcp_port)),
        ][turn]
        with socket.socket(family, socket.SOCK_STREAM) as caller:
            caller.connect(address)
            caller.sendall(b"mine")
