"""Does honest work beside a hostile module, and shows if anything of Python was changed."""

import csv
import datetime
import decimal
import json
import re
from pathlib import Path


class NeighbourManager:
    def __init__(self):
        with Path(__file__).with_name("records.csv").open(newline="") as file:
            self.rows = list(csv.DictReader(file))

    def look_up(self, *, number):
        return {
            "next": number + 1,
            "rows": len(self.rows),
            "third": str(decimal.Decimal(1) / 3),
            "sorted": sorted(["b", "a", "c"]),
            "json": json.dumps({"b": [1, None], "a": 0.5}, sort_keys=True),
            "day": (datetime.date(2024, 2, 28) + datetime.timedelta(days=2)).isoformat(),
            "words": re.findall("[a-z]+", "one 2 three"),
            "sum": sum(range(5)) + int("7"),
            "true": isinstance(number, int) and not isinstance(number, str),
            "long": self.reads_long_numbers(),
        }

    def reads_long_numbers(self):
        try:
            int("9" * 5000)
        except ValueError:
            return False
        return True
