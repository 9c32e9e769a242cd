"""Opens sockets of rarer families: netlink, the kernel's ciphers, raw packets, machines' own.

Control as root: entered.
"""

import socket

FAMILIES = {"netlink": 16, "cipher": 38, "packet": 17, "vsock": 40, "inet": 2, "bluetooth": 31}


class HostileManager:
    def attack(self):
        entered = []
        for name, family in FAMILIES.items():
            for kind in (socket.SOCK_RAW, socket.SOCK_SEQPACKET, socket.SOCK_DGRAM):
                try:
                    socket.socket(family, kind).close()
                except OSError:
                    continue
                entered.append(f"{name} {kind}")
        return {"entered": entered}
