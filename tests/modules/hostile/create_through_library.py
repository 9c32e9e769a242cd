"""Has the library write a file outside for it.

Control: created, each turn.
"""


from importlib import import_module as load

TURNS = 7


class HostileManager:
    def attack(self, *, empty_folder, turn):
        path = empty_folder + "/mine"
        attempts = [
            lambda: load("logging").FileHandler(path).emit(load("logging").makeLogRecord({"msg": "mine"})),
            lambda: load("cProfile").Profile().dump_stats(path),
            lambda: load("py_compile").compile(__file__, cfile=path),
            lambda: load("sqlite3").connect(path).execute("create table mine (a)"),
            lambda: load("zipfile").ZipFile(path, "w").writestr("a", "b"),
            lambda: load("dbm.dumb").open(path, "n").close(),
            lambda: load("shelve").open(path, "n").close(),
        ]
        attempts[turn]()
