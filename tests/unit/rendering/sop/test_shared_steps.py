"""Roles name the steps that they carry out, and these are the ones that name the roles."""

from __future__ import annotations

import pytest

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.domain.reading import read_brief
from sopforge.rendering.sop.sop import render_sop
from tests.conftest import BRIEFS
from tests.worlds.edited_sops import list_edit_errors
from tests.worlds.small_models import changed

FEES = (BRIEFS.parent / "tests/briefs/fees.yaml").read_text(encoding="utf-8")
SHARED = changed(
    FEES,
    (
        "        title: Look the loan up\n",
        "        title: Look the loan up\n        by: librarian\n",
    ),
    ("        title: Work the fee out\n", "        title: Work the fee out\n        by: cashier\n"),
    ("close: {title: Close the return,", "close: {title: Close the return, by: librarian,"),
)
MODEL = read_brief(SHARED, "fees.yaml").model
LINES = render_sop(MODEL, "", (), None).lines
LIBRARIAN = "The librarian carries out steps 6.1 and 6.3."
CASHIER = "The cashier carries out step 6.2."


def read_errors(old: str, new: str) -> list[str]:
    return list_edit_errors(MODEL, LINES, (old, new))


def test_each_role_names_its_steps() -> None:
    assert [line.text for line in LINES if "carries out" in line.text] == [LIBRARIAN, CASHIER]
    assert list(read_back_findings(MODEL, LINES)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (LIBRARIAN, "Steps 6.1 and 6.3 are carried out by the librarian."),
        (LIBRARIAN, "The librarian carries out all other steps."),
        (CASHIER, "Step 6.2 is carried out by the cashier."),
    ],
)
def test_other_words_of_one_meaning_are_read(old: str, new: str) -> None:
    assert read_errors(old, new) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (LIBRARIAN, "The librarian carries out steps 6.1 and 6.2."),
        (LIBRARIAN, "The librarian carries out steps 6.1 to 6.3."),
        (LIBRARIAN, "The cashier carries out steps 6.1 and 6.3."),
        (LIBRARIAN, "Steps 6.1 and 6.2 are carried out by the librarian."),
        (LIBRARIAN, "Steps 6.1 and 6.3 are not carried out by the librarian."),
        (CASHIER, "The cashier carries out step 6.3."),
        (CASHIER, "The librarian carries out step 6.2."),
        (CASHIER, "The clerk carries out step 6.2."),
    ],
)
def test_another_role_or_step_is_found(old: str, new: str) -> None:
    assert read_errors(old, new)
