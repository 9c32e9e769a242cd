"""Makes its manager something else than an object with methods.

No control: there is nothing to reach.
"""


class Strange:
    def __getattribute__(self, name):
        if name == "attack":
            return self
        raise KeyboardInterrupt if name.startswith("p") else ValueError(name)

    def __call__(self, **_):
        raise SystemExit(0)

    def __dir__(self):
        raise KeyboardInterrupt

    def __bool__(self):
        raise GeneratorExit


def HostileManager():
    return Strange()
