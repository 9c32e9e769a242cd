"""Rating a finished SOP: a language model says how hard it is, on a scale with a known anchor."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sopforge.authors.writers.provider_asking import ProviderAsking
from sopforge.authors.writers.reading.complexity_rating import Rated, rate_complexity
from sopforge.errors import Fault, MaterialError, PackageUnreadableError
from sopforge.harness.environment.shown import SOP, TOOLSPECS
from sopforge.sandbox.untrusted_files import MOST_BYTES
from sopforge.untrusted.content import refuse_unreadable
from sopforge.untrusted.plain_files import RefusedFileError, read_below
from sopforge.workspace import SOP_TEXT, Workspace
from sopforge.workspace import TOOLSPECS as TOOL_DESCRIPTIONS

STAGE = "rate"
"""Under which calls stand in the ledger."""


def rate_workspace(asking: ProviderAsking, workspace: Workspace) -> Rated:
    """Return how hard a model finds the SOP of a workspace with its tools.

    Raises:
        MaterialError: there are no tool descriptions yet.
        ProviderError: no such rating is to be had.
    """
    specs = workspace.files.get(TOOL_DESCRIPTIONS)
    if specs is None:
        domain = workspace.brief.parts.domain
        message = f"'{domain}' has no tool descriptions yet that fit the model of its SOP"
        hint = f"generate them first: sopforge continue {domain}"
        raise MaterialError(Fault("toolspecs-not-made", message, domain, hint))
    return _rate(asking, workspace.files[SOP_TEXT], specs)


def rate_package(asking: ProviderAsking, folder: Path) -> Rated:
    """Return how hard a model finds the SOP of a package with its tools.

    Raises:
        PackageUnreadableError: a file is missing or no text.
        ProviderError: no such rating is to be had.
    """
    return _rate(asking, _read_text(folder, SOP), _read_text(folder, TOOLSPECS))


def _rate(asking: ProviderAsking, sop: str, toolspecs: str) -> Rated:
    def ask(template: str, values: Mapping[str, object]) -> Mapping[str, object]:
        return asking.ask(template, values, stage=STAGE)

    return rate_complexity(ask, sop, toolspecs)


def _read_text(folder: Path, name: str) -> str:
    if not (folder / name).exists():
        fault = Fault(
            "package-file-missing", f"the package has no {name}", name, "publish it again"
        )
        raise PackageUnreadableError(fault)
    try:
        data = read_below(folder, name, MOST_BYTES)
    except RefusedFileError as refused:
        raise PackageUnreadableError(refused.make_fault_at("it", name)) from refused
    with refuse_unreadable(name, name):
        return data.decode()
