"""Answers by the system's chance, which no seed holds."""

import os
import uuid


class UnsteadyManager:
    def answer(self, *, number):
        return [number, os.urandom(8).hex(), str(uuid.uuid4())]
