"""The dial of records."""

from __future__ import annotations

from sopforge.harness.layers.dial import Ability, Dial
from sopforge.harness.layers.records.finding import work_amid_records
from sopforge.harness.layers.records.making import make_records
from sopforge.harness.layers.records.recorded import Records

RECORDS = Dial(
    Records,
    make_records,
    work_amid_records,
    {"first-record": Ability.COMPARING, "nearest-record": Ability.COMPARING_ALL},
)
