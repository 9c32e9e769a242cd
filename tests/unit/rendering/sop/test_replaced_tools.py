"""Tools that others have replaced: the SOP forbids them where their successors are called."""

from __future__ import annotations

from tests.worlds.edited_sops import derive, find_edited
from tests.worlds.small_models import parcel

OLD = (
    "    priceParcel:\n",
    (
        "    lookParcelUp: {kind: lookup, description: Find a parcel in the old register,"
        " takes: [parcel_id], returns: [service], replaced_by: findParcel}\n"
        "    priceParcel:\n"
    ),
)
BAN = "Do not use lookParcelUp; it has been replaced by findParcel."
TURNED = "Do not use findParcel; it has been replaced by lookParcelUp."


def test_the_ban_follows_the_call_of_the_successor() -> None:
    texts = [item.text for item in derive(parcel(OLD)).document.statements]

    assert texts.count(BAN) == 1
    assert texts[texts.index(BAN) - 1].startswith("Call findParcel with ")
    assert "lookParcelUp" not in derive(parcel()).document.as_text()


def test_without_it_the_text_lacks_something() -> None:
    derived = derive(parcel(OLD))

    assert len(find_edited(derived, (f"{BAN}\n", ""))) == 1
    assert [x.guards for x in find_edited(derived, (BAN, BAN.replace("Do not use", "Use")))] == [
        ("denials: a denial became nothing",)
    ]
    assert len(find_edited(derived, (BAN, TURNED))) == 1
