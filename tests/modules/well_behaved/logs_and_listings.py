"""Lists the files beside it by every means, and logs, warns and prints what went wrong."""

import json
import linecache
import logging
import os
import traceback
import warnings
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).parent


class LogsManager:
    def run(self, *, how):
        return getattr(self, f"_{how}")()

    def _glob(self):
        return [path.name for path in sorted(HERE.glob("records*.csv"))]

    def _rglob(self):
        return [path.name for path in sorted(HERE.rglob("*.csv"))]

    def _scandir(self):
        with os.scandir(HERE) as entries:
            return sorted([one.name, one.is_file(), one.stat().st_size] for one in entries)[:1]

    def _access(self):
        names = ("records.csv", "gone.csv")
        return [os.access(HERE / name, os.R_OK) for name in names]

    def _first_line(self):
        return linecache.getline(str(HERE / "records.csv"), 1)

    def _traceback(self):
        try:
            Fraction(1, 0)
        except ZeroDivisionError:
            return traceback.format_exc().splitlines()[-1]

    def _own_line(self):
        try:
            json.loads("{")
        except ValueError:
            return traceback.format_exc().splitlines()[2].strip()

    def _logged(self):
        logging.basicConfig(level=logging.INFO)
        try:
            json.loads("{")
        except ValueError:
            logging.exception("no JSON")
        return "logged"

    def _warned(self):
        for level in range(1, 5):
            warnings.warn("of old age", stacklevel=level)
        return "warned"

    def _not_permitted(self):
        raise PermissionError(1, "only the owner may")
