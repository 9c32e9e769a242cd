"""What shows without reading that a reworded sentence says something else, and what does not."""

from __future__ import annotations

from sopforge.language.english.prose.guards import compare_guards

SAME = {
    "a limit of days in other words": (
        "The badge ends less than 36 months after the date of receipt.",
        "The badge ends before the day that is 36 months after the date of receipt.",
    ),
    "a later day": (
        "The date of receipt is more than 1 month after the date of the photograph.",
        "The date of receipt falls later than the day that is 1 month after the photograph.",
    ),
    "a formula in verbs": (
        "The change is (the last year minus the year before) times 100 divided by the year before.",
        "Subtract the year before from the last year, multiply by 100, divide by the year before.",
    ),
    "sides that are exchanged": (
        "the score exceeds the limit",
        "the limit is below the score",
    ),
    "a symbol for words": ("the delay is at most 3 days", "the delay is \u2264 3 days"),
    "a contraction": ("the delay does not exceed 3 days", "the delay doesn't exceed 3 days"),
    "a comma between thousands": ("1,200.50 USD", "1200.50 USD"),
    "a count that stands before its relation": (
        "at least 2 papers are there",
        "2 or more papers are there",
    ),
}
OTHER = {
    "a boundary": ("ends less than 36 months after", "ends on or before the day that is 36 months"),
    "a direction": ("less than 36 months", "after the day that is 36 months"),
    "a figure": ("multiply by 100", "multiply by 10"),
    "a unit": ("at least 5 days", "at least 5 weeks"),
    "a label": ('the state is "On"', 'the state is "Off"'),
    "a denial": ("the permit is valid", "the permit is not valid"),
    "a side alone": ("the score exceeds the limit", "the score is less than the limit"),
    "a relation without a figure": (
        "at least 4 points and at least the score",
        "at least 4 points and at most the score",
    ),
    "a direction of days": ("no later than 30 days after it", "no later than 30 days before it"),
    "a magnitude": ("5 million EUR", "5 EUR"),
    "a decimal comma": ("12 USD", "1,2 USD"),
    "a week more": ("within 10 days", "within a week and 10 days"),
    "an order": ("Use the first rule that applies.", "Use the last rule that applies."),
    "a sign": ("plus the exercise points", "minus the exercise points"),
    "all for any": ("if any of the following applies", "if all of the following apply"),
    "a symbol": ("the delay is 0 days", "the delay is \u2265 0 days"),
    "a denial with a curly apostrophe": ('the type is "Saw"', 'the type isn\u2019t "Saw"'),
    "a minus of another kind": ("2 points if it is new", "\u22122 points if it is new"),
    "a half": ("12.50 EUR", "half of 12.50 EUR"),
    "a denied comparison": ('at most 3 days, and not "Film"', 'not at most 3 days, and not "Film"'),
    "sides": (
        "the wear of the tool exceeds the noise of the tool",
        "the noise of the tool exceeds the wear of the tool",
    ),
    "a step": ("go to step 6.3 (Close)", "go to step 6.4 (Close)"),
}


def test_only_what_is_another_thing_is_shown() -> None:
    shown = [name for name, pair in (SAME | OTHER).items() if compare_guards(*pair)]

    assert shown == [*OTHER]
