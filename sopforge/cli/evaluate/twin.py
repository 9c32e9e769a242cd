"""``sopforge twin``: packages with the same tasks and one rule changed."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.evaluate.run_options import Seed
from sopforge.cli.options import (
    DEFAULT_STORE,
    AsJson,
    PackageName,
    Sandbox,
    StorePlace,
    use_sandbox,
)
from sopforge.cli.output import make_console, print_json, say
from sopforge.errors import Fault, MaterialError

if TYPE_CHECKING:
    from sopforge.evaluation.twins.building import Twin


def twin(
    package: PackageName,
    count: Annotated[int, typer.Option("--count", min=1, max=50, help="Number of twins.")] = 1,
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
        Path, typer.Option("--out", help="Folder for the twins, each of which is a package.")
    ] = Path("twins"),
    sandbox: Sandbox = None,
    as_json: AsJson = False,
    place: StorePlace = DEFAULT_STORE,
) -> None:
    """Make twins of a package, which differ in one rule and in 10 to 30 % of the answers.

    The tasks stay the same. An agent that reads the SOP changes exactly these answers; an agent
    that remembers the package does not. To see which of the two an agent does, run
    'sopforge follow'.
    """
    from sopforge.evaluation.packages.reading import read_evaluated
    from sopforge.evaluation.twins.building import iterate_twins, put_twin, read_original
    from sopforge.evaluation.twins.changes import Oddity
    from sopforge.evaluation.understanding.packages import require_plain
    from sopforge.releases.locating import locate_release
    from sopforge.stages.building.version import collect_garbage_rarely

    use_sandbox(sandbox)
    made: list[tuple[Twin, Path]] = []
    with locate_release(package, place) as found:
        folder = found.require_package()
        own = require_plain(read_evaluated(folder), folder)
        with collect_garbage_rarely():
            twins = iterate_twins(read_original(own, folder), Oddity(oddity), seed)
            made += [(item, put_twin(out, item)) for item in islice(twins, count)]
    tasks = len(own.gold)
    if as_json:
        print_json({"package": own.shown.name, "twins": [_build_record(*item) for item in made]})
    else:
        for item, where in made:
            _show(item, where, tasks)
    if len(made) < count:
        message = f"{len(made)} of {count} twins were made: no other changed rule changes 10 to"
        message += " 30 percent of the answers and leaves a sound procedure"
        hint = "lower --count, or change --against-common-sense"
        raise MaterialError(Fault("too-few-twins", message, package, hint))


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


def _show(item: Twin, where: Path, tasks: int) -> None:
    screen, change = make_console(), item.change
    say(screen, f"{where}: {change.kind} {change.place}: {change.words}.")
    say(screen, f"  {len(item.flips)} of {tasks} tasks have a different answer.")
    for line in item.before:
        say(screen, f"  - {line.strip()}")
    for line in item.after:
        say(screen, f"  + {line.strip()}")
