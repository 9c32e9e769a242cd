"""Mistakes about lists that are made: no filter, another field for a part, and in the filter."""

from __future__ import annotations

from sopforge.language.domain.parsing import Scope, parse_value
from sopforge.language.domain.values.types import DateType, EnumType, ListType, NumberType
from sopforge.language.logic.readings.scalar import evaluate
from sopforge.proof.dataset.mutants.expression_mistakes import derive_edits

DAY = DateType(739617, 739706)
DAMAGES = ListType(
    (
        ("part", EnumType(("Motor", "Cable"))),
        ("cost", NumberType(0, 60_00, 2, "EUR")),
        ("labour", NumberType(0, 60_00, 2, "EUR")),
        ("hours", NumberType(1, 9, 0, "hours")),
        ("seen_on", DAY),
        ("sold_on", DAY),
    ),
    3,
    "no damage",
)
BILL = ListType(
    (
        ("part", EnumType(("Motor", "Cable"))),
        ("charge", NumberType(0, 60_00, 2, "EUR")),
        ("day", DAY),
    ),
    3,
    "nothing",
)
BILLED = parse_value(
    "[item(part=d.part, charge=d.cost, day=d.seen_on) for d in damages if d.cost > 20]",
    Scope({"damages": DAMAGES}, {}),
    BILL,
)
ITEM = {"part": 1, "cost": 20_00, "labour": 30_00, "hours": 2, "seen_on": 739620, "sold_on": 739618}
DEAR = {**ITEM, "cost": 21_00, "labour": 0}
ROW = {"damages": (ITEM, DEAR)}


def billed(item: dict[str, int], **changes: int) -> dict[str, int]:
    return {"part": item["part"], "charge": item["cost"], "day": item["seen_on"], **changes}


def test_each_mistake_makes_the_list_that_it_says() -> None:
    found = {
        edit.words: evaluate(edit.wrong, ROW) for edit in derive_edits(BILLED, {"damages": DAMAGES})
    }

    assert evaluate(BILLED, ROW) == (billed(DEAR),)
    assert found["all items of damages"] == (billed(ITEM), billed(DEAR))
    assert found["labour as charge"] == (billed(DEAR, charge=0),)
    assert found["sold_on as day"] == (billed(DEAR, day=739618),)
    assert found["labour for cost"] == (billed(ITEM),)
    assert found[">= for >"] == (billed(ITEM), billed(DEAR))
    assert found["< for >"] == ()
    assert found["19.99 for 20.00"] == found[">= for >"]


def test_no_part_is_taken_from_a_field_that_is_unlike_it() -> None:
    words = {edit.words for edit in derive_edits(BILLED, {"damages": DAMAGES})}

    assert not {"hours as charge", "part as charge", "cost as charge", "seen_on as day"} & words
