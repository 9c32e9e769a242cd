"""Models that cannot be meant so: each fault is found where it was put, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.registry import examine
from sopforge.findings import Finding
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import Brief, read_brief, read_domain
from sopforge.language.logic.call_order import CallOrder
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.proof.solving.examining.constraints import find_idle_constraints
from sopforge.proof.solving.examining.dead_calls import examine_calls
from sopforge.proof.solving.examining.idle_loops import examine_loops
from sopforge.proof.solving.examining.inquiry import Inquiry
from sopforge.proof.solving.unfolding import unfold
from sopforge.workspace import DOMAIN, Workspace
from tests.worlds.counters import Parts, build_counter, write_counter

HERE = Path(__file__).parents[4]
DOMAINS = sorted((HERE / "tests/domains").glob("*.yaml"))
BRIEFS = [
    *sorted((HERE / "briefs").glob("*.yaml")),
    *sorted((HERE / "tests/briefs").glob("*.yaml")),
    HERE / "docs/examples/small_counter.yaml",
]


def examine_all(model: DomainModel) -> list[Finding]:
    """Return what is found of calls, loops and constraints."""
    places = unfold(model)
    inquiry = Inquiry(model, places)
    return [
        *examine_calls(inquiry, places),
        *examine_loops(inquiry, places),
        *find_idle_constraints(model),
    ]


def find_places(change: Callable[[Parts], None]) -> list[tuple[str, str]]:
    """Return the code and the place of each finding on a changed counter."""
    return [(item.id, item.where) for item in examine_all(build_counter(change))]


def require(model: Parts, guard: object) -> None:
    """Let the transfer ask for something besides."""
    transfer = model["tools"]["transferMoney"]
    transfer["requires"] = {"id": "A", "chain": [transfer["requires"], guard]}


def make_leaf(name: str, condition: str) -> dict[str, str]:
    """Return a check of a guard."""
    return {"id": name, "is": condition, "refusal": f"not_{name.lower()}", "says": "it is not so"}


def read_any(path: Path) -> DomainModel:
    """Return the model of a brief or of a domain document."""
    text = path.read_text("utf-8")
    if "task_context:" not in text:
        return read_domain(text, path.name)
    model = load_brief(path).model
    assert model is not None
    return model


@pytest.mark.parametrize("path", [*BRIEFS, *DOMAINS], ids=lambda path: path.stem)
def test_sound_models_raise_no_alarm(path: Path) -> None:
    model = read_any(path)
    assert examine_all(model) == []
    assert CallOrder(model).find_cycles() == []


def test_a_guard_that_no_record_meets_refuses_every_call() -> None:
    """A balance is 5,000.00 at most."""
    place = "tools.transferMoney, guard C"
    assert find_places(lambda model: require(model, make_leaf("C", "source.balance > 5000"))) == [
        ("tool-always-refuses", place)
    ]
    # One account in a million is met by no row that is drawn, and is met all the same.
    assert find_places(lambda model: require(model, make_leaf("C", "source.balance >= 5000"))) == []


def test_checks_that_exclude_each_other_refuse_every_call() -> None:
    both = {
        "id": "B",
        "all": [make_leaf("C", "source.balance < 10"), make_leaf("D", "source.balance > 20")],
    }
    (found,) = examine_all(build_counter(lambda model: require(model, both)))
    assert (found.id, found.where) == ("tool-always-refuses", "tools.transferMoney")
    assert "all of its checks together" in found.message


def test_an_alternative_that_never_holds_is_reported_alone() -> None:
    either = {
        "id": "B",
        "any": [make_leaf("C", "source.balance > 5000"), make_leaf("D", "amount < 1500")],
    }
    assert find_places(lambda model: require(model, either)) == [
        ("guard-never-holds", "tools.transferMoney, guard C")
    ]


def add_fact(model: Parts, **effects: object) -> None:
    """Let the transfer ask for an approval, and some tools set it."""
    fields = model["entities"]["request"]["fields"]
    fields["approved"] = {
        "label": "approval",
        "role": "session",
        "type": "boolean",
        "starts": "no",
        "description": "whether somebody has approved it",
    }
    require(model, make_leaf("C", "approved"))
    for tool, value in effects.items():
        model["tools"][tool].setdefault("effects", {})["approved"] = value


@pytest.mark.parametrize(
    ("effects", "dead"),
    [
        ({}, ["transferMoney"]),
        ({"openSession": "no"}, ["transferMoney"]),
        # What it sets itself comes too late.
        ({"transferMoney": "yes"}, ["transferMoney"]),
        ({"openSession": "yes"}, []),
        ({"openSession": "pin != 'K0000'"}, []),
    ],
    ids=str,
)
def test_a_fact_that_no_session_comes_to_hold_lets_nobody_through(
    effects: dict[str, str], dead: list[str]
) -> None:
    found = find_places(lambda model: add_fact(model, **effects))
    assert found == [("tool-always-refuses", f"tools.{name}, guard C") for name in dead]


def test_a_fact_that_only_a_dead_action_sets_is_never_set() -> None:
    """The session is opened by nobody, so that nobody can transfer either."""

    def change(model: Parts) -> None:
        model["tools"]["openSession"]["requires"] = make_leaf("L", "account.balance > 5000")

    assert find_places(change) == [
        ("tool-always-refuses", "tools.openSession, guard L"),
        ("tool-always-refuses", "tools.transferMoney, guard T"),
    ]


@pytest.mark.parametrize(
    ("constraints", "idle"),
    [
        (["amount >= 1"], ["constraints.0"]),
        (["amount >= 2"], []),
        (["amount >= 2", "amount >= 3"], ["constraints.0"]),
        (["amount >= 2", "amount >= 2"], ["constraints.0"]),
        (["not payer.blocked or payer.balance >= 0"], ["constraints.0"]),
    ],
    ids=str,
)
def test_a_constraint_that_excludes_nothing_is_reported(
    constraints: list[str], idle: list[str]
) -> None:
    def change(model: Parts) -> None:
        model["constraints"] += constraints

    first = 1  # the counter has one of its own
    places = [f"constraints.{int(place[-1]) + first}" for place in idle]
    assert find_places(change) == [("constraint-excludes-nothing", place) for place in places]


def add_loop(model: Parts, **changes: object) -> None:
    """Block the payer's account and open it again, before the money is moved."""
    for name, value in {"blockAccount": "yes", "openAccount": "no", **changes}.items():
        model["tools"][name] = {
            "kind": "action",
            "description": f"Carry out {name}",
            "takes": {"account": "account", "amount": "amount"},
            "effects": value if isinstance(value, dict) else {"account.blocked": value},
        }
    steps: dict[str, Any] = model["procedure"]["steps"]
    steps["decide"]["edges"][1]["to"] = "block"
    names = ["blockAccount", "openAccount", *(name for name in changes if name not in steps)]
    order = list(dict.fromkeys(names))
    for place, name in enumerate(order):
        following = [*order[1:], "check"][place]
        step = {"title": f"Carry out {name}", "call": name, "with": {"account": "payer"}}
        # A fee can empty the account, which the tool refuses by itself.
        refused = {"refused": {"out_of_range": "full"}} if name == "takeFee" else {}
        edges = [{"to": following if following == "check" else following.lower()}]
        steps["block" if place == 0 else name.lower()] = {**step, **refused, "edges": edges}
    steps["check"] = {
        "title": "Look whether it is enough",
        "edges": [
            {"when": "amount > 1000", "to": "block", "at_most": 3, "then": "move"},
            {"to": "move"},
        ],
    }


def test_actions_that_undo_each_other_are_reported_until_an_edge_leads_on() -> None:
    (found,) = examine_all(build_counter(add_loop))
    assert (found.id, found.where) == ("loop-undoes-itself", "procedure.edges.check.1")
    assert "leads these cases on" in found.hint
    assert "'blockAccount' and 'openAccount'" in found.message
    # Only a case that goes back, and whose account was open, is as it was.
    assert "amount = 1000.01" in found.evidence

    def lead_on(model: Parts) -> None:
        add_loop(model)
        model["procedure"]["steps"]["check"]["edges"] = [{"to": "move"}]

    assert examine_all(build_counter(lead_on)) == []


def test_a_round_that_leaves_a_change_is_none_that_undoes_itself() -> None:
    fee = {"account.balance": "account.balance - 1"}
    found = examine_all(build_counter(lambda model: add_loop(model, takeFee=fee)))
    assert [item.id for item in found] == []


def test_a_round_that_changes_nothing_waits() -> None:
    """Both actions leave the account as it is in the end: blocked, on each round."""
    found = examine_all(build_counter(lambda model: add_loop(model, openAccount="yes")))
    assert [item.id for item in found] == []


def need_each_other(model: Parts) -> None:
    """The account is read by the standing of its owner, and the owner is on the account."""
    model["tools"]["getAccount"]["takes"] = {"account": "account", "rank": "payer.owner.standing"}
    for name in ("read_payer", "read_payee"):
        model["procedure"]["steps"][name]["with"]["rank"] = "payer.owner.standing"


def test_calls_that_need_each_other_are_reported_as_a_circle() -> None:
    model = build_counter(need_each_other)
    ((first, *others),) = CallOrder(model).find_cycles()
    assert {first, *others} == {"getAccount[payer, payer_owner_standing]", "getOwner"}
    brief = read_brief(write_counter(need_each_other), "brief.yaml")
    findings = examine("schema", Workspace(brief, {DOMAIN: write_domain_text(brief)}))
    (found,) = [item for item in findings if item.id == "call-needs-its-result"]
    assert "getOwner needs 'payer_owner'" in found.message
    assert "needs 'payer_owner_standing', which only getOwner makes known" in found.message


def write_domain_text(brief: Brief) -> str:
    """Return the domain document of a brief."""
    return OfflineAuthor().write_domain(brief)


def test_what_nobody_can_know_is_no_argument() -> None:
    """The PIN on file is a secret: nobody is shown it who has to hand it over."""

    def change(model: Parts) -> None:
        model["procedure"]["steps"]["log_in"]["with"] = {"account": "payer", "pin": "payer.code"}
        model["tools"]["openSession"]["requires"]["is"] = "pin != 'K0000'"

    brief = read_brief(write_counter(change), "brief.yaml")
    findings = examine("schema", Workspace(brief, {DOMAIN: write_domain_text(brief)}))
    known = [item for item in findings if item.id == "value-not-known"]
    assert [item.where for item in known] == ["procedure.steps.log_in"]
    assert "'payer.code'" in known[0].message
