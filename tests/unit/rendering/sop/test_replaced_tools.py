"""Tools that others have replaced: the SOP forbids them where their successors are called."""

from __future__ import annotations

import pytest

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.rendering.sop.sop import render_sop
from tests.worlds.edited_sops import list_edit_errors
from tests.worlds.small_models import parcel

OLD = (
    "    priceParcel:\n",
    (
        "    lookParcelUp: {kind: lookup, description: Find a parcel in the old register,"
        " takes: [parcel_id], returns: [service], replaced_by: findParcel}\n"
        "    priceParcel:\n"
    ),
)
MODEL = parcel(OLD)
LINES = render_sop(MODEL, "").lines
BAN = "Do not use lookParcelUp; it has been replaced by findParcel."


def test_the_ban_follows_the_call_of_the_successor() -> None:
    texts = [line.text for line in LINES]

    assert texts.count(BAN) == 1
    assert texts[texts.index(BAN) - 1].startswith("Call findParcel with ")
    assert list(read_back_findings(MODEL, LINES)) == []
    assert BAN not in [line.text for line in render_sop(parcel(), "").lines]


@pytest.mark.parametrize(
    "other",
    [
        "Never use lookParcelUp; it has been replaced by findParcel.",
        "Do not use lookParcelUp, which has been replaced by findParcel.",
    ],
)
def test_it_may_be_said_in_other_words(other: str) -> None:
    assert list_edit_errors(MODEL, LINES, (BAN, other)) == []


@pytest.mark.parametrize(
    "other",
    [
        "Use lookParcelUp; it has been replaced by findParcel.",
        "Do not use findParcel; it has been replaced by lookParcelUp.",
        "Do not use lookParcelUp; it has been renamed by findParcel.",
        "See also section 7 (How to read the rules).",
    ],
)
def test_without_it_the_text_lacks_something(other: str) -> None:
    assert list_edit_errors(MODEL, LINES, (BAN, other))
