"""A small package in SOP-Bench's layout as others make them: it has no model, and known defects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SOP = """Parcels

1. Call findParcel with parcel_id. It returns weight_kg, depot and postage.
2. Call countDays with sent_on and arrived_on.
3. If the parcel was longer than three days on its path, the decision is "refund", else "close".
   A parcel above 20 kg is decided "escalate".
State the fee in EUR with two decimal places.
End with <final_output>{"decision": "...", "fee": "..."}</final_output>.
"""

TOOLS = '''"""Tools of parcels, as somebody else wrote them."""

import os
import random
import time

import numpy as np
import pandas as pd
from dateutil import parser

FILE = "test_set_with_outputs.csv"


class ParcelManager:
    """Reads the table with the answers again for each call."""

    def __init__(self):
        print("ParcelManager is there")
        self.asked = 0

    def _load(self):
        return pd.read_csv(os.path.join(os.path.dirname(__file__), FILE))

    def findParcel(self, parcel_id):
        print("looking for", parcel_id)
        rows = self._load()
        found = rows[rows["parcel_id"] == parcel_id]
        if found.empty:
            raise ValueError(f"{parcel_id} not found")
        row = found.iloc[0]
        return {
            "weight_kg": float(row["weight_kg"]),
            "depot": "North" if row["depot"] == "Nord" else row["depot"],
            "postage": row["postage"],
        }

    def countDays(self, sent_on, arrived_on):
        return {"days": (parser.parse(arrived_on) - parser.parse(sent_on)).days}

    def rateSender(self, parcel_id, sender_id=None):
        return {"score": len(sender_id)}

    def drawTicket(self, parcel_id):
        return {"ticket": random.randint(1, 10**9)}

    def countCalls(self, parcel_id):
        self.asked += 1
        return {"calls": self.asked}

    def weighParcel(self, parcel_id):
        """Weigh it."""
        print("weighing")

    def askOffice(self, parcel_id, office_key):
        pass

    def waitForVan(self, parcel_id):
        while parcel_id == "P-3":
            time.sleep(0.05)
        return {"van": "there"}

    def sumWeights(self, parcel_id):
        return {"total": np.int64(self._load()["weight_kg"].sum()), "mean": float("nan")}
'''

ROWS = [
    # parcel_id, sender_id, sent_on, arrived_on, weight_kg, depot, postage, days, decision, fee
    ("P-1", "S-1", "2026-01-02", "2026-01-04", "2.5", "Nord", "4.10", "2", "close", "0.00"),
    ("P-2", "S-2", "2026-01-02", "2026-01-09", "7.0", "South", "6.00", "7", "refund", "6.00"),
    ("P-3", "S-3", "2026-02-01", "2026-02-02", "31.0", "South", "", "1", "escalate", "0.00"),
    ("P-4", "S-4", "2026-02-01", "2026-02-03", "1.0", "West", "4.10", "3", "", "0.00"),
]
COLUMNS = (
    *("parcel_id", "sender_id", "sent_on", "arrived_on"),
    *("weight_kg", "depot", "postage", "days", "decision", "fee"),
)
INPUTS, OUTPUTS = COLUMNS[:4], COLUMNS[-2:]
METADATA: dict[str, Any] = {
    "name": "parcels",
    "input_columns": list(INPUTS),
    "output_columns": list(OUTPUTS),
}
ID = {"type": "string", "pattern": "^P-[0-9]{3}$", "description": "the parcel"}
DAY = {"type": "string", "format": "date", "description": "a day"}
TEXT = {"type": "string", "description": "a text"}
MAPPING = """outcomes:
  decision: {type: label, labels: [close, refund, escalate]}
  fee: {type: number, places: 2}
missing: undecided
calls:
  - tool: findParcel
    arguments: {parcel_id: parcel_id}
  - tool: countDays
    arguments: {sent_on: sent_on, arrived_on: arrived_on}
    when: {depot: [Nord, South]}
"""


def describe_tool(name: str, *required: str, **properties: dict[str, Any]) -> dict[str, Any]:
    """Return the description of a tool; of no ``required`` ones all parameters are."""
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(required or properties),
    }
    return {"toolSpec": {"name": name, "description": f"{name}.", "inputSchema": {"json": schema}}}


SPECS = [
    describe_tool("findParcel", parcel_id=ID),
    describe_tool("countDays", sent_on=DAY, arrived_on=DAY),
    describe_tool("rateSender", "parcel_id", parcel_id=ID, sender_id=TEXT),
    describe_tool("drawTicket", parcel_id=ID),
    describe_tool("countCalls", parcel_id=ID),
    describe_tool("weighParcel", parcel_id=ID),
    describe_tool("askOffice", parcel_id=ID, office_key=TEXT),
    describe_tool("waitForVan", parcel_id=ID),
    describe_tool("sumWeights", parcel_id=ID),
    describe_tool("callBack", parcel_id=ID),
]


def write_parcels(folder: Path, *, mapping: str = "", **metadata: object) -> Path:
    """Write the package into a folder, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [",".join(row) for row in (COLUMNS, *ROWS)]
    files = {
        "sop.txt": SOP,
        "tools.py": TOOLS,
        "test_set_with_outputs.csv": "\n".join(lines) + "\n",
        "metadata.json": json.dumps({**METADATA, **metadata}),
        "toolspecs.json": json.dumps(SPECS),
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    if mapping:
        (folder / "sopforge-mapping.yaml").write_text(mapping, encoding="utf-8")
    return folder
