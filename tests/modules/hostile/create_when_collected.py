"""Creates a file outside while its objects are thrown away.

Control: created.
"""


class HostileManager:
    def attack(self, *, empty_folder):
        self.path = empty_folder + "/mine"
        return 1

    def __del__(self, open=open):
        with open(self.path, "w") as file:
            file.write("mine")
