"""Fills the disk; 100 MB at most.

Control: created.
"""


class HostileManager:
    def attack(self, *, empty_folder):
        with open(empty_folder + "/mine", "wb") as file:
            for _ in range(100):
                file.write(b"x" * 10**6)
        return 1
