"""Sends a datagram.

Control: heard, each turn.
"""

import socket
from importlib import import_module as load

TURNS = 2


class HostileManager:
    def attack(self, *, udp_port, turn):
        if turn:
            handlers = load("logging.handlers")
            handler = handlers.SysLogHandler(("127.0.0.1", udp_port))
            handler.emit(load("logging").makeLogRecord({"msg": "mine"}))
        else:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
                sender.sendto(b"mine", ("127.0.0.1", udp_port))
