"""Puts a program into memory and runs it from there.

Control: created, each turn.
Machine: x86_64.
"""

import os

TURNS = 2


class HostileManager:
    def attack(self, *, empty_folder, turn):
        program = os.memfd_create("mine", 0)
        with open("/bin/sh", "rb") as shell:
            os.write(program, shell.read())
        line = ["sh", "-c", f": > '{empty_folder}/mine'"]
        if turn:
            os.execve(program, line, {})
        import ctypes

        words = (ctypes.c_char_p * 4)(*(word.encode() for word in line), None)
        execveat, empty_path = 322, 0x1000
        ctypes.CDLL(None).syscall(execveat, program, b"", words, None, empty_path)
