"""A refusal has the code and the message that follow from the model, word for word."""

from __future__ import annotations

from pathlib import Path

from sopforge.artifacts.rendering.tools.module import render_given_part, render_tools
from sopforge.checks.tools.tools_agree import find_disagreements
from sopforge.findings import Finding
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief
from sopforge.proof.dataset.records import write_records
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.dataset.trials.tool_trials import Trial

FEES = (Path(__file__).parents[3] / "briefs" / "fees.yaml").read_text(encoding="utf-8")
MODEL = read_brief(FEES, "fees.yaml").model
REQUIRED = """
      requires: {id: G1, is: kind != 'NO', refusal: sent_home, says: no loan goes to NO}"""
COUNTRIES = read_brief(
    FEES.replace("[Book, Film, Reference]", "[NO, SE, IT]")
    .replace("kind != 'Film'", "kind != 'SE'")
    .replace("takes: [loan_id]", f"takes: [loan_id, kind]{REQUIRED}"),
    "fees.yaml",
).model


def tried(model: DomainModel, source: str, *trials: Trial) -> list[Finding]:
    """Return what is found where a module answers calls on drawn records."""
    files = {"tools.py": source, **write_records(model, sample_rows(model, 1, range(3)))}
    return find_disagreements(model, {n: text.encode() for n, text in files.items()}, trials)


UNKNOWN = Trial("lookUpLoan", {"loan_id": "L99999"}, "unknown_record")
WRONG = Trial("lookUpLoan", {"loan_id": "l00001"}, "invalid_parameter")


def test_the_derived_messages_are_right() -> None:
    source = render_tools(MODEL)
    assert tried(MODEL, source, UNKNOWN, WRONG) == []
    assert tried(MODEL, f"{source}\n\nOTHER = 1\n", UNKNOWN, WRONG) == []


def test_another_message_is_shown_beside_the_derived_one() -> None:
    source = render_tools(MODEL).replace("check it and call again", "waive the fee")

    [found] = tried(MODEL, source, UNKNOWN, WRONG)

    assert found.id == "refusal-differs"
    assert found.message == (
        "lookUpLoan(loan_id='L99999') refuses with the message"
        " \"unknown_record: there is no loan whose loan_id is 'L99999'; waive the fee\"; derived is"
        " \"unknown_record: there is no loan whose loan_id is 'L99999'; check it and call again\""
    )


def test_differences_are_reported_by_kind_with_their_number() -> None:
    source = render_tools(MODEL).replace('"unknown_record"', '"no_record"')
    source = source.replace('"invalid_parameter"', '"bad_parameter"')
    found = tried(MODEL, source, UNKNOWN, UNKNOWN, WRONG)

    assert [(item.id, item.count) for item in found] == [
        ("tools-disagree", 2),
        ("tools-disagree", 1),
    ]
    kinds = [item.message.partition(", in ")[0] for item in found]
    assert kinds[0] == "lookUpLoan: no_record instead of unknown_record"
    assert "in 2 calls, for example lookUpLoan(loan_id='L99999')" in found[0].message
    assert "bad_parameter" in found[1].message
    assert "the model says invalid_parameter" in found[1].message


def test_tools_may_speak_of_the_country_no() -> None:
    # "No" and "NO" were once one word, which a message singled out among the countries.
    [row] = [row for row in sample_rows(COUNTRIES, 1, range(3)) if row["kind"] == 0][:1]
    given = {"loan_id": row["loan_id"], "kind": "NO"}
    calls = [
        Trial("lookUpLoan", {**given, "loan_id": "L99999"}, "unknown_record"),
        Trial("lookUpLoan", {**given, "kind": "no"}, "invalid_parameter"),
        Trial("lookUpLoan", given, "sent_home"),
    ]

    assert tried(COUNTRIES, f"{render_tools(COUNTRIES)}\n\nOTHER = 1\n", *calls) == []


def test_what_is_given_of_a_module_ends_above_its_class() -> None:
    given, source = render_given_part(MODEL), render_tools(MODEL)
    assert source.startswith(f"{given}class FeesManager:")
    assert "class ToolRefusal(Exception):" in given
