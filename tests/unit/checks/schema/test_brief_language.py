"""A brief that is not in English is reported, and no brief in English is."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.checks.schema.brief_language import find_other_language
from sopforge.language.domain.documents.yaml_documents import Plain, read_document
from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.runs.run import find_brief_warnings

HERE = Path(__file__).parents[4]
BRIEFS = sorted(
    path
    for folder in ("briefs", "docs/examples", "tests/briefs", "tests/domains", "tests/worlds")
    for path in (HERE / folder).glob("*.yaml")
)
FRENCH = """\
format: 1
domain: retours
title: Retours de colis
business_task: Enregistrer les colis que les clients renvoient, puis rembourser ou refuser.
task_context: Les agents travaillent avec le bordereau et avec le registre des envois.
author: {name: anthropic, model: some-model}
"""
ENGLISH = """\
format: 1
domain: retours
title: Returns of parcels
business_task: Register the parcels that customers send back, then refund or refuse them.
task_context: Clerks work with the delivery note and with the register of shipments.
author: {name: anthropic, model: some-model}
"""


def test_a_brief_in_another_language_is_reported_until_it_is_translated() -> None:
    (found,) = find_brief_warnings(read_brief(FRENCH, "retours.yaml"))

    assert found.id == "brief-not-english"
    assert found.message.startswith(
        "14 of the 16 longer words of the brief are not English, such as 'colis', 'avec',"
    )
    assert found.hint.startswith("translate the texts of the brief into English")
    assert find_brief_warnings(read_brief(ENGLISH, "retours.yaml")) == []


@pytest.mark.parametrize(
    "text",
    [
        "Отдел проверяет заявки сотрудников на возмещение расходов и решает, платить или нет",
        "Sprawdź wniosek pracownika, oceń go według zasad i zdecyduj o wypłacie albo odmowie",
        "De afdeling controleert declaraties van medewerkers volgens het beleid, daarna betalen",
    ],
    ids=["Russian", "Polish", "Dutch"],
)
def test_descriptions_count_in_any_script(text: str) -> None:
    fields: Plain = {"claim": {"fields": {"note": {"description": text}}}}

    assert find_other_language({"title": "Claims", "model": {"entities": fields}})


@pytest.mark.parametrize("path", BRIEFS, ids=[path.stem for path in BRIEFS])
def test_no_brief_in_english_is_reported(path: Path) -> None:
    document = read_document(path.read_text(encoding="utf-8"), path.name)

    assert find_other_language(document.value) == []


def test_values_may_be_in_any_language() -> None:
    values: list[Plain] = [
        "Überweisung",
        "Barzahlung",
        "Gutschrift",
        "Lastschrift",
        "Ratenzahlung",
    ] * 20
    field: Plain = {"description": "means by which the customer pays", "values": values}

    assert find_other_language({"model": {"fields": {"payment": field}}}) == []
