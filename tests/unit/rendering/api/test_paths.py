"""Where tools stand in the API: nouns below the record that a call is about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sopforge.artifacts.rendering.api.paths import ApiPlace, assign_places
from sopforge.language.domain.model import DomainModel, Tool
from tests.worlds.small_models import claims, orders, parcel, stays


def shown(place: ApiPlace) -> str:
    return f"{place.method.upper()} {place.path}"


@pytest.mark.parametrize(
    ("model", "tool", "place"),
    [
        pytest.param(parcel(), "findParcel", "GET /parcels/{parcel_id}", id="record"),
        pytest.param(orders(), "getRegion", "GET /regions/{region_code}", id="other record"),
        pytest.param(
            claims(), "findClaimant", "POST /claims/{claim_id}/claimant-searches", id="deep look-up"
        ),
        pytest.param(
            parcel(), "priceParcel", "POST /parcels/{parcel_id}/calculations", id="several values"
        ),
        pytest.param(claims(), "addUp", "POST /calculations", id="about no record"),
        pytest.param(parcel(), "releaseParcel", "POST /parcels/{parcel_id}/slips", id="made"),
        pytest.param(claims(), "payClaim", "POST /claims/{claim_id}/vouchers", id="made, no mark"),
        pytest.param(stays(), "payBill", "POST /stays/{stay_id}/bill/pay", id="nothing is made"),
        pytest.param(
            orders(), "reserveGoods", "POST /orders/{order_id}/goods/reserve", id="changed"
        ),
    ],
)
def test_a_path_consists_of_nouns_below_a_record(model: DomainModel, tool: str, place: str) -> None:
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


@pytest.mark.parametrize(
    ("name", "path"),
    [
        pytest.param("readParcelLabel", "/parcels/{parcel_id}/label", id="record not said twice"),
        pytest.param("lookUpLabel", "/parcels/{parcel_id}/label", id="verb of two words"),
        pytest.param("listParcels", "/parcels/{parcel_id}", id="plural of the record"),
        pytest.param("readHSCode", "/parcels/{parcel_id}/hs-code", id="capitals"),
    ],
)
def test_the_noun_of_a_look_up_is_what_follows_its_verb(name: str, path: str) -> None:
    model = parcel(("findParcel", name))

    assert assign_places(model)[name].path == path


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
