"""Briefs with one thing changed, and the domains that they become without a store."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.stages.pipeline import STAGES
from sopforge.workspace import Workspace
from tests.worlds.small_models import changed

BRIEFS = Path(__file__).parents[1] / "briefs"
REFUND = (BRIEFS / "refund.yaml").read_text(encoding="utf-8")
FEES = (BRIEFS / "fees.yaml").read_text(encoding="utf-8")

LONGER = ("value: 30,", "value: 32,")
"""Of the refunds: two days more to ask in."""
FREE_ITEM = (
    "        - {id: E2, otherwise: eligible}",
    (
        "        - {id: E3, when: order_amount > 350, then: excluded}\n"
        "        - {id: E2, otherwise: eligible}"
    ),
)
"""Of the refunds: a rule more."""
DECLINED = ("refused", "declined")
"""Of the refunds: an answer by another name."""
NEW_TOOL = (
    "    payRefund:\n",
    (
        "    lookUpPayment:\n"
        "      kind: lookup\n"
        "      description: Ask the payment system for a payment\n"
        "      takes: [request_id]\n"
        "      returns: [payment_reference]\n"
        "    payRefund:\n"
    ),
)
"""Of the refunds: a tool that no step calls."""
OTHER_WORDS = (
    "\nmodel:\n",
    "\nsop: {purpose: Customers get their money back where that is due.}\n\nmodel:\n",
)
"""Of the refunds: what the SOP says that it is for."""
UNIQUE = (
    (
        "      hit: first\n"
        "      rules:\n"
        "        - {id: E1, when: days_since_delivery > refund_days and reason != 'Damaged', "
        "then: excluded}\n"
        "        - {id: E2, otherwise: eligible}"
    ),
    (
        "      hit: unique\n"
        "      rules:\n"
        "        - {id: E1, when: days_since_delivery > refund_days, then: excluded}\n"
        "        - {id: E2, when: days_since_delivery <= refund_days, then: eligible}"
    ),
)
TURNED = (
    (
        "        - {id: E1, when: days_since_delivery > refund_days, then: excluded}\n"
        "        - {id: E2, when: days_since_delivery <= refund_days, then: eligible}"
    ),
    (
        "        - {id: E2, when: days_since_delivery <= refund_days, then: eligible}\n"
        "        - {id: E1, when: days_since_delivery > refund_days, then: excluded}"
    ),
)
"""For use after ``UNIQUE``: the same rules in another order."""


@cache
def model_of(text: str, *changes: tuple[str, str]) -> DomainModel:
    """Return the model of a brief with changes."""
    brief = read_brief(changed(text, *changes), "brief.yaml")
    assert brief.built is not None
    return brief.built


@cache
def domain_of(text: str, *changes: tuple[str, str]) -> Workspace:
    """Return the files of all stages for a brief with changes."""
    workspace = Workspace(read_brief(changed(text, *changes), "brief.yaml"), {})
    for stage in STAGES:
        files = stage.build(workspace, OfflineAuthor())
        workspace = workspace.with_files({f"{stage.name}/{name}": files[name] for name in files})
    return workspace
