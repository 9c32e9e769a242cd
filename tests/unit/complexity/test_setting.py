"""Who works by a procedure, where and with what: as its brief declares it, or as its model says."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from sopforge.artifacts.complexity.material import NOTHING
from sopforge.artifacts.complexity.setting import Setting, build_setting, choose_setting
from sopforge.language.domain.documents.schema import ControlDocument, SettingDocument
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import DateTimeType, DateType
from sopforge.pipeline.briefs.brief_files import load_brief
from tests.worlds.small_models import claims, orders, parcel

ROOT = Path(__file__).parents[3]
YARD = SettingDocument(
    worker="yard clerk",
    roles=("driver", "yard clerk"),
    offices=("night desk",),
    systems=("yard register", "scales"),
    papers=("loading form", "order card"),
)


def setting_of(name: str) -> Setting:
    """Return the setting of a shipped brief."""
    brief = load_brief(ROOT / "briefs" / f"{name}.yaml")
    return build_setting(brief.model, brief.parts.setting, brief.parts.document)


def done_by(*roles: str) -> DomainModel:
    """Return the model of parcels whose first steps some roles carry out."""
    steps = [
        replace(step, by=role) for role, step in zip(roles, parcel().steps.values(), strict=False)
    ]
    return replace(parcel(), steps={**parcel().steps, **{step.id: step for step in steps}})


def test_what_a_brief_declares_is_the_setting() -> None:
    found = build_setting(parcel(), YARD, ControlDocument(owner="depot head"))

    assert found.worker == "yard clerk"
    assert found.roles == ("night desk", "driver", "depot head")
    assert found.owner == "depot head"
    assert found.systems == YARD.systems
    assert found.papers == YARD.papers
    assert (found.case, found.cases) == ("parcel", "parcels")


def test_a_clinic_and_a_freight_desk_share_no_name() -> None:
    clinic, freight = setting_of("patient_intake"), setting_of("dangerous_goods")

    assert (clinic.case, clinic.cases) == ("patient", "patients")
    assert "policy number" in clinic.entries
    assert "patient id" not in clinic.entries
    assert "coverage status" in clinic.results
    assert clinic.owner == "clinical supervisor" in clinic.roles
    for part in ("roles", "systems", "papers", "entries", "results"):
        own = set(getattr(clinic, part))
        assert own
        assert own.isdisjoint(getattr(freight, part)), part


def test_an_entry_that_is_a_paper_itself_stands_on_none() -> None:
    model = load_brief(ROOT / "briefs/tables/parts_store.yaml").model
    cards = {entry for entry in build_setting(model).entries if entry.endswith(" card")}
    found = build_setting(model, YARD)

    assert len(cards) >= 3
    assert cards.isdisjoint(found.entries)
    assert "asking workshop" in found.entries


@pytest.mark.parametrize(
    ("by", "worker"), [(("", ""), "case worker"), (("", "porter", "clerk"), "porter")]
)
def test_who_carries_out_the_first_step_does_the_work_where_none_is_declared(
    by: tuple[str, ...], worker: str
) -> None:
    assert build_setting(done_by(*by)).worker == worker


def test_a_domain_that_declares_nothing_has_words_that_fit_any() -> None:
    found = build_setting(parcel())

    assert (found.systems, found.papers) == (("parcel register",), ("parcel file",))
    assert (found.roles, found.owner) == ((), "")


def test_who_takes_cases_over_is_a_role() -> None:
    assert "travel desk" in build_setting(claims()).roles


def test_the_first_day_of_a_case_is_that_of_the_input_that_begins_last() -> None:
    model = claims()
    received, ended = (model.fields[name].type for name in ("handed_in_at", "trip_end"))
    found = build_setting(model)

    assert isinstance(received, DateTimeType)
    assert isinstance(ended, DateType)
    assert found.first_day == received.minimum // 1440 + 1 > ended.minimum
    assert build_setting(orders()).first_day == 0


def test_an_edition_in_force_before_has_replaced_the_others_by_then() -> None:
    control = ControlDocument(effective_on="2024-05-01")

    assert build_setting(claims(), control=control).first_day == date(2024, 5, 1).toordinal()


def test_what_was_written_for_a_domain_stands_where_its_brief_declares_nothing() -> None:
    written = replace(NOTHING, roles=("porter",), systems=("till",), papers=())
    declared = SettingDocument(systems=("yard register",), papers=("loading form",))

    found = choose_setting(declared, written)

    assert found.roles == ("porter",)
    assert found.systems == ("yard register",)
    assert found.papers == ("loading form",)


def test_the_plural_is_that_of_the_last_word() -> None:
    setting = build_setting(parcel())
    cases = ("day list", "travel agency", "loading crew")

    assert [replace(setting, case=case).cases for case in cases] == [
        *("day lists", "travel agencies", "loading crews"),
    ]
