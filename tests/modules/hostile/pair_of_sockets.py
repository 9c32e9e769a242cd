"""Makes a pair of sockets and passes a descriptor through it.

Control: entered.
"""

import array
import socket


class HostileManager:
    def attack(self):
        one, other = socket.socketpair()
        rights = array.array("i", [one.fileno()])
        one.sendmsg([b"a"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
        return {"entered": [str(other.recvmsg(1, 100)[1])]}
