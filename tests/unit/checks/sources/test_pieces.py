"""Who quotes a sentence in pieces quotes all of them."""

from __future__ import annotations

import pytest

from sopforge.authors.offline import OfflineAuthor
from sopforge.checks.sources.brief_and_model import CHECK
from sopforge.domain.reading import read_brief
from sopforge.workspace import DOMAIN, Workspace
from tests.unit.checks.sources.test_sentences_and_rules import BRIEF, TABLES

RULES = "{id: V1, when: not papers, then: declined}, {id: V2, otherwise: referred}"
ALTERNATIVES = "It is declined if it has no papers, or comes from a youth, or from nobody we know."


def find(
    said: str, *quoted: str, aside: str = "", assumed: str = "As the clerk sees fit."
) -> set[str]:
    """Return the findings of a brief with a sentence of which the rule of a table cites pieces."""
    sources = "\n".join(
        f"    - {{says: '{says}', items: [decisions.verdict.V1]}}" for says in quoted
    )
    rest = "decisions.verdict.V2, decisions.fee.F1, decisions.fee.F2, decisions.due_on"
    text = BRIEF.replace("SAID", said).replace("SOURCES", sources)
    text = text.replace("The rest is as the clerk sees fit.", assumed)
    text = text.replace("[REST]", f"[{rest}, decisions.minor.M1, decisions.minor.M2]")
    if aside:
        lost = f"  set_aside:\n    - {{says: '{aside}', because: out of scope}}\n  assumptions:"
        text = text.replace("  assumptions:", lost)
    for key, value in {**TABLES, "VERDICT": RULES}.items():
        text = text.replace(f"[{key}]", f"[{value}]").replace(f'"{key}"', f'"{value}"')
    brief = read_brief(text, "passes.yaml")
    workspace = Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)})
    return {item.id for item in CHECK.examine(workspace)}


@pytest.mark.parametrize(
    ("said", "quoted"),
    [
        pytest.param(
            ALTERNATIVES,
            ("It is declined if it has no papers", "comes from a youth"),
            id="the last",
        ),
        pytest.param(
            ALTERNATIVES,
            ("It is declined if it has no papers", "or from nobody we know"),
            id="one in between",
        ),
        pytest.param(
            "It must have papers, while for a death nobody looks at them.",
            ("It must have papers",),
            id="an opposite",
        ),
        pytest.param(
            "Without papers it must be declined; for a death none are needed.",
            ("Without papers it must be declined",),
            id="a second half",
        ),
        pytest.param(
            "It is declined if it is torn, if it is wet, or if it has no papers.",
            ("It is declined if it is torn", "or if it has no papers"),
            id="one that begins as the others",
        ),
    ],
)
def test_a_piece_that_nobody_quotes_is_found(said: str, quoted: tuple[str, ...]) -> None:
    assert "piece-not-accounted" in find(said, *quoted)
    assert "piece-not-accounted" not in find(said, said)


@pytest.mark.parametrize(
    ("said", "quoted"),
    [
        pytest.param(
            "Last come the papers, and there is one pile of them: without any it is declined.",
            "without any it is declined",
            id="what leads in",
        ),
        pytest.param(
            "Without papers it must be declined; we no longer wait for a third letter.",
            "Without papers it must be declined",
            id="what holds no longer",
        ),
        pytest.param(
            "It is declined if it has no papers, and otherwise never.",
            "It is declined if it has no papers",
            id="the opposite in a word",
        ),
        pytest.param(
            "It is declined if it has no papers, which are kept in the desk book.",
            "It is declined if it has no papers",
            id="an aside",
        ),
    ],
)
def test_a_piece_that_adds_no_case_may_stay_unquoted(said: str, quoted: str) -> None:
    assert "piece-not-accounted" not in find(said, quoted)


def test_a_piece_that_is_assumed_or_set_aside_is_accounted_for() -> None:
    quoted = ("It is declined if it has no papers", "comes from a youth")
    assumed = "Requests from nobody we know do not reach the desk."
    assert "piece-not-accounted" not in find(ALTERNATIVES, *quoted, assumed=assumed)
    assert "piece-not-accounted" not in find(ALTERNATIVES, *quoted, aside="from nobody we know")


def test_what_holds_for_cases_of_the_model_is_not_out_of_scope() -> None:
    said = "It must have papers, while for a death you need not look at them."
    aside = "for a death you need not look at them"
    assert "piece-set-aside" in find(said, "It must have papers", aside=aside)
    other = said.replace("a death", "friends of ours")
    aside = aside.replace("a death", "friends of ours")
    assert "piece-set-aside" not in find(other, "It must have papers", aside=aside)


def test_what_holds_for_a_result_too_leads_somewhere() -> None:
    said = "It is declined if it has no papers. Referred ones are kept too."
    quoted = "It is declined if it has no papers."
    assert "sentence-not-accounted" in find(said, quoted)
    assert "sentence-not-accounted" not in find(said.replace("Referred", "Old"), quoted)
