"""Sorts, groups, counts and caches."""

import bisect
import heapq
import itertools
import operator
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple
from functools import cached_property, cmp_to_key, lru_cache, partial, reduce, singledispatch, total_ordering, wraps

Pair = namedtuple("Pair", "a b")


@singledispatch
def name_of(value):
    return "thing"


@name_of.register
def _(value: int):
    return "number"


@name_of.register(list)
def _(value):
    return "list"


@lru_cache(maxsize=None)
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@total_ordering
class Version:
    def __init__(self, text):
        self.parts = [int(part) for part in text.split(".")]

    def __eq__(self, other):
        return self.parts == other.parts

    def __lt__(self, other):
        return self.parts < other.parts


def doubled(function):
    @wraps(function)
    def wrapper(*args):
        return function(*args) * 2

    return wrapper


class GoodManager:
    def run(self, *, how):
        return getattr(self, how)()

    def counts(self):
        groups = defaultdict(list)
        for word in ["pea", "bean", "corn", "fig"]:
            groups[str(len(word))].append(word)
        return [Counter("abracadabra").most_common(2), dict(groups)]

    def queues(self):
        line = deque([1, 2, 3], maxlen=3)
        line.append(4)
        line.rotate(1)
        heap = [5, 1, 4]
        heapq.heapify(heap)
        return [list(line), heapq.heappop(heap), heapq.nlargest(2, [3, 9, 4])]

    def maps(self):
        order = OrderedDict(a=1, b=2)
        order.move_to_end("a")
        return [list(order), ChainMap({"a": 1}, {"a": 2, "b": 3})["b"], Pair(1, 2).b]

    def places(self):
        grades = [60, 70, 80, 90]
        return ["FDCBA"[bisect.bisect(grades, score)] for score in (33, 70, 99)]

    def runs(self):
        groups = itertools.groupby("aabccc")
        return [[key, len(list(group))] for key, group in groups]

    def tools(self):
        return [
            list(itertools.accumulate([1, 2, 3])),
            ["".join(pair) for pair in itertools.combinations("abc", 2)],
            list(itertools.chain.from_iterable([[1], [2, 3]])),
            list(itertools.islice(itertools.count(5), 2)),
            [list(pair) for pair in itertools.pairwise("abc")],
            reduce(operator.mul, [1, 2, 3, 4]),
            partial(pow, 2)(10),
        ]

    def dispatch(self):
        return [name_of(1), name_of([]), name_of("a")]

    def cached(self):
        return [fibonacci(90), self.once, self.once]

    @cached_property
    def once(self):
        self.times = getattr(self, "times", 0) + 1
        return self.times

    def sorts(self):
        rows = [{"n": "b", "v": 1}, {"n": "a", "v": 1}, {"n": "c", "v": 0}]
        return [
            [row["n"] for row in sorted(rows, key=operator.itemgetter("v", "n"))],
            sorted(["b", "B", "ä", "a"]),
            sorted([1, 2, 3], key=cmp_to_key(lambda a, b: b - a)),
            Version("1.10") > Version("1.9"),
        ]

    def wrapped(self):
        return doubled(lambda x: x + 1)(4)
