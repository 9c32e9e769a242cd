"""Packages of experiments, which are built once: to build those of one condition takes seconds."""

from __future__ import annotations

import shutil
from pathlib import Path

from sopforge.evaluation.experiments.designs import read_design
from sopforge.evaluation.experiments.preparing import PACKAGES, prepare_conditions
from sopforge.evaluation.experiments.sources import read_source
from tests.worlds.shared_builds import Shared


def with_packages(shared: Shared, package: Path, out: Path, *asked: str) -> Path:
    """Return the folder of an experiment in which its packages are built already."""

    def make(folder: Path) -> None:
        prepare_conditions(read_source(package), read_design(*asked), folder)

    name = "-".join((package.name, *asked)).replace(",", "_").replace(":", "_")
    built, _ = shared.get_folder(name, make)
    shutil.copytree(built / PACKAGES, out / PACKAGES)
    return out
