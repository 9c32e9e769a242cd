"""Services and details that are made of a domain's own names."""

from __future__ import annotations

from dataclasses import replace

from sopforge.artifacts.complexity.operators import distractor_returns, general_tools
from sopforge.artifacts.complexity.trade.services import iterate_services, make_trade_details
from tests.unit.complexity.trade.test_asides import SETTING
from tests.worlds.plain_variants import load_variant


def added(name: str, dose: int, seed: int = 7) -> list[str]:
    """Return the names of the services that are put into a shipped brief."""
    plain = load_variant(name)
    made = general_tools.OPERATOR.apply(plain, dose, seed).model
    return sorted(set(made.tools) - set(plain.model.tools))


def test_services_are_named_for_what_the_domain_has() -> None:
    tools = {tool.name: (tool, shown) for tool, shown in iterate_services(SETTING, "id", 7)}

    assert tools["checkYardRegisterStatus"][1].name == "yard_register_service_state"
    assert tools["getNightDeskRota"][0].description == (
        "Look up the rota of the night desk for the work on orders"
    )
    assert "of an order" in tools["findOrderFolder"][0].description
    assert {"getOrderFormLayout", "listOrderLetters"} <= set(tools)
    assert len({shown.name for _, shown in tools.values()}) == len(tools)


def test_domains_share_no_service_at_the_usual_dose() -> None:
    dose = general_tools.OPERATOR.usual
    clinic, freight = added("patient_intake", dose), added("dangerous_goods", dose)

    assert len(clinic) == len(freight) == dose
    assert set(clinic).isdisjoint(freight)


def test_the_services_of_any_office_follow_where_the_domain_has_no_more() -> None:
    names = added("patient_intake", 64)

    assert len(names) == 64
    assert any("PressOffice" in name or "MailRoom" in name for name in names)


def test_details_have_the_roles_and_systems_of_the_domain() -> None:
    details = {item.name: item for item in make_trade_details(SETTING)}

    assert details["last_changed_by"].type.values == ("Clerk", "Night desk")  # type: ignore[union-attr]
    assert "record_origin" not in details, "one system alone says nothing"


def test_look_ups_return_such_details_before_others() -> None:
    made = distractor_returns.OPERATOR.apply(load_variant("patient_intake"), 2, 7)

    assert [item.text.split()[2] for item in made.added] == ["last_changed_by:", "copy_sent_to:"]


def test_no_look_up_returns_a_detail_twice() -> None:
    variant = load_variant("patient_intake")
    several = replace(variant.setting, systems=("portal", "ledger"))
    made = distractor_returns.OPERATOR.apply(replace(variant, declared=several), 12, 7)
    returned = [name for tool in made.model.tools.values() for name in tool.returns]

    assert "record_origin" in returned
    assert len(set(returned)) == len(returned)
