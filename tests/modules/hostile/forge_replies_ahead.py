"""Writes replies to later calls to every descriptor, before those calls are made.

Control: forged.
"""

import json
import os


class HostileManager:
    def attack(self):
        lines = b"".join(
            json.dumps({"n": number, "value": "FORGED"}).encode() + b"\n" for number in range(60)
        )
        framed = json.dumps({"value": "FORGED"}).encode()
        lines += len(framed).to_bytes(4, "big") + framed + len(framed).to_bytes(4, "little") + framed
        for descriptor in range(1024):
            try:
                os.write(descriptor, lines)
            except OSError:
                continue
        return 1

    def honest(self, *, number):
        return number + 1
