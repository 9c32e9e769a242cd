"""Never answers: a number that takes hours, deep inside C.

Control: late.
"""


class HostileManager:
    def attack(self):
        return (7 ** (10**8)) % 11
