"""Answers by the process that it runs in."""

import os
import threading


class UnsteadyManager:
    def answer(self, *, number):
        return [number, os.getpid(), threading.get_ident(), os.times().elapsed]
