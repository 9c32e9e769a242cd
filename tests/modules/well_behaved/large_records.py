"""Reads five million bytes of records and answers with almost a million."""

import csv
from functools import cached_property
from pathlib import Path


class GoodManager:
    @cached_property
    def rows(self):
        with Path(__file__).with_name("records.csv").open(newline="") as file:
            return {row["id"]: row for row in csv.DictReader(file)}

    def run(self, *, how):
        if how == "count":
            return [len(self.rows), self.rows["R-99999"]["text"][-3:]]
        if how == "large":
            return "x" * 900_000
        return {"rows": [row["id"] for row in list(self.rows.values())[:50_000]]}
