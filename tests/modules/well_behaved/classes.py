"""Keeps its data in dataclasses, enums and named tuples."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from dataclasses import asdict, astuple, dataclass, field, replace
from enum import Enum, Flag, IntEnum, StrEnum, auto
from typing import ClassVar, Generic, NamedTuple, Protocol, TypedDict, TypeVar, runtime_checkable

T = TypeVar("T")


class State(StrEnum):
    OPEN = auto()
    SHUT = "closed"


class Level(IntEnum):
    LOW = 1
    HIGH = 3


class Right(Flag):
    READ = auto()
    WRITE = auto()


class Colour(Enum):
    RED = "r"


@dataclass(frozen=True, slots=True, order=True)
class Item:
    price: int
    name: str = ""


@dataclass
class Order:
    items: list[Item] = field(default_factory=list)
    state: State = State.OPEN
    total: int = field(init=False)
    count: ClassVar[int] = 0

    def __post_init__(self):
        self.total = sum(item.price for item in self.items)


class Point(NamedTuple):
    x: int
    y: int = 2


class Row(TypedDict):
    name: str


@runtime_checkable
class Priced(Protocol):
    price: int


class Box(Generic[T]):
    __slots__ = ("_inside",)

    def __init__(self, inside: T) -> None:
        self._inside = inside

    @property
    def inside(self) -> T:
        return self._inside

    @classmethod
    def of(cls, inside: T) -> Box[T]:
        return cls(inside)

    @staticmethod
    def kind() -> str:
        return "box"


class Shape(ABC):
    @abstractmethod
    def area(self) -> int: ...


class GoodManager:
    def run(self, *, how):
        return getattr(self, how)()

    def orders(self):
        order = Order([Item(3, "a"), Item(1, "b")])
        return [{**asdict(order), "state": str(order.state)}, list(astuple(min(order.items)))]

    def frozen(self):
        try:
            Item(1).price = 2
        except AttributeError as raised:
            return [type(raised).__name__, replace(Item(1), price=5).price]

    def enums(self):
        return {
            "state": str(State("closed").value),
            "names": [state.name for state in State],
            "level": int(max(Level)),
            "rights": (Right.READ | Right.WRITE).value,
            "has": Right.READ in (Right.READ | Right.WRITE),
            "colour": Colour["RED"].value,
        }

    def unknown_state(self):
        try:
            State("ajar")
        except ValueError as raised:
            return str(raised)

    def tuples(self):
        return {"point": Point(1)._asdict(), "moved": list(Point(1)._replace(y=9)), "row": Row(name="n")}

    def protocols(self):
        try:
            Shape()
        except TypeError as raised:
            refused = "abstract" in str(raised)
        return [isinstance(Item(1), Priced), isinstance(5, Priced), refused]

    def boxes(self):
        box = Box.of([1, [2]])
        twin = copy.deepcopy(box)
        twin.inside[1].append(3)
        return [box.inside, twin.inside, Box.kind()]
