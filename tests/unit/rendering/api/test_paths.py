"""Where tools stand in the API: nouns below the record that a call is about."""

from __future__ import annotations

from dataclasses import replace

from sopforge.artifacts.rendering.api.paths import ApiPlace, assign_places
from sopforge.language.domain.model import DomainModel, Tool
from tests.worlds.small_models import claims, orders, parcel, stays


def shown(place: ApiPlace) -> str:
    return f"{place.method.upper()} {place.path}"


def test_a_path_consists_of_nouns_below_a_record() -> None:
    cases: list[tuple[DomainModel, str, str]] = [
        (parcel(), "findParcel", "GET /parcels/{parcel_id}"),
        (orders(), "getRegion", "GET /regions/{region_code}"),
        (claims(), "findClaimant", "POST /claims/{claim_id}/claimant-searches"),
        (parcel(), "priceParcel", "POST /parcels/{parcel_id}/calculations"),
        (claims(), "addUp", "POST /calculations"),
        (parcel(), "releaseParcel", "POST /parcels/{parcel_id}/slips"),
        (claims(), "payClaim", "POST /claims/{claim_id}/vouchers"),
        (stays(), "payBill", "POST /stays/{stay_id}/bill/pay"),
        (orders(), "reserveGoods", "POST /orders/{order_id}/goods/reserve"),
    ]

    for model, tool, place in cases:
        assert shown(assign_places(model)[tool]) == place


def test_a_calculation_of_one_value_is_posted_to_those_values() -> None:
    model = parcel(("returns: [surcharge, service_points]", "returns: [surcharge]"))
    place = assign_places(model)["priceParcel"]

    assert shown(place) == "POST /parcels/{parcel_id}/surcharges"
    assert (place.in_path, place.in_query, place.in_body) == (
        ("parcel_id",),
        (),
        ("weight", "service"),
    )


def test_the_noun_of_a_look_up_is_what_follows_its_verb() -> None:
    paths = {
        "readParcelLabel": "/parcels/{parcel_id}/label",
        "lookUpLabel": "/parcels/{parcel_id}/label",
        "listParcels": "/parcels/{parcel_id}",
        "readHSCode": "/parcels/{parcel_id}/hs-code",
    }

    for name, path in paths.items():
        assert assign_places(parcel(("findParcel", name)))[name].path == path


def test_of_tools_at_one_place_the_one_that_is_called_has_it() -> None:
    model = parcel()
    called = model.tools["findParcel"]
    others: dict[str, Tool] = {
        name: replace(called, name=name) for name in ("getParcel", "readParcel")
    }
    found = assign_places(replace(model, tools={**others, **model.tools}))

    assert [shown(found[name]) for name in ("getParcel", "readParcel", "findParcel")] == [
        "GET /parcels/{parcel_id}/record",
        "GET /parcels/{parcel_id}/record-2",
        "GET /parcels/{parcel_id}",
    ]
