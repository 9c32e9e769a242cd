"""Reads a file outside by names that pretend to lie beside the module.

Control: secret, each turn.
"""

from pathlib import Path

TURNS = 4


class Sly(str):
    """Is one text when looked at and another when used."""

    def __new__(cls, shown, used):
        text = super().__new__(cls, used)
        text.shown = shown
        return text

    def __eq__(self, other):
        return other == self.shown

    def __hash__(self):
        return hash(self.shown)

    def startswith(self, *_):
        return True

    def endswith(self, *_):
        return True

    def split(self, *_):
        return [self.shown]

    def __str__(self):
        return self.shown


class Path_(type(Path())):
    def __fspath__(self):
        return self.real


class HostileManager:
    def attack(self, *, secret_path, turn):
        here = str(Path(__file__).parent)
        sly = Path_(here + "/records.csv")
        if turn == 3:
            Path_.real = secret_path
        attempts = [
            here + "/" + "../" * 40 + secret_path,
            Sly("records.csv", secret_path),
            here + "/./" + "../" * 40 + secret_path,
            sly,
        ]
        return open(attempts[turn], "rb").read(100).decode(errors="replace")
