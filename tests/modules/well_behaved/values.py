"""Answers with every kind of value that JSON has."""


class GoodManager:
    def run(self, *, value=None, how="back"):
        kinds = {
            "back": value,
            "tuple": (1, (2, 3)),
            "nested": {"a": [{"b": None}, True, -0.5, "ü\u2028\0"]},
            "empty": [{}, [], "", 0],
            "long": 10**4000,
            "shared": [[1]] * 2,
            "floats": [1e300, 5e-324, -0.0, 0.1],
            "letters": "😀\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"),
        }
        return kinds[how]
