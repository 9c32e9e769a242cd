"""Never answers, and takes the processor.

Control: late.
"""


class HostileManager:
    def attack(self):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                continue
