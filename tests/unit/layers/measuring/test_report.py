"""Which figures of a report keep a level from being published."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from sopforge.harness.layers.dials import ABLATED, DIALS
from sopforge.harness.layers.measuring.report import find_faults

SOUND: dict[str, Any] = {
    "reference": 1.0,
    "matrix": {
        dial: {name: 0.3 if item.dial == dial else 0.05 for name, item in ABLATED.items()}
        for dial in ("none", *DIALS)
    },
}


def test_figures_at_their_limits_are_sound() -> None:
    assert list(find_faults(SOUND)) == []
    assert list(find_faults({})) == []


@pytest.mark.parametrize("name", ABLATED)
def test_who_does_not_fall_on_his_dial_is_named(name: str) -> None:
    report = deepcopy(SOUND)
    report["matrix"][ABLATED[name].dial][name] = 0.299

    assert list(find_faults(report)) == [
        f"'{name}' loses 0.299 on {ABLATED[name].dial}, less than 0.3"
    ]


@pytest.mark.parametrize("name", ABLATED)
def test_who_falls_elsewhere_is_named_with_each_place(name: str) -> None:
    report = deepcopy(SOUND)
    elsewhere = [dial for dial in ("none", *DIALS) if dial != ABLATED[name].dial]
    for dial in elsewhere:
        report["matrix"][dial][name] = 0.051

    assert list(find_faults(report)) == [
        f"'{name}' loses 0.051 on {dial}, which asks for something else" for dial in elsewhere
    ]


def test_a_reference_that_errs_is_named() -> None:
    assert list(find_faults(SOUND | {"reference": 0.983})) == [
        "the reference agent scores 0.983, not 1"
    ]
