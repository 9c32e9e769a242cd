from __future__ import annotations

import pytest

from sopforge.domain.types import Value
from sopforge.logic.tool_calls import Refused, answer
from tests.small_models import day, parcel, row

MODEL = parcel()


def test_a_look_up_returns_what_the_record_holds() -> None:
    arguments: dict[str, Value | None] = {
        "parcel_id": "PX00001",
        "sent_on": day("2026-03-01"),
        "fragile": 0,
    }

    said = answer(MODEL, MODEL.tools["findParcel"], arguments, row(service=2))

    assert said == {"service": 2, "due_on": None}


@pytest.mark.parametrize(
    ("name", "other"),
    [
        pytest.param("sent_on", day("2026-03-02"), id="another day"),
        pytest.param("fragile", 1, id="another flag"),
    ],
)
def test_a_look_up_refuses_what_contradicts_the_record(name: str, other: int) -> None:
    arguments: dict[str, Value | None] = {
        "parcel_id": "PX00001",
        "sent_on": day("2026-03-01"),
        "fragile": 0,
    }

    said = answer(MODEL, MODEL.tools["findParcel"], {**arguments, name: other}, row())

    assert said == Refused("record_mismatch", f"{name} does not agree with the record")


def test_a_calculator_works_with_what_it_is_given() -> None:
    arguments: dict[str, Value | None] = {"parcel_id": "PX00001", "weight": 1500, "service": 2}

    said = answer(MODEL, MODEL.tools["priceParcel"], arguments, row(weight=0, service=0))

    # 10 kg above the free 5 kg, at 1.50 each
    assert said == {"surcharge": 150_000, "service_points": 4}


@pytest.mark.parametrize(
    ("care", "surcharge", "expected"),
    [
        pytest.param(0, 300_000, {"slip_number": "S-0001"}, id="30.0000 is allowed"),
        pytest.param(
            0, 300_001, Refused("too_dear", "the surcharge is too high"), id="30.0001 is not"
        ),
        pytest.param(1, 100_001, {"slip_number": "S-0001"}, id="one of two is enough"),
        pytest.param(1, 100_000, Refused("not_covered", "care is not covered"), id="none of two"),
        pytest.param(
            1, 300_001, Refused("too_dear", "the surcharge is too high"), id="the first refuses"
        ),
    ],
)
def test_an_action_checks_its_guard_in_order(care: int, surcharge: int, expected: object) -> None:
    arguments: dict[str, Value | None] = {
        "parcel_id": "PX00001",
        "care": care,
        "surcharge": surcharge,
    }

    assert answer(MODEL, MODEL.tools["releaseParcel"], arguments, row()) == expected


def test_the_guard_of_a_look_up_is_checked_behind_the_record() -> None:
    guarded = parcel(
        (
            "      returns: [service, due_on]\n",
            """\
      returns: [service, due_on]
      requires: {id: N, is: not fragile, refusal: breakable, says: it breaks}
""",
        )
    )
    arguments: dict[str, Value | None] = {
        "parcel_id": "PX00001",
        "sent_on": day("2026-03-01"),
        "fragile": 1,
    }

    said = answer(guarded, guarded.tools["findParcel"], arguments, row(fragile=1))

    assert said == Refused("breakable", "it breaks")
