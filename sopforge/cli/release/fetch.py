"""``sopforge fetch``: a copy of a release, to be handed over or used elsewhere."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from sopforge.cli.options import DEFAULT_STORE, ReleaseName, StorePlace
from sopforge.cli.output import Result, warn_yanked


def fetch(
    release: ReleaseName,
    folder: Annotated[Path, typer.Argument(help="Folder to create for the copy.")],
    place: StorePlace = DEFAULT_STORE,
) -> Result:
    """Copy a release, or one of its packages, from the store to a folder."""
    from sopforge.pipeline.releases import locating

    with locating.locate_release(release, place) as found:
        warn_yanked(found.yanked)
        locating.fetch(found, folder)
        yanked = found.yanked
    verify = f"sopforge verify {shlex.quote(str(folder))}"
    record = {
        "release": release,
        "place": str(folder),
        "yanked": yanked.reason if yanked else None,
        "next": {"verify": verify},
    }
    return Result(record, [f"{release} is in {folder}.", f"Verify it: {verify}"])
