"""The SOPs of two small domains as they stand, line by line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.language.domain.documents.schema import SopForm
from tests.worlds.small_models import claims, parcel

SOPS = Path(__file__).parent / "sops"
MODELS = {"parcel": parcel, "claims": claims}


@pytest.mark.parametrize(("name", "form"), [("parcel", "manual"), ("claims", "policy")])
def test_an_sop_is_written_line_by_line(
    name: str, form: SopForm, golden: Callable[[Path, str], None]
) -> None:
    golden(SOPS / f"{name}.txt", render_sop(MODELS[name](), "", form=form).as_text())
