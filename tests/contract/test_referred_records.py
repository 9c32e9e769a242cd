"""Records that refer to others, refusals in between and effects: through to a solved package."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

import pytest

from sopforge.artifacts.rendering.tools.module import render_tools
from sopforge.checks.package.package_solved import GradedPackage, read_graded
from sopforge.checks.tools.tools_agree import find_disagreements
from sopforge.language.domain.tasks import Task
from sopforge.proof.dataset.trials.tool_trials import iterate_tool_trials, parse_case_inputs
from sopforge.sandbox.answers import Observation, Refusal
from sopforge.sandbox.process import ToolProcess
from sopforge.workspace import SOP_TEXT, Workspace
from tests.worlds.made_domains import make_domain
from tests.worlds.shared_builds import Shared
from tests.worlds.small_models import orders

Records = dict[str, dict[str, str]]


@dataclass(frozen=True)
class Made:
    """What the pipeline made of the orders."""

    workspace: Workspace
    package: dict[str, str]
    graded: GradedPackage

    def records(self, name: str) -> Records:
        rows = list(csv.DictReader(io.StringIO(self.package[name])))
        return {next(iter(row.values())): row for row in rows}


@pytest.fixture(scope="module")
def made(shared: Shared) -> Made:
    orders_made = make_domain(shared, "orders")
    package = orders_made.package()
    return Made(orders_made.workspace, package, read_graded(package))


def decided_by_hand(order: Mapping[str, str], customers: Records, regions: Records) -> list[str]:
    """Return release and reason by the words of the SOP, from the package's files alone."""
    customer = customers.get(order["customer_id"])
    if order["customer_id"] == "walk-in" or customer is None:
        return ["refused", "no customer"]
    if regions[customer["region_code"]]["blocked"] == "yes":
        return ["refused", "no credit"]
    if order["reserved"] == "no" and int(order["reservations"]) >= 3:
        return ["held", "no stock"]
    owed = Decimal(customer["open_amount"]) + Decimal(order["amount"])
    if owed <= (15000 if customer["tier"] == "Prime" else 5000):
        return ["released", "in order"]
    return ["held", "no credit"]


def test_every_answer_is_the_one_worked_out_by_hand_from_the_files(made: Made) -> None:
    orders = made.records("records.csv")
    customers = made.records("records_customer.csv")
    regions = made.records("records_region.csv")

    for task in made.graded.tasks:
        expected = decided_by_hand(orders[task.inputs["order_id"]], customers, regions)
        assert list(task.outcomes.values()) == expected, task.id
    assert len(made.graded.tasks) == 60


def test_cases_without_a_customer_and_refused_actions_occur(made: Made) -> None:
    visits = Counter(node for task in made.graded.tasks for node in task.path)

    assert visits["customer.unknown_record"] > 0
    assert visits["read.1"] > 0
    assert visits["reserve.already_reserved"] > 0
    assert visits["reserve.too_many"] > 0
    assert visits["reserve.1"] > 0


def test_customers_are_shared_and_dangling_keys_have_no_record(made: Made) -> None:
    used = Counter(row["customer_id"] for row in made.records("records.csv").values())
    found = made.records("records_customer.csv")

    assert max(used[key] for key in found) > 1
    assert all(key in used for key in found)
    assert set(used) - set(found) - {"walk-in"}


def test_a_gold_call_that_is_refused_says_so(made: Made) -> None:
    task = next(item for item in made.graded.tasks if "customer.unknown_record" in item.path)

    assert [(call.tool, call.refusal) for call in task.calls] == [
        ("getOrder", ""),
        ("getCustomer", "unknown_record"),
    ]


def test_the_sop_says_where_a_refusal_leads_and_what_an_action_changes(made: Made) -> None:
    lines = made.workspace.files[SOP_TEXT].splitlines()

    assert (
        "If getCustomer refuses with unknown_record (no record has this customer id),"
        " go to step 6.7 (Refuse for want of a customer)." in lines
    )
    assert 'The call records the reserved as "yes".' in lines


def test_an_action_changes_what_later_calls_see_and_only_for_its_own_manager(made: Made) -> None:
    task = next(item for item in made.graded.tasks if "reserve.1" in item.path)
    order = {"order_id": task.inputs["order_id"]}
    before = made.records("records.csv")[order["order_id"]]

    with ToolProcess(files=made.graded.tool_files) as tools:
        first = tools.call("reserveGoods", order)
        again = tools.call("reserveGoods", order)
        read = tools.call("getOrder", order)
    with ToolProcess(files=made.graded.tool_files) as tools:
        afresh = tools.call("getOrder", order)

    made_so_far = int(before["reservations"]) + 1
    assert first == Observation({"reserved": "yes", "reservations": made_so_far})
    assert isinstance(again, Refusal)
    assert again.code == "already_reserved"
    assert [_reserved(reply) for reply in (read, afresh)] == ["yes", "no"]


def _reserved(reply: Observation | Refusal) -> object:
    assert isinstance(reply, Observation)
    assert isinstance(reply.value, dict)
    return reply.value["reserved"]


def path_of(task: Task) -> str:
    return " > ".join(task.path)


def test_a_refused_case_skips_the_decisions_of_its_step(made: Made) -> None:
    paths = {path_of(task) for task in made.graded.tasks if "customer.unknown_record" in task.path}

    assert paths == {"read > read.2 > customer > customer.unknown_record > no_customer"}


TAKES = "      takes: [order_id{}]\n      returns: [reserved,"
THREE = "says: there were three reservations already}\n"
OWES = (
    "          - {id: G3, is: open_amount + amount < 10000 or tier == 'Prime',"
    " refusal: owes_much, says: the customer owes too much}\n"
)
OF_A_CUSTOMER = (
    (TAKES.format(""), TAKES.format(", customer_id")),
    (THREE, THREE + OWES),
    ("too_many: no_stock}", "too_many: no_stock, owes_much: no_stock}"),
)


def test_an_action_given_the_key_of_another_customer_is_answered_by_that_record(made: Made) -> None:
    model = orders(*OF_A_CUSTOMER)
    records = made.graded.records
    inputs = parse_case_inputs(model, [task.inputs for task in made.graded.tasks])
    trials = list(iterate_tool_trials(model, records, inputs))
    orders_made = made.records("records.csv")
    customers = made.records("records_customer.csv")
    others = {
        trial.expected if isinstance(trial.expected, str) else "done"
        for trial in trials
        if trial.tool == "reserveGoods"
        and str(trial.arguments.get("customer_id")) in customers
        and str(order_id := trial.arguments.get("order_id")) in orders_made
        and trial.arguments["customer_id"] != orders_made[str(order_id)]["customer_id"]
    }
    assert {"owes_much", "already_reserved"} <= others

    sound = render_tools(model)
    find = "self._find_customer(customer_id) |"
    assert find in sound
    own = 'self._find_customer(self._find_order(order_id)["customer_id"]) |'
    # Tools that ignore the key also show whose record they read.
    wrong = {"tools-disagree", "refusal-differs"}
    for source, found in ((sound, set()), (sound.replace(find, own), wrong)):
        files = {name: text.encode() for name, text in {"tools.py": source, **records}.items()}
        assert {item.id for item in find_disagreements(model, files, trials)} == found
