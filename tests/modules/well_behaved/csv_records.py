"""Reads records in the forms in which people read CSV files."""

import csv
from pathlib import Path


class GoodManager:
    def __init__(self):
        self.path = Path(__file__).parent / "records.csv"

    def run(self, *, how):
        return getattr(self, f"by_{how}")()

    def by_dict_reader(self):
        with open(self.path, newline="", encoding="utf-8") as file:
            return [row["name"] for row in csv.DictReader(file)]

    def by_reader(self):
        with self.path.open(newline="") as file:
            header, *rows = csv.reader(file)
        return {"header": header, "last": rows[-1]}

    def by_text(self):
        lines = self.path.read_text(encoding="utf-8").splitlines()
        return [list(row) for row in csv.reader(lines)][2]

    def by_bytes(self):
        return self.path.read_bytes().count(b"\n")

    def by_name_beside(self):
        import os

        here = os.path.dirname(os.path.abspath(__file__))
        with open(os.path.join(here, "records.csv")) as file:
            return file.readline().strip()

    def by_sniffer(self):
        dialect = csv.Sniffer().sniff("a;b;c\n1;2;3\n")
        return dialect.delimiter

    def by_existence(self):
        return [self.path.exists(), self.path.is_file(), self.path.with_name("no.csv").exists()]
