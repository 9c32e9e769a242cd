"""Amounts, shares and what every entry has, as people say it, each with planted faults."""

from __future__ import annotations

import pytest

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.domain.reading import read_brief
from sopforge.rendering.sop.sop import render_sop
from tests.conftest import BRIEFS
from tests.worlds.edited_sops import list_edit_errors

TEXT = (BRIEFS.parent / "tests/worlds/said_of_amounts.yaml").read_text(encoding="utf-8")
BRIEF = read_brief(TEXT, "said_of_amounts.yaml")
MODEL = BRIEF.model
LINES = render_sop(MODEL, "", (), None, control=BRIEF.parts.document).lines
WORTH = (
    "the sum of the number of bags times the cost per bag for all returned sacks that have a broken"
    " seal."
)
OFF = (
    "the sum of (the cost per bag multiplied by the discount rate, rounded to 2 decimal places) for"
    " all returned sacks."
)
CREDIT = "the price multiplied by the credit rate, rounded to 2 decimal places."
INDEX = "the price times the price rise (as a plain number)."
OLD = "the expiry date of every returned sack is less than 30 days after the date of the return."
TORN = "every returned sack has a broken seal."
KEPT = "30 percent of the price is less than 15 EUR."
PAST = "the expiry date of any returned sack is on or before the date of the return."
RECENT = (
    "there is a returned sack whose expiry date is on the date of the return or up to 9 days before"
    " it."
)
CALLED = "the total number of bags of the returned sacks of the recalled batch."
ON_OR, BEFORE = "on the date of the return or up to", "before the date of the return"
AFTER = "after the date of the return."
ENDED = "1 point if the sale ends before the date of the return and"
ASKED = "the date of the request is on the date of the return or less than 4 days after it."
DUE = (
    "each returned sack for which its expiry date is less than 7 days before the date of the return"
    " and the date of the return is less than 7 days before (its expiry date plus its storage time"
    " minus 1 day), with its number of bags."
)


def find_errors(old: str, new: str) -> list[str]:
    return list_edit_errors(MODEL, LINES, (old, new))


@pytest.mark.parametrize(
    "said", [WORTH, OFF, CREDIT, INDEX, OLD, TORN, KEPT, PAST, DUE, RECENT, ENDED, ASKED, CALLED]
)
def test_it_is_said_so(said: str) -> None:
    assert [line.text for line in LINES if said in line.text]


def test_all_of_it_is_read_back() -> None:
    assert list(read_back_findings(MODEL, LINES)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (WORTH, WORTH.replace("for all returned", "over the returned")),
        (WORTH, WORTH.replace("the number", "the entry's number").replace("the cost", "its cost")),
        (CREDIT, CREDIT.replace("rate,", "rate (in percent),")),
        (CREDIT, CREDIT.replace("multiplied by", "times")),
        (CREDIT, CREDIT.replace("price multiplied by", "product of the price and")),
        (OLD, OLD.replace("less than", "earlier than")),
        (
            OLD,
            ("for every entry in the returned sacks, its expiry date is less than 30 days after the"
            " date of the return."),
        ),
        (KEPT, "15 EUR is more than 30 percent of the price."),
        (
            PAST,
            "there is a returned sack whose expiry date is on or before the date of the return.",
        ),
        (DUE, DUE.replace("its expiry", "the entry's expiry")),
        (RECENT, RECENT.replace("up to", "at most")),
        (ENDED, "1 point if the end of the sale is before the date of the return and"),
        (DUE, DUE.replace("its storage time minus 1 day", "(its storage time minus 1 day)")),
        (DUE, DUE.replace("minus 1 day)", "minus 1 day (in days))")),
        (CALLED, CALLED.replace("of the recalled", "whose batch is the same as the recalled")),
    ],
)  # fmt: skip
def test_other_words_of_one_meaning_are_read(old: str, new: str) -> None:
    assert find_errors(old, new) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (WORTH, WORTH.replace("sum of the number of bags times", "total")),
        (WORTH, WORTH.replace("times", "plus")),
        (WORTH, WORTH.replace("a broken", "an intact")),
        (WORTH, WORTH.replace("cost per bag", "storage time")),
        (WORTH, WORTH.replace(" that have a broken seal", "")),
        (WORTH, WORTH.replace("the sum of", "the largest value of")),
        (OFF, OFF.replace("multiplied by", "times").replace("rate,", "rate (as a plain number),")),
        (OFF, OFF.replace("discount rate", "credit rate")),
        (OFF, OFF.replace("2 decimal", "1 decimal")),
        (CREDIT, CREDIT.replace("multiplied by the credit rate", "plus the credit rate")),
        (CREDIT, CREDIT.replace("credit rate", "price rise")),
        (CREDIT, CREDIT.replace("multiplied by the credit rate", "divided by the credit rate")),
        (CREDIT, CREDIT.replace("rate,", "rate (as a plain number),")),
        (INDEX, INDEX.replace(" (as a plain number)", "")),
        (INDEX, INDEX.replace("times", "plus").replace(" (as a plain number)", "")),
        (INDEX, INDEX.replace("(as a plain number)", "(in percent)")),
        (OLD, OLD.replace("every", "any")),
        (OLD, OLD.replace("30", "31")),
        (OLD, OLD.replace("after", "before")),
        (OLD, OLD.replace("less than", "more than")),
        (OLD, OLD.replace("is less", "is not less")),
        (TORN, TORN.replace("every", "any")),
        (TORN, TORN.replace("every", "no")),
        (TORN, TORN.replace("a broken", "an intact")),
        (KEPT, KEPT.replace("30", "35")),
        (KEPT, KEPT.replace("less than", "at most")),
        (KEPT, "15 EUR is less than 30 percent of the price."),
        (KEPT, KEPT.replace("15 EUR", "15 percent")),
        (PAST, PAST.replace("any", "every")),
        (PAST, PAST.replace("on or before", "before")),
        (PAST, PAST.replace("on or before", "on or after")),
        (RECENT, RECENT.replace("up to", "less than")),
        (RECENT, RECENT.replace("9", "8")),
        (RECENT, RECENT.replace("days before", "working days before")),
        (RECENT, RECENT.replace("before it", "after it")),
        (RECENT, RECENT.replace(ON_OR, "no earlier than").replace("before it", BEFORE)),
        (ENDED, ENDED.replace("ends before", "ends after")),
        (ENDED, ENDED.replace("ends before", "ends on or before")),
        (ENDED, ENDED.replace("ends", "starts")),
        (ENDED, ENDED.replace("the return", "the request")),
        (ASKED, ASKED.replace("less than", "up to")),
        (ASKED, ASKED.replace("after it", "before it")),
        (ASKED, ASKED.replace("4", "5")),
        (ASKED, ASKED.replace("on the date of the return or ", "").replace("after it.", AFTER)),
        (DUE, DUE.replace("7 days before the date", "7 days after the date")),
        (DUE, DUE.replace("minus 1", "plus 1")),
        (DUE, DUE.replace("1 day)", "1 working day)")),
        (DUE, DUE.replace("1 day)", "1 percent)")),
        (CALLED, CALLED.replace("of the recalled", "whose maker is the same as the recalled")),
        (CALLED, CALLED.replace("of the recalled", "whose batch is not the recalled")),
        (CALLED, CALLED.replace(" of the recalled batch", "")),
        (CALLED, CALLED.replace("recalled batch", "parcel number")),
        (INDEX, INDEX.replace("number).", "number) times 1 percent.")),
        ("discount rate, in percent", "discount rate, in EUR"),
        ('"yes" if it has an intact', '"no" if it has an intact'),
        ("has an intact seal, ", "has a broken seal, "),
        ("count (number of bags", "count (cost per bag"),
        (DUE, DUE.replace("minus 1 day)", "minus 1 day (in months))")),
        (DUE, DUE.replace("minus 1 day)", "plus 1 day)")),
        (DUE, DUE.replace("minus 1 day)", "minus 2 days)")),
        (DUE, DUE.replace("storage time", "number of bags")),
        (DUE, DUE.replace(" and the date", " or the date")),
        (DUE, DUE.replace("with its number of bags", "with its expiry date")),
    ],
)  # fmt: skip
def test_a_fault_in_it_is_noticed(old: str, new: str) -> None:
    assert find_errors(old, new)
