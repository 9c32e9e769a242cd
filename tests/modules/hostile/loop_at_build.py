"""Never ends building its manager.

Control: late.
"""


class HostileManager:
    def __init__(self):
        while True:
            pass

    def attack(self):
        return 1
