"""Creates a file outside from within the answer, while others look at it.

Control: created.
"""

TURNS = 3


class Answer(dict):
    path = ""

    def write(self):
        with open(self.path, "w") as file:
            file.write("mine")

    def items(self):
        self.write()
        return super().items()

    def __iter__(self):
        self.write()
        return super().__iter__()

    def __len__(self):
        self.write()
        return 1


class Texty(str):
    path = ""

    def __str__(self):
        Answer.write(self)
        return "text"

    __repr__ = encode = isascii = replace = __str__


class Trouble(Exception):
    path = ""

    @property
    def code(self):
        Answer.write(self)
        return "code"

    def __str__(self):
        Answer.write(self)
        return "text"


class HostileManager:
    def attack(self, *, empty_folder, turn):
        Answer.path = Texty.path = Trouble.path = empty_folder + "/mine"
        if turn == 2:
            raise Trouble("a")
        return [Answer(a=1), Texty("a")][turn]
