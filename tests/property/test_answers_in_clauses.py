"""Yes/no fields that rules decide: the SOP says in clauses what is so, and is read back by them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.dataset.sampling.sampling import sample_rows
from sopforge.rendering.sop.document import SopDocument
from sopforge.rendering.sop.sop import render_sop
from tests.judges.sop_walker import list_other_answers
from tests.worlds.small_models import parcel

MODEL = parcel(
    (
        "        care: {role: outcome",
        (
            "        bulky: {label: great size, role: derived, type: boolean, description: size,"
            " said: {yes: the parcel is bulky, no: the parcel is handy}}\n"
            "        safe: {role: derived, type: boolean, description: whether it travels safely,"
            " said: {yes: the parcel travels safely, no: the parcel needs care}}\n"
            "        stamped: {label: stamp, role: outcome, type: boolean, description: stamp,"
            " said: {yes: the parcel gets a stamp, no: the parcel gets no stamp}}\n"
            "        care: {role: outcome"
        ),
    ),
    (
        "    care:\n",
        (
            "    bulky: {hit: first, rules: [{id: B1, when: weight > 20, then: 'yes'},"
            " {id: B2, when: weight > 10 and fragile, then: 'yes'}, {id: B3, otherwise: 'no'}]}\n"
            "    safe: {value: not fragile and not bulky}\n"
            "    stamped: {hit: first, rules: [{id: S1, when: safe, then: 'no'},"
            " {id: S2, otherwise: 'yes'}]}\n"
            "    care:\n"
        ),
    ),
    ("decide: [care]", "decide: [bulky, safe, stamped, care]"),
)
SEEDS = (None, *range(6))


def lines(seed: int | None = None) -> list[str]:
    return [line.text for line in render_sop(MODEL, "", (), seed).lines]


def test_the_text_says_what_is_so() -> None:
    text = "\n".join(lines())

    assert (
        'Determine whether the parcel is bulky (bulky): "yes" if any of the following applies,'
        ' otherwise "no":\n'
        "the weight is more than 20 kg;\n"
        'the weight is more than 10 kg and the fragile is "yes".\n'
        'Work out whether the parcel travels safely (safe): "yes" if the fragile is "no" and the'
        ' parcel is handy, otherwise "no".\n'
        'Determine whether the parcel gets a stamp (stamped): "no" if the parcel travels safely,'
        ' otherwise "yes".'
    ) in text
    assert '| stamp | stamped | "yes" if the parcel gets a stamp, otherwise "no" |' in text


@pytest.mark.parametrize("seed", SEEDS)
def test_it_is_read_back_in_every_wording(seed: int | None) -> None:
    assert list(read_back_findings(MODEL, render_sop(MODEL, "", (), seed).lines)) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_who_walks_by_the_text_comes_to_the_same_answers(seed: int | None) -> None:
    rows = sample_rows(MODEL, 5, range(60))

    assert list_other_answers(MODEL, render_sop(MODEL, "", (), seed).lines, rows) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("whether the parcel is bulky (bulky)", "whether the parcel is handy (bulky)"),
        ("whether the parcel is bulky (bulky)", "whether the parcel gets a stamp (bulky)"),
        ('"yes" if any of the following applies', '"no" if any of the following applies'),
        ("if any of the following applies", "if all of the following apply"),
        (
            '"no" if the parcel travels safely, otherwise "yes"',
            '"yes" if the parcel travels safely, otherwise "no"',
        ),
        ('"no" if the parcel travels safely', '"no" if the parcel travels safely today'),
        ('"no" if the parcel travels safely', '"no" if the parcel needs care'),
        ('"yes" if the parcel gets a stamp', '"yes" if the parcel gets no stamp'),
    ],
)
def test_another_clause_is_found(old: str, new: str) -> None:
    document = render_sop(MODEL, "")
    changed = SopDocument(
        tuple(replace(line, text=line.text.replace(old, new)) for line in document.lines)
    )

    assert changed != document
    assert list(read_back_findings(MODEL, changed.lines)) != []
