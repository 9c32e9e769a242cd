"""What is read of a procedure's setting: who works where and with what."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from sopforge.briefs.brief_files import load_brief
from sopforge.complexity.trade.setting import Setting, pluralize_words, read_setting
from sopforge.complexity.variant import Variant
from sopforge.rendering.sop.document import Line, SopDocument, Style
from sopforge.rendering.sop.sop import render_sop
from tests.worlds.small_models import claims, orders, parcel

ROOT = Path(__file__).parents[4]


def setting_of(name: str) -> Setting:
    """Return the setting of a shipped brief."""
    brief = load_brief(ROOT / "briefs" / f"{name}.yaml")
    background, control = brief.parts.task_context, brief.parts.document
    sop = render_sop(brief.model, brief.draft, background=background, control=control)
    return read_setting(Variant(brief.model, sop, background=background))


def roles_of(*texts: str) -> Setting:
    """Return the setting of an SOP whose section of roles has these entries."""
    lines = [Line(Style.SECTION, "3. Roles"), *(Line(Style.BULLET, text) for text in texts)]
    return read_setting(Variant(parcel(), SopDocument(tuple(lines))))


def test_a_clinic_has_its_own_roles_systems_and_papers() -> None:
    found = setting_of("patient_intake")

    assert found.worker == "intake coordinator"
    assert found.roles == ("clinical supervisor", "front desk")
    assert found.owner == "clinical supervisor"
    assert found.systems[:2] == ("payer's eligibility portal", "pharmacy directory")
    assert {"registration form", "consent form"} <= set(found.papers)
    assert "policy number" in found.entries
    assert "patient id" not in found.entries
    (cover,) = [deed for deed in found.deeds if deed.activity == "validate the medical coverage"]
    assert cover.inquiry.startswith("ask the payer's eligibility portal for the status")
    assert cover.labels[0] == "coverage status"
    assert found.number == "INT-03"
    assert (found.case, found.cases) == ("patient", "patients")


def test_a_freight_desk_has_others() -> None:
    found, clinic = setting_of("dangerous_goods"), setting_of("patient_intake")

    assert found.worker == "classification clerk"
    assert "safety data sheet" in found.papers
    assert "data sheet" not in found.papers
    for part in ("roles", "systems", "papers", "entries", "deeds"):
        assert set(getattr(found, part)).isdisjoint(getattr(clinic, part)), part


def test_an_entry_that_is_a_paper_itself_stands_on_none() -> None:
    found = setting_of("tables/parts_store")

    assert "order card" in found.papers
    assert not any(entry.endswith(" card") for entry in found.entries)
    assert "asking workshop" in found.entries


def test_a_paper_that_the_procedure_makes_out_does_not_come_in() -> None:
    model = parcel(("title: Let it go", "title: Issue the membership card"))
    prose = "Keep the membership card and the registration form together."

    papers = read_setting(Variant(model, SopDocument(()), background=prose)).papers

    assert "registration form" in papers
    assert "membership card" not in papers


def test_those_who_only_send_cases_or_ask_for_them_are_no_office() -> None:
    found = roles_of(
        "The clerk carries out every step.",
        "The consignor declares the goods, and is sent the answer.",
        "The loading team marks, stows and loads.",
        "The person who answers for this procedure takes over what is left.",
        "Anything else is said elsewhere.",
    )

    assert (found.worker, found.roles) == ("clerk", ("loading team",))


def test_who_carries_out_the_steps_does_the_work_wherever_the_role_stands() -> None:
    found = roles_of("The alarm desk raises alerts.", "The reviewer carries out every step.")

    assert (found.worker, found.roles) == ("reviewer", ("alarm desk",))


@pytest.mark.parametrize(
    ("background", "worker"),
    [
        ("Desk clerks work with the catalogue.", "desk clerk"),
        ("Reviewers work from the alert.", "reviewer"),
        ("Clerks of the desk work.", "clerk"),
        ("The work is done with the catalogue.", "case worker"),
        ("", "case worker"),
    ],
)
def test_who_works_is_read_from_what_the_brief_says_where_the_text_says_nothing(
    background: str, worker: str
) -> None:
    model = parcel()

    assert (
        read_setting(Variant(model, render_sop(model, ""), background=background)).worker == worker
    )


def test_only_single_systems_of_a_list_are_taken() -> None:
    model = parcel()
    background = (
        "Clerks work with four services: the stock register, two scales, and a yard portal."
    )
    found = read_setting(Variant(model, render_sop(model, ""), background=background))

    assert found.systems == ("stock register", "yard portal")


def test_a_paper_of_somebody_keeps_its_owner() -> None:
    model = parcel()
    background = "Clerks compare each parcel with the sender's contract and its customs form."
    found = read_setting(Variant(model, render_sop(model, ""), background=background))

    assert found.papers == ("sender's contract", "customs form")


def test_a_domain_that_names_nothing_has_words_that_fit_any() -> None:
    model = parcel()
    found = read_setting(Variant(model, render_sop(model, "")))

    assert (found.systems, found.papers) == (("parcel register",), ("parcel file",))
    assert (found.roles, found.owner, found.number) == ((), "", "")


def test_the_first_day_of_a_case_is_that_of_the_input_that_begins_last() -> None:
    model = claims()
    kinds = {item.name: item.type for item in model.inputs}
    found = read_setting(Variant(model, render_sop(model, "")))

    assert date.fromordinal(found.first_day) == date.fromordinal(
        kinds["handed_in_at"].minimum // 1440 + 1  # type: ignore[union-attr]
    )
    assert found.first_day > kinds["trip_end"].minimum  # type: ignore[union-attr]
    assert read_setting(Variant(orders(), render_sop(orders(), ""))).first_day == 0


def test_an_edition_in_force_before_has_replaced_the_others_by_then() -> None:
    model = claims()
    head = (
        Line(Style.ROW, "| Owner | Effective from |", excused="control"),
        Line(Style.ROW, "| travel desk | 2024-05-01 |", excused="control"),
    )
    sop = SopDocument((*head, *render_sop(model, "").lines))

    assert read_setting(Variant(model, sop)).first_day == date(2024, 5, 1).toordinal()


def test_the_plural_is_that_of_the_last_word() -> None:
    plurals = map(pluralize_words, ("day list", "travel agency", "loading crew"))

    assert list(plurals) == ["day lists", "travel agencies", "loading crews"]
