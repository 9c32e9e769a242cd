"""Labelled rows a second, beside the same rules written by hand in numpy; solver time by size."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief
from sopforge.language.domain.rules import Table as DecisionTable
from sopforge.language.logic.readings.vector import Columns, evaluate_all
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.proof.dataset.sampling.sampling import sample_columns
from sopforge.proof.solving.examining.procedure import examine_procedure
from sopforge.proof.solving.examining.tables import examine_tables
from sopforge.proof.solving.unfolding import derive_outcomes, unfold

BRIEF = Path("briefs/patient_intake.yaml")
SIZES = (1_000, 10_000, 100_000, 1_000_000)
BASE = 2_000
Column = npt.NDArray[np.int64]


def main() -> None:
    """Print both tables."""
    screen = Console()
    screen.print(labelling())
    screen.print(solving())


def labelling() -> Table:
    """Return rows per CPU second of the vector reading and of the hand-written rules."""
    model = load_brief(BRIEF).model
    drawn = sample_columns(model, 3, range(BASE))
    known = derive_outcomes(model, unfold(model))
    shown = Table(title="all six outcomes of patient_intake", box=None, title_justify="left")
    for column in ("rows", "vector, rows a second", "by hand", "times slower"):
        shown.add_column(column)
    for size in SIZES:
        columns = repeated(drawn, size)
        ours = cpu(lambda: evaluate_all([item.value for item in known.values()], columns))  # noqa: B023
        hand = cpu(lambda: by_hand(model, columns))  # noqa: B023
        rates = [f"{size / seconds:,.0f}" for seconds in (ours, hand)]
        shown.add_row(f"{size:,}", *rates, f"{ours / hand:.1f}")
    return shown


def repeated(columns: Columns, size: int) -> Columns:
    """Return as many rows, the given ones over and over."""
    places = np.arange(size) % columns.count
    return Columns(
        size,
        {name: column[places] for name, column in columns.values.items()},
        {name: column[places] for name, column in columns.present.items()},
    )


def by_hand(model: DomainModel, columns: Columns) -> list[Column]:
    """Return the outcomes by the brief's rules, as a person would write them in numpy."""
    v: Mapping[str, Column] = columns.values
    code = {
        name: {label: place for place, label in enumerate(getattr(item.type, "values", ()))}
        for name, item in model.fields.items()
    }
    private = (v["insurance_type"] == 0) | (v["insurance_type"] == 3)  # noqa: PLR2004 - by position
    outside = v["network_status"] == 1
    waited = v["intake_date"] - v["coverage_start_date"]
    ended = columns.present["coverage_end_date"] & (v["coverage_end_date"] < v["intake_date"])
    bad = (v["coverage_status"] != 0) | (v["coverage_start_date"] > v["intake_date"]) | ended
    bad |= outside & ((private & (waited < 30)) | (v["insurance_type"] == 2))  # noqa: PLR2004 - the rules
    poor = (v["annual_benefit_remaining"] < 5_000) & (v["insurance_type"] != 1)  # noqa: PLR2004
    unpaid = (v["pbm_enrollment"] != 0) | (v["copay_tier"] > 4) | poor  # noqa: PLR2004
    score = v["smoking_status"] + v["alcohol_consumption"] + v["exercise_frequency"] - 1
    lifestyle = np.where(score >= 5, 2, np.where(score >= 2, 1, 0))  # noqa: PLR2004
    surgeries, conditions = v["previous_surgeries"], v["chronic_conditions"]
    bypass = code["previous_surgeries"]["Cardiac bypass"]
    index = lifestyle * 3 + np.bitwise_count(surgeries) + 4 * (surgeries >> bypass & 1)
    both = (conditions >> 1 & 1) & (conditions >> 2 & 1)
    index = index + 2 * np.bitwise_count(conditions) + 4 * both
    high = (index >= 14) | ((v["patient_age"] >= 75) & (index >= 10))  # noqa: PLR2004
    overall = np.where(high, 2, np.where(index >= 6, 1, 0))  # noqa: PLR2004
    declined = (v["pharmacy_license"] == 1) | (
        (v["pharmacy_network"] == 1) & (v["insurance_type"] != 0)
    )
    declined |= (v["accepts_e_prescriptions"] == 0) & (overall == 1)
    signatory = v["consent_signatory"]
    alone = (signatory == 2) | ((v["patient_age"] < 18) & (signatory != 1))  # noqa: PLR2004
    held = (overall == 2) | unpaid | declined  # noqa: PLR2004
    final = np.where(alone | bad, 2, np.where(held, 1, 0))
    return [np.asarray(part) for part in (bad, unpaid, lifestyle, overall, declined, final)]


def solving() -> Table:
    """Return the solver's time for procedures and for tables of growing length."""
    shown = Table(title="questions of the schema stage", box=None, title_justify="left")
    for column in ("what", "paths", "rules", "procedure, seconds", "tables, seconds"):
        shown.add_column(column)
    sized = [(f"{count} branches in a row", 2**count, chain(count)) for count in (2, 4, 8, 16)]
    sized += [(f"{count} rules of a table", 1, ladder(count)) for count in (4, 8, 16, 32)]
    for what, paths, model in sized:
        tables = [item for item in model.decisions.values() if isinstance(item, DecisionTable)]
        rules = sum(len(table.rules) for table in tables)
        seconds = [
            f"{cpu(lambda: work(model)):.2f}"  # noqa: B023
            for work in (examine_procedure, examine_tables)
        ]
        shown.add_row(what, f"{paths:,}", str(rules), *seconds)
    return shown


def ladder(count: int) -> DomainModel:
    """Return a model of one unique table of so many rules, none of which overlap."""
    width = 100 // count
    rules = "".join(
        f"{{id: R{n}, when: {n * width} <= f0 < {(n + 1) * width}, then: good}}, "
        for n in range(count)
    )
    plain = "{hit: first, rules: [{id: R1, when: f0 > 10, then: good}, {id: R2, otherwise: poor}]}"
    table = f"{{hit: unique, rules: [{rules}{{id: Z, otherwise: poor}}]}}"
    return read_brief(chain_text(1).replace(plain, table), "ladder.yaml").model


def chain(count: int, above: int = 30) -> DomainModel:
    """Return a model whose procedure branches ``count`` times and meets again each time."""
    return read_brief(chain_text(count, above), "chain.yaml").model


def chain_text(count: int, above: int = 30) -> str:
    """Return the brief of a procedure that branches so many times: above a number below 99."""
    fields = "".join(
        f"        f{n}: {{role: input, type: integer, min: 0, max: 99, description: part}}\n"
        f"        d{n}: {{role: outcome, type: integer, min: 0, max: 9, missing: skipped,"
        f" description: part result}}\n"
        for n in range(count)
    )
    decisions = "".join(
        f"    d{n}: {{hit: first, rules: [{{id: R1, when: f{n} > 50, then: 1}},"
        " {id: R2, otherwise: 2}]}\n"
        for n in range(count)
    )
    steps = "".join(
        f"      s{n}: {{title: Step {n}, edges: [{{when: f{n} > {above}, to: t{n}}},"
        f" {{to: s{n + 1}}}]}}\n"
        f"      t{n}: {{title: Part {n}, decide: [d{n}], edges: [{{to: s{n + 1}}}]}}\n"
        for n in range(count)
    )
    return f"""format: 1
domain: chain
title: Chain
business_task: Measure.
task_context: Measure.
model:
  entities:
    thing:
      key: thing_id
      fields:
        thing_id:
          {{role: input, type: string, pattern: "T[0-9]{{7}}", unique: true, description: key}}
        answer:
          {{role: outcome, type: enum, values: [good, poor], primary: true, description: result}}
{fields}
  decisions:
{decisions}
    answer:
      {{hit: first, rules: [{{id: R1, when: f0 > 10, then: good}}, {{id: R2, otherwise: poor}}]}}
  tools:
    readThing: {{kind: lookup, description: Read, takes: [thing_id]}}
  procedure:
    start: s0
    steps:
{steps}
      s{count}: {{title: Close, decide: [answer], edges: [{{to: z}}]}}
      z: {{title: End, end: {{}}}}
"""


def cpu(work: Callable[[], object]) -> float:
    """Return the CPU seconds of some work, the best of three."""
    best = float("inf")
    for _ in range(3):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return best


if __name__ == "__main__":
    main()
