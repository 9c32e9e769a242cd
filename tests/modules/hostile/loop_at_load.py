"""Never ends loading.

Control: late.
"""

while True:
    pass


class HostileManager:
    def attack(self):
        return 1
