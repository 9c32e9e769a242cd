"""Reads JSON beside itself, and writes JSON into texts."""

import json
from decimal import Decimal
from pathlib import Path


class GoodManager:
    def __init__(self):
        self.rates = json.loads(Path(__file__).with_name("rates.json").read_text())

    def run(self, *, how, text="{}"):
        if how == "file":
            with open(Path(__file__).with_name("rates.json")) as file:
                return json.load(file)["eur"]
        if how == "write":
            return json.dumps(self.rates, sort_keys=True, separators=(",", ":"))
        if how == "exact":
            return str(json.loads(text, parse_float=Decimal)["a"])
        try:
            return json.loads(text)
        except json.JSONDecodeError as raised:
            return [raised.msg, raised.lineno, raised.colno]
