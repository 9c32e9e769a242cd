"""Types into a terminal of the user.

Control: heard, each turn.
"""

import fcntl
import os
import termios

TURNS = 2


class HostileManager:
    def attack(self, *, terminal_path, turn):
        terminal = os.open(terminal_path, os.O_RDWR | os.O_NOCTTY)
        if turn == 1:
            manners = termios.tcgetattr(terminal)
            manners[3] |= termios.ECHO
            termios.tcsetattr(terminal, termios.TCSANOW, manners)
            try:
                fcntl.ioctl(terminal, termios.TIOCSTI, b"m")
            except OSError:
                os.write(terminal, b"m")
        else:
            os.write(terminal, b"mine")
