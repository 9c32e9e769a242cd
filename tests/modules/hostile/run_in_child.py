"""Does its work in a child of its own, through the library for parallel work.

Control: created, each turn.
"""

import os
from importlib import import_module as load

TURNS = 3
path = ""


def work(_=0):
    with open(path, "w") as file:
        file.write("mine")


class HostileManager:
    def attack(self, *, empty_folder, turn):
        global path
        path = empty_folder + "/mine"
        if turn == 0:
            child = load("multiprocessing").get_context("fork").Process(target=work)
            child.start()
            child.join()
        elif turn == 1:
            context = load("multiprocessing").get_context("fork")
            with load("concurrent.futures").ProcessPoolExecutor(1, mp_context=context) as pool:
                pool.submit(work).result()
        elif os.fork() == 0:
            work()
            os._exit(0)
        else:
            os.wait()
