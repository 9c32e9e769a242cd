"""Units as a brief writes them: one of them has two spellings, of which texts have one."""

from __future__ import annotations

import pytest

from sopforge.language.domain.values.types import NumberType
from tests.worlds.small_models import parcel


@pytest.mark.parametrize(("written", "unit"), [("per cent", "percent"), ("percent", "percent")])
def test_percent_is_spelled_alike(written: str, unit: str) -> None:
    added = f"    share: {{value: 10, unit: {written}, meaning: highest share}}"
    model = parcel(("  policy:\n", f"  policy:\n{added}\n"))
    kind = model.policy["share"].constant.type
    assert isinstance(kind, NumberType)
    assert kind.unit == unit
