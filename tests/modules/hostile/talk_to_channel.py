"""Passes descriptors and odd messages to whoever holds the other end of its descriptors.

No control: a plain run has no socket for a channel.
"""

import array
import os
import socket

TURNS = 3


class HostileManager:
    def attack(self, *, turn):
        message = [b"\0" * 70_000, b"{}\n" * 1000, b"\xff" * 9][turn]
        rights = array.array("i", [0, 1, 2])
        for descriptor in range(1024):
            try:
                channel = socket.socket(fileno=os.dup(descriptor))
                channel.settimeout(0.01)
                channel.sendmsg([message], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
                channel.recvmsg(1000, 1000)
            except OSError:
                continue
        return 1

    def honest(self, *, number):
        return number + 1
