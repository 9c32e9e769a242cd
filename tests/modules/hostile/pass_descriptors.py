"""Gives its descriptors away over a socket.

Control: heard, each turn.
"""

import array
import socket

TURNS = 2


class HostileManager:
    def attack(self, *, unix_path, abstract_name, turn):
        address = (unix_path, "\0" + abstract_name)[turn]
        with socket.socket(socket.AF_UNIX) as caller:
            caller.connect(address)
            rights = array.array("i", [0, 1, 2])
            caller.sendmsg([b"mine"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
