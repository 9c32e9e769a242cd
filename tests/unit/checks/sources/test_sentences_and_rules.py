# ruff: noqa: E501 - a brief is easier to read with an item on each line
"""One sentence and one table: read as it is said there is no finding, read otherwise there is."""

from __future__ import annotations

import pytest

from sopforge.authors.offline import OfflineAuthor
from sopforge.checks.sources.brief_and_model import CHECK
from sopforge.domain.reading import read_brief
from sopforge.workspace import DOMAIN, Workspace

BRIEF = """
format: 1
domain: passes
title: Requests about Passes
business_task: Decide on requests about passes.
task_context: |
  Clerks look requests up in the desk book.

  SAID
remarks:
  sources:
SOURCES
  assumptions:
    - {says: The rest is as the clerk sees fit., items: [REST]}
model:
  entities:
    request:
      key: request_id
      fields:
        request_id: {role: input, type: string, pattern: "R[0-9]{6}", unique: true, description: number}
        reason: {role: observed, type: enum, values: [death, move, illness, whim], description: reason}
        pass_type: {label: type of the pass, role: observed, type: enum, values: [Adult, Youth, Senior, Family], description: type of the pass}
        papers: {role: observed, type: boolean, description: papers}
        member: {role: observed, type: boolean, description: member}
        days_late: {role: observed, type: integer, min: 0, max: 90, unit: days, description: days after the event}
        open_volume: {role: observed, type: integer, min: 0, max: 90, unit: t, description: volume still open}
        load_volume: {role: observed, type: integer, min: 0, max: 90, unit: t, description: volume of the load}
        event_on: {label: day of the accident, role: observed, type: date, min: 2026-01-01, max: 2026-03-31, description: accident}
        asked_on: {label: day of the request, role: observed, type: date, min: 2026-01-01, max: 2026-03-31, description: request}
        minor: {label: minor matter, role: derived, type: boolean, description: whether it is a minor matter}
        verdict: {role: outcome, type: enum, values: [approved, declined, referred], primary: true, description: what is decided}
        fee: {role: outcome, type: integer, min: 0, max: 50, unit: EUR, missing: no fee, description: fee}
        due_on: {label: day of the answer, role: outcome, type: date, min: 2026-01-01, max: 2026-12-31, description: answer}
  decisions:
    minor:
      hit: first
      rules: [MINOR]
    verdict:
      hit: first
      rules: [VERDICT]
    fee:
      hit: first
      rules: [FEE]
    due_on: {value: "DUE"}
  tools:
    book: {kind: lookup, description: The desk book, takes: [request_id], returns: [reason, pass_type, papers, member, days_late, open_volume, load_volume, event_on, asked_on]}
  procedure:
    start: look
    steps:
      look: {title: Look the request up, call: book, decide: [minor, verdict, fee, due_on], edges: [{to: close}]}
      close: {title: Close the case, end: {}}
dataset: {n_samples: 20, seed: 1}
complexity: {levels: [L0]}
"""
TABLES = {
    "MINOR": "{id: M1, when: whim, then: true}, {id: M2, otherwise: false}".replace(
        "whim", "reason == 'whim'"
    ),
    "VERDICT": "{id: V1, when: papers, then: approved}, {id: V2, otherwise: referred}",
    "FEE": "{id: F1, when: member, then: 3}, {id: F2, otherwise: 4}",
    "DUE": "add_days(asked_on, 3)",
}
ITEMS = {
    "MINOR": ["decisions.minor.M1", "decisions.minor.M2"],
    "VERDICT": ["decisions.verdict.V1", "decisions.verdict.V2"],
    "FEE": ["decisions.fee.F1", "decisions.fee.F2"],
    "DUE": ["decisions.due_on"],
}


def find(said: str, sources: dict[str, str], table: str, rules: str) -> set[str]:
    """Return the findings of a brief with a sentence and a table; ``sources`` by the items."""
    return find_in(said, sources, {table: rules})


def find_in(said: str, sources: dict[str, str], changed: dict[str, str]) -> set[str]:
    """Return the findings of a brief with a sentence and tables of its own."""
    tables = {**TABLES, **changed}
    cited = "\n".join(
        f"    - {{says: '{says}', items: [{items}]}}" for items, says in sources.items()
    )
    rest = [name for key, names in ITEMS.items() for name in names if name not in " ".join(sources)]
    text = BRIEF.replace("SAID", said).replace("SOURCES", cited)
    for key, value in tables.items():
        text = text.replace(f"[{key}]", f"[{value}]").replace(f'"{key}"', f'"{value}"')
    text = text.replace("[REST]", f"[{', '.join(rest)}]")
    brief = read_brief(text, "passes.yaml")
    workspace = Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)})
    return {item.id for item in CHECK.examine(workspace)}


OTHER = "{id: V2, otherwise: referred}"


@pytest.mark.parametrize(
    ("said", "table", "right", "wrong", "code"),
    [
        pytest.param(
            "Approved are requests after a death, moves and illness.",
            "VERDICT",
            f"{{id: V1, when: \"reason in ['death', 'move', 'illness']\", then: approved}}, {OTHER}",
            f"{{id: V1, when: \"reason in ['death', 'move']\", then: approved}}, {OTHER}",
            "facts-differ",
            id="a list of labels",
        ),
        pytest.param(
            "Requests without papers are declined, deaths too.",
            "VERDICT",
            f"{{id: V1, when: not papers, then: declined}}, {OTHER}",
            f"{{id: V1, when: not papers and reason != 'death', then: declined}}, {OTHER}",
            "scope-differs",
            id="an inclusion",
        ),
        pytest.param(
            "Requests without papers are declined, unless the reason is a death.",
            "VERDICT",
            f"{{id: V1, when: not papers and reason != 'death', then: declined}}, {OTHER}",
            f"{{id: V1, when: not papers and reason == 'death', then: declined}}, {OTHER}",
            "scope-differs",
            id="an exception turned round",
        ),
        pytest.param(
            "Senior and Family passes are approved.",
            "VERDICT",
            f"{{id: V1, when: \"pass_type in ['Senior', 'Family']\", then: approved}}, {OTHER}",
            f"{{id: V1, when: \"pass_type in ['Senior', 'Youth']\", then: approved}}, {OTHER}",
            "label-not-cited",
            id="one of two labels",
        ),
        pytest.param(
            "It is approved if the volume still open is at least the volume of the load.",
            "VERDICT",
            f"{{id: V1, when: open_volume >= load_volume, then: approved}}, {OTHER}",
            f"{{id: V1, when: open_volume > load_volume, then: approved}}, {OTHER}",
            "limit-differs",
            id="a limit that is a fact",
        ),
        pytest.param(
            "More than 30 days after the event it is declined. For members it is 60 days.",
            "VERDICT",
            f"{{id: V1, when: (member and days_late > 60) or (not member and days_late > 30), then: declined}}, {OTHER}",
            f"{{id: V1, when: (member and days_late >= 60) or (not member and days_late > 30), then: declined}}, {OTHER}",
            "limit-differs",
            id="a limit carried on",
        ),
        pytest.param(
            "The answer is due 8 days after the accident.",
            "DUE",
            "add_days(event_on, 8)",
            "add_days(asked_on, 8)",
            "figure-not-in-model",
            id="the day from which is counted",
        ),
        pytest.param(
            'The fee is "none" unless a member asks, who pays 7 EUR.',
            "FEE",
            "{id: F1, when: member, then: 7}, {id: F2, otherwise: missing}",
            "{id: F1, when: member, then: 7}, {id: F2, otherwise: 0}",
            "default-differs",
            id="a word for no value",
        ),
        pytest.param(
            "A whim is a minor matter if there are papers.",
            "MINOR",
            "{id: M1, when: reason == 'whim' and papers, then: true}, {id: M2, otherwise: false}",
            "{id: M1, when: reason == 'whim' and not papers, then: true}, {id: M2, otherwise: false}",
            "answer-differs",
            id="a yes or no that a rule gives",
        ),
    ],
)
def test_what_a_sentence_says_is_compared_with_its_rule(
    said: str, table: str, right: str, wrong: str, code: str
) -> None:
    names = [name for name in ITEMS[table] if name[-1] == "1" or table in ("DUE", "FEE")]
    sources = {", ".join(names): said}
    assert code not in find(said, sources, table, right)
    assert code in find(said, sources, table, wrong)


def test_a_thing_of_a_list_that_nothing_reads_is_found() -> None:
    said = "Approved are papers, members and grandchildren."
    rule = f"{{id: V1, when: papers or member, then: approved}}, {OTHER}"
    assert "listed-not-read" in find(said, {"decisions.verdict.V1": said}, "VERDICT", rule)
    short = "Approved are papers, members and types of passes."
    wide = f"{{id: V1, when: papers or member or pass_type == 'Youth', then: approved}}, {OTHER}"
    assert "listed-not-read" not in find(short, {"decisions.verdict.V1": short}, "VERDICT", wide)


def test_a_default_that_stands_with_another_rule_is_found() -> None:
    said = "Normal: 10 EUR. Members: 14 EUR."
    right = "{id: F1, when: member, then: 14}, {id: F2, otherwise: 10}"
    wrong = "{id: F1, when: not member, then: 10}, {id: F2, otherwise: 14}"
    other = {"decisions.fee.F2": "Normal: 10 EUR.", "decisions.fee.F1": "Members: 14 EUR."}
    same = {"decisions.fee.F1": "Normal: 10 EUR.", "decisions.fee.F2": "Members: 14 EUR."}
    assert "default-differs" not in find(said, other, "FEE", right)
    assert "default-differs" in find(said, same, "FEE", wrong)


def test_the_figure_of_an_addition_is_not_set_aside_as_history() -> None:
    brief = read_brief(
        BRIEF.replace("SAID", "Members pay 3 EUR.")
        .replace("SOURCES", "    - {says: Members pay 3 EUR., items: [decisions.fee.F1]}")
        .replace("[REST]", "[decisions.fee.F2]")
        .replace("remarks:", "context: [From May members must pay 5 EUR.]\nremarks:")
        .replace(
            "  assumptions:",
            "  set_aside:\n    - {says: From May members must pay 5 EUR., because: history}\n  assumptions:",
        )
        .replace("[MINOR]", f"[{TABLES['MINOR']}]")
        .replace("[VERDICT]", f"[{TABLES['VERDICT']}]")
        .replace("[FEE]", f"[{TABLES['FEE']}]")
        .replace('"DUE"', '"add_days(asked_on, 3)"'),
        "passes.yaml",
    )
    workspace = Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)})
    assert "addition-set-aside" in {item.id for item in CHECK.examine(workspace)}


def test_a_condition_of_which_one_label_is_read_by_nothing_is_found() -> None:
    said = "Approved if there are papers or the pass is a Youth pass."
    half = f"{{id: V1, when: papers, then: approved}}, {OTHER}"
    whole = f"{{id: V1, when: papers or pass_type == 'Youth', then: approved}}, {OTHER}"
    assert "listed-not-read" in find(said, {"decisions.verdict.V1": said}, "VERDICT", half)
    assert "listed-not-read" not in find(said, {"decisions.verdict.V1": said}, "VERDICT", whole)


def test_a_condition_that_a_derived_fact_reads_is_read() -> None:
    said = "Approved if the papers are there, unless the reason is whim."
    rule = f"{{id: V1, when: papers and not minor, then: approved}}, {OTHER}"
    assert "listed-not-read" not in find(said, {"decisions.verdict.V1": said}, "VERDICT", rule)


TOGETHER = "The fee is 3 EUR for declined requests, and members get theirs back."


@pytest.mark.parametrize(
    ("rules", "is_apart"),
    [
        ("{id: F1, when: verdict == 'declined', then: 3}, {id: F2, otherwise: missing}", False),
        ("{id: F1, when: verdict == 'declined', then: missing}, {id: F2, otherwise: 3}", True),
    ],
)
def test_a_value_that_is_never_there_with_a_result_is_found(rules: str, is_apart: bool) -> None:  # noqa: FBT001 - a case of the table
    sources = {"decisions.fee.F1, decisions.fee.F2": TOGETHER}
    verdict = "{id: V1, when: papers, then: declined}, {id: V2, otherwise: referred}"
    tables = {"FEE": rules, "VERDICT": verdict}
    assert ("never-together" in find_in(TOGETHER, sources, tables)) is is_apart


def test_a_clause_that_denies_names_nothing_together() -> None:
    said = "There is no fee for declined requests."
    rules = "{id: F1, when: verdict == 'declined', then: missing}, {id: F2, otherwise: 3}"
    verdict = "{id: V1, when: papers, then: declined}, {id: V2, otherwise: referred}"
    tables = {"FEE": rules, "VERDICT": verdict}
    assert "never-together" not in find_in(said, {"decisions.fee.F1": said}, tables)


@pytest.mark.parametrize(
    ("said", "table", "rules", "code"),
    [
        pytest.param(
            "The fee is 3 EUR from 10 days late up to but not including 20.",
            "FEE",
            "{id: F1, when: days_late >= 10 and days_late < 20, then: 3}, {id: F2, otherwise: 4}",
            "exception-not-read",
            id="an open limit is no exception",
        ),
        pytest.param(
            'The verdict ("approved", "declined" or "referred"), first fee: each is written down.',
            "VERDICT",
            "{id: V1, when: papers, then: referred}, {id: V2, when: member, then: declined},"
            " {id: V3, otherwise: approved}",
            "order-differs",
            id="alternatives are no order",
        ),
        pytest.param(
            "Two days or less is chance and muddle, and approved.",
            "VERDICT",
            f"{{id: V1, when: days_late <= 2, then: approved}}, {OTHER}",
            "listed-not-read",
            id="a limit with a remark is no list",
        ),
        pytest.param(
            "Papers are checked, and moves are free of this as well.",
            "VERDICT",
            f"{{id: V1, when: \"reason != 'move'\", then: approved}}, {OTHER}",
            "scope-differs",
            id="who is free of it too is left out",
        ),
        pytest.param(
            "Members pay 3 EUR after 10 days like anybody else.",
            "FEE",
            "{id: F1, when: not member, then: 3}, {id: F2, otherwise: 3}",
            "default-differs",
            id="anybody else is no default",
        ),
        pytest.param(
            "Members pay 3 EUR and nothing else.",
            "FEE",
            "{id: F1, when: member, then: 3}, {id: F2, otherwise: 4}",
            "default-differs",
            id="nothing else is no default",
        ),
        pytest.param(
            "It costs a member 3 EUR and everybody else 4 EUR.",
            "FEE",
            "{id: F1, when: member, then: 3}, {id: F2, otherwise: 4}",
            "default-differs",
            id="a figure before everybody else",
        ),
        pytest.param(
            "Here too moves are an exception, and approved.",
            "VERDICT",
            f"{{id: V1, when: \"reason != 'move'\", then: approved}}, {OTHER}",
            "scope-differs",
            id="an exception as before is no inclusion",
        ),
        pytest.param(
            "If papers are there, the request is approved, death or not.",
            "VERDICT",
            f"{{id: V1, when: papers, then: approved}}, {OTHER}",
            "listed-not-read",
            id="a label or not",
        ),
    ],
)
def test_what_only_looks_like_a_difference_is_none(
    said: str, table: str, rules: str, code: str
) -> None:
    assert code not in find(said, {", ".join(ITEMS[table]): said}, table, rules)


def test_a_limit_that_is_another_fact_says_nothing_of_this_one() -> None:
    said = "Declined if it is more than the highest volume there is."
    rule = f"{{id: V1, when: load_volume * 2 > open_volume, then: declined}}, {OTHER}"
    assert "limit-differs" not in find(said, {"decisions.verdict.V1": said}, "VERDICT", rule)


@pytest.mark.parametrize(
    "said",
    [
        "Papers are approved, member or not.",
        "Approved are papers, whether or not there is a member.",
    ],
)
def test_what_holds_or_not_is_not_read(said: str) -> None:
    rule = f"{{id: V1, when: papers, then: approved}}, {OTHER}"
    wrong = f"{{id: V1, when: papers and not member, then: approved}}, {OTHER}"
    assert "scope-differs" not in find(said, {"decisions.verdict.V1": said}, "VERDICT", rule)
    assert "scope-differs" in find(said, {"decisions.verdict.V1": said}, "VERDICT", wrong)


def test_a_zero_at_which_something_is_recorded_is_a_figure() -> None:
    said = "Requests recorded at 0 days are approved."
    rule = f"{{id: V1, when: days_late == 0, then: approved}}, {OTHER}"
    wrong = f"{{id: V1, when: member, then: approved}}, {OTHER}"
    assert "figure-not-in-model" not in find(said, {"decisions.verdict.V1": said}, "VERDICT", rule)
    assert "figure-not-in-model" in find(said, {"decisions.verdict.V1": said}, "VERDICT", wrong)


def test_the_figure_for_everybody_else_is_that_of_all_other_cases() -> None:
    said = "It costs a member 3 EUR and everybody else 4 EUR."
    wrong = "{id: F1, when: member, then: 4}, {id: F2, otherwise: 3}"
    cited = {"decisions.fee.F1, decisions.fee.F2": said}
    assert "default-differs" in find(said, cited, "FEE", wrong)


def test_what_holds_even_if_something_is_so_another_rule_may_read() -> None:
    said = "Requests with papers are approved, even if the reason is an illness."
    cited = {"decisions.verdict.V1": said}
    read = "{id: V1, when: papers, then: approved}, {id: V2, when: \"reason == 'illness'\", then: declined}, {id: V3, otherwise: referred}"
    unread = f"{{id: V1, when: papers, then: approved}}, {OTHER}"
    assert "exception-not-read" not in find(said, cited, "VERDICT", read)
    assert "exception-not-read" in find(said, cited, "VERDICT", unread)


WORST = 'The worst counts: "declined" before "referred", and that before "approved".'


@pytest.mark.parametrize(
    ("first", "is_found"),
    [
        ("Moves are referred.", True),
        ("This comes before anything else. Moves are referred.", False),
    ],
)
def test_what_comes_before_anything_else_has_no_part_in_an_order(
    first: str,
    is_found: bool,  # noqa: FBT001 - a case of the table
) -> None:
    rules = (
        "{id: V0, when: \"reason == 'move'\", then: referred}, {id: V1, when: papers, then: declined},"
        " {id: V2, when: member, then: referred}, {id: V3, otherwise: approved}"
    )
    sources = {"decisions.verdict.V0": "Moves are referred.", "decisions.verdict": WORST}
    found = find(f"{first}\n\n  {WORST}", sources, "VERDICT", rules)
    assert ("order-differs" in found) is is_found
