"""The SOP that is rendered from a model says what its conditions ask."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sopforge.briefs.brief_files import load_brief
from sopforge.domain.documents.schema import RemarksDocument
from sopforge.domain.language.expressions import AllOf
from sopforge.domain.model import DomainModel
from sopforge.domain.rules import Table
from sopforge.rendering.sop.sop import render_sop
from sopforge.sources.account import Account, build_account
from sopforge.sources.asking.comparison import find_condition_doubts
from sopforge.sources.items import list_items

ROOT = Path(__file__).parents[4]
GROUPS = {
    "rule": "decisions", "decision": "decisions", "policy": "policy", "edge": "steps",
    "step": "steps", "tool": "tools", "field": "fields", "predicate": "predicates",
}  # fmt: skip
"""How the items are called in sources, by the kinds of a trace."""
DOMAINS = (
    *("callers", "dispatch", "everything", "kits", "lending", "orders", "permits", "rebooking"),
    *("repairs", "stays", "warranty"),
)


def read_account(path: Path) -> tuple[Account, DomainModel]:
    """Return the account of a model whose brief is the SOP that was rendered from it."""
    brief = load_brief(path)
    document = render_sop(brief.model, "")
    known = list_items(brief.model)
    sources = []
    for line in document.lines:
        pairs = [state.partition(" ")[::2] for state in line.states]
        names = [f"{GROUPS[kind]}.{rest}" for kind, rest in pairs if kind in GROUPS]
        if items := [name for name in dict.fromkeys(names) if name in known]:
            sources.append({"says": line.text, "items": items})
    remarks = RemarksDocument.model_validate({"sources": sources})
    prose = replace(brief, draft=document.as_markdown())
    return build_account(prose, brief.model, remarks), brief.model


def find_in(account: Account, model: DomainModel) -> list[str]:
    """Return what an account of another model differs in from a model, as texts."""
    doubts = find_condition_doubts(replace(account, items=list_items(model)), model)
    return [f"{doubt.kind}: {doubt.items}, {doubt.said}, {doubt.held}" for doubt in doubts]


@pytest.mark.parametrize("name", DOMAINS)
def test_a_rendered_text_says_what_its_model_asks(name: str) -> None:
    assert find_in(*read_account(ROOT / "tests" / "domains" / f"{name}.yaml")) == []


def drop_parts(model: DomainModel) -> Iterator[DomainModel]:
    """Yield a model without each of the things that its rules ask together with others."""
    tables = {name: item for name, item in model.decisions.items() if isinstance(item, Table)}
    for target, table in tables.items():
        for place, rule in enumerate(table.rules):
            parts = rule.when.operands if isinstance(rule.when, AllOf) else ()
            for part in parts:
                left = tuple(other for other in parts if other is not part)
                when = left[0] if len(left) == 1 else AllOf(left)
                rules = (*table.rules[:place], replace(rule, when=when), *table.rules[place + 1 :])
                changed = replace(table, rules=rules)
                yield replace(model, decisions={**model.decisions, target: changed})


def test_what_a_rule_no_longer_asks_is_found_in_the_text_of_the_whole_model() -> None:
    account, model = read_account(ROOT / "briefs" / "patient_intake.yaml")
    assert find_in(account, model) == []
    found = [bool(find_in(account, other)) for other in drop_parts(model)]
    # Others are figures, which are compared as such, or make no difference after the rules before.
    assert found.count(True) * 5 > len(found) * 2
