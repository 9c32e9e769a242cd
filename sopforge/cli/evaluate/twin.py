"""``sopforge twin``: packages with the same tasks and one rule changed."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.evaluate.run_options import Seed
from sopforge.cli.options import AskedPackage
from sopforge.cli.output import EXIT_BAD_INPUT, EXIT_DONE, Parts, Result, print_faults
from sopforge.errors import Fault

if TYPE_CHECKING:
    from sopforge.evaluation.twins.building import Twin


def twin(
    asked: AskedPackage,
    count: Annotated[int, typer.Option(min=1, max=50, help="Number of twins.")] = 1,
    oddity: Annotated[
        int,
        typer.Option(
            "--against-common-sense",
            min=0,
            max=2,
            help="Kind of change: 0 for a usual change of policy, 1 for an odd change, 2 for a"
            " change that nobody would expect, such as two swapped answers.",
        ),
    ] = 0,
    seed: Seed = 0,
    out: Annotated[
        Path, typer.Option(help="Folder for the twins, each of which is a package.")
    ] = Path("twins"),
) -> Result:
    """Make twins of a package, which differ in one rule and in 10 to 30 % of the answers.

    The tasks stay the same. An agent that reads the SOP changes exactly these answers; an agent
    that remembers the package does not. To see which of the two an agent does, run
    'sopforge diagnose --twins'.
    """
    from sopforge.evaluation.packages.reading import read_evaluated
    from sopforge.evaluation.twins.building import iterate_twins, put_twin, read_original
    from sopforge.evaluation.twins.changes import Oddity
    from sopforge.evaluation.understanding.packages import require_plain
    from sopforge.pipeline.stages.building.version import collect_garbage_rarely

    made: list[tuple[Twin, Path]] = []
    with asked.locate() as found:
        folder = found.require_package()
        own = require_plain(read_evaluated(folder), folder)
        with collect_garbage_rarely():
            twins = iterate_twins(read_original(own, folder), Oddity(oddity), seed)
            made += [(item, put_twin(out, item)) for item in islice(twins, count)]
    if len(made) < count:
        message = f"{len(made)} of {count} twins were made: no other changed rule changes 10 to"
        message += " 30 percent of the answers and leaves a sound procedure"
        hint = "lower --count, or change --against-common-sense"
        print_faults([Fault("too-few-twins", message, asked.package, hint)])
    record = {"package": own.shown.name, "twins": [_build_record(*item) for item in made]}
    parts = (part for item, where in made for part in _lay_out(item, where, len(own.gold)))
    return Result(record, parts, EXIT_BAD_INPUT if len(made) < count else EXIT_DONE)


def _build_record(item: Twin, where: Path) -> dict[str, object]:
    change = item.change
    return {
        "name": item.name,
        "out": str(where),
        "kind": str(change.kind),
        "place": change.place,
        "change": change.words,
        "flips": sorted(item.flips),
        "before": list(item.before),
        "after": list(item.after),
    }


def _lay_out(item: Twin, where: Path, tasks: int) -> Parts:
    change = item.change
    yield f"{where}: {change.kind} {change.place}: {change.words}."
    yield f"  {len(item.flips)} of {tasks} tasks have a different answer."
    for line in item.before:
        yield f"  - {line.strip()}"
    for line in item.after:
        yield f"  + {line.strip()}"
