"""Replaces how answers are written.

Control: spread.
"""

import json
import json.encoder

TURNS = 2


class HostileManager:
    def attack(self, *, turn):
        if turn == 0:
            old = json.dumps
            json.dumps = lambda value, *a, **k: old({"n": 3, "value": "FORGED"})
        else:
            json.encoder.encode_basestring_ascii = lambda text: '"FORGED"'
            json.encoder.c_make_encoder = None
            json.JSONEncoder.iterencode = lambda *a, **k: iter(['"FORGED"'])
            json.JSONEncoder.encode = lambda *a, **k: '"FORGED"'
        return 1
