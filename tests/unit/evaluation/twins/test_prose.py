"""The prose of a draft beside a change: it follows, or it is left out."""

from __future__ import annotations

from decimal import Decimal

from sopforge.evaluation.twins.changes import ChangeKind, RuleChange
from sopforge.evaluation.twins.prose import adapt_draft

DRAFT = """# Racks

Our racks bear 1,100 kg. A pallet that weighs
more than that is turned away.

# Charges

- The door fee is 30 EUR.
- A warm pallet is "turned away" all the same.

We are open from six.
"""


def change_limit(before: int, after: int) -> RuleChange:
    figure = Decimal(before), Decimal(after)
    return RuleChange(ChangeKind.LIMIT, "limit", "", (), figure=figure)


def test_a_figure_follows_as_it_was_written() -> None:
    found = adapt_draft(DRAFT, change_limit(1100, 1250), ["Our racks bear 1,100 kg."])

    assert found == DRAFT.replace("1,100 kg", "1,250 kg")


def test_a_figure_is_found_without_an_account() -> None:
    assert adapt_draft(DRAFT, change_limit(30, 45), []) == DRAFT.replace("30 EUR", "45 EUR")


def test_a_sentence_without_the_figure_is_left_out_with_its_paragraph() -> None:
    found = adapt_draft(DRAFT, change_limit(7, 8), ["weighs more than that is turned away"])

    assert "pallet that weighs" not in found
    assert found.replace("\n", "") == DRAFT.replace("\n", "").replace(
        "Our racks bear 1,100 kg. A pallet that weighsmore than that is turned away.", ""
    )


def test_a_bullet_that_names_a_label_is_left_out_and_its_neighbour_stays() -> None:
    change = RuleChange(ChangeKind.RESULT, "ruling.A1", "", (), labels=("turned away",))

    found = adapt_draft(DRAFT, change, [])

    assert "warm pallet" not in found
    assert "more than that" not in found
    assert "- The door fee is 30 EUR.\n" in found
    assert "# Racks" in found


def test_a_figure_in_words_is_left_out() -> None:
    change = change_limit(6, 7)

    assert "We are open" not in adapt_draft(DRAFT, change, [])
