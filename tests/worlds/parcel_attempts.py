"""A task about a parcel with its gold calls, all worked out by hand, and attempts at it.

The parcel weighs 10 kg, of which 5 are free: (10 - 5) * 1.50 = 7.50. It is not fragile and holds no
glass, so that plain care is right (rule C2), and it may leave.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from sopforge.harness.environment.events import Called, Event, Reply
from sopforge.harness.grading.grades import Attempt, Grade, Stop
from sopforge.harness.grading.proved import grade_attempt
from sopforge.language.domain.model import DomainModel, Tool, ToolKind
from sopforge.language.domain.tasks import GoldCall, Task
from sopforge.sandbox.answers import JSON
from tests.worlds.small_models import parcel

SLIP_TOOL = """    readSlip:
      kind: lookup
      description: Read the slip
      takes: [parcel_id]
      returns: [slip_number]
    releaseParcel:
      kind: action
"""
SLIP_STEP = """          - {to: slip}
      slip:
        title: Read the slip
        call: readSlip
        edges:
          - {to: price}
      price:
"""
PLAIN = parcel(
    ("    releaseParcel:\n      kind: action\n", SLIP_TOOL),
    ("          - {to: price}\n      price:\n", SLIP_STEP),
)
MODEL: DomainModel = replace(
    PLAIN,
    tools={
        **PLAIN.tools,
        "seekParcel": replace(PLAIN.tools["findParcel"], name="seekParcel", same_as="findParcel"),
        "findCanteen": Tool("findCanteen", ToolKind.LOOKUP, "Find lunch", ("parcel_id",), ()),
    },
)
"""Between look and price a slip is read, which nothing needs; one tool has a second name, and one
is of no use."""

FIND: dict[str, JSON] = {"parcel_id": "PX00001", "sent_on": "2026-03-01", "fragile": "no"}
SLIP: dict[str, JSON] = {"parcel_id": "PX00001"}
PRICE: dict[str, JSON] = {"parcel_id": "PX00001", "weight": Decimal("10.00"), "service": "Night"}
LET_GO: dict[str, JSON] = {"parcel_id": "PX00001", "care": "plain", "surcharge": Decimal("7.5")}
REPLIES: dict[str, dict[str, JSON]] = {
    "findParcel": {"service": "Night", "due_on": "no due date"},
    "readSlip": {"slip_number": "S-0001"},
    "priceParcel": {"surcharge": Decimal("7.5"), "service_points": 4},
    "releaseParcel": {"slip_number": "S-0001"},
    "findCanteen": {},
}
TASK = Task(
    id="task-000001",
    key="fill:1",
    inputs={
        "parcel_id": "PX00001",
        "weight": "10.00",
        "fragile": "no",
        "sent_on": "2026-03-01",
        "contents": "Books",
    },
    outcomes={"care": "plain", "release": "released"},
    path=(
        *("look", "look.2", "slip", "slip.1", "price", "price.1"),
        *("let_go", "let_go.1", "done"),
    ),
    rules={"care": ("C2",)},
    calls=(
        GoldCall("findParcel", FIND, REPLIES["findParcel"]),  # type: ignore[arg-type]
        GoldCall("readSlip", {"parcel_id": "PX00001"}, {"slip_number": "S-0001"}),
        GoldCall(
            "priceParcel",
            {"parcel_id": "PX00001", "weight": 10.0, "service": "Night"},
            {"surcharge": 7.5, "service_points": 4},
        ),
        GoldCall(
            "releaseParcel",
            {"parcel_id": "PX00001", "care": "plain", "surcharge": 7.5},
            {"slip_number": "S-0001"},
        ),
    ),
)
RIGHT = "<care>plain</care><release>released</release>"


def call(tool: str, arguments: dict[str, JSON], refusal: str = "") -> Called:
    """Return a call that was answered as the gold one is, or refused."""
    if refusal:
        return Called(tool, arguments, Reply(None, refusal, "so"))
    known = {"seekParcel": "findParcel"}.get(tool, tool)
    return Called(tool, arguments, Reply(REPLIES[known]))


LOOK, READ, COST, GO = (
    call("findParcel", FIND),
    call("readSlip", SLIP),
    call("priceParcel", PRICE),
    call("releaseParcel", LET_GO),
)
"""The gold calls."""


def grade(*events: Event, answer: str | None = RIGHT, stop: Stop = Stop.ANSWER) -> Grade:
    """Return the grade of an attempt at the task."""
    return grade_attempt(MODEL, TASK, Attempt(events, answer, stop))
