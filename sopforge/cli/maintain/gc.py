"""``sopforge store clear``: clear a store of what no release, decision or open gate needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import RenderableType

from sopforge.cli.decide.confirming import require_yes
from sopforge.cli.options import (
    DEFAULT_STORE,
    AnyDomain,
    AsJson,
    StorePlace,
    describe_empty_store,
    require_domain,
    store_option,
)
from sopforge.cli.output import EXIT_BAD_INPUT, EXIT_DONE, Parts, Result, make_table, print_faults
from sopforge.errors import Fault, MaterialError

if TYPE_CHECKING:
    from sopforge.pipeline.upkeep.clearing import Survey, Unneeded
    from sopforge.store.versions import Store

_THOUSAND = 1000


def gc(
    domain: AnyDomain = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="List what the command would delete, without deleting it."),
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Delete without asking for confirmation.")
    ] = False,
    answers: Annotated[
        bool,
        typer.Option(
            "--answers", help="Also delete paid answers of language models that no domain uses."
        ),
    ] = False,
    as_json: AsJson = False,
    place: StorePlace = DEFAULT_STORE,
) -> Result:
    """Delete unused versions and the leftovers of killed processes.

    The command keeps versions that have a decision, belong to a release or wait at an open gate.
    It also keeps all briefs, decisions and logs.
    """
    from sopforge.store.opening import open_store

    opened = open_store(place)
    names = opened.list_domains() if domain is None else [require_domain(opened, domain).name]
    if answers and domain is not None:
        hint = "leave the domain out to delete answers"
        message = "answers of language models are shared by all domains"
        raise MaterialError(Fault("answers-of-all", message, "--answers", hint))
    prefix = domain or ""
    survey = _survey(opened, names, prefix, has_answers=answers, is_trial=True)
    if survey.found and not dry_run:
        if not yes:
            what = f"deleting {_describe_items(survey.found)}"
            hint = f"check the list with --dry-run{store_option(place)}, then add --yes"
            listed = _lay_out(survey, is_trial=True)
            require_yes("Delete this?", what, hint, is_quiet=as_json, parts=listed)
        survey = _survey(opened, names, prefix, has_answers=answers, is_trial=False)
    print_faults(survey.faults)
    parts: Iterable[RenderableType] = _lay_out(survey, is_trial=dry_run)
    if not names and not survey.found:
        parts = [describe_empty_store(opened)]
    code = EXIT_BAD_INPUT if survey.faults else EXIT_DONE
    return Result(_build_record(survey, is_trial=dry_run), parts, code)


def _build_record(survey: Survey, *, is_trial: bool) -> dict[str, object]:
    """Return what was dropped, or would be, ready for JSON."""
    return {
        "dry_run": is_trial,
        "dropped": [asdict(item) for item in survey.found],
        "bytes": _count_bytes(survey.found),
        "left_alone": [asdict(fault) for fault in survey.faults],
    }


def _survey(
    store: Store, names: Iterable[str], prefix: str, *, has_answers: bool, is_trial: bool
) -> Survey:
    from sopforge.pipeline.upkeep.clearing import (
        Survey,
        drop_leftovers,
        drop_unused_answers,
        survey,
    )

    found = survey(store, names, is_trial=is_trial)
    more = drop_leftovers(store, prefix, is_trial=is_trial)
    if has_answers:
        more += drop_unused_answers(store.objects, is_trial=is_trial)
    return Survey((*found.found, *more), found.faults)


def _lay_out(survey: Survey, *, is_trial: bool) -> Parts:
    if survey.found:
        rows = [(item.kind, item.name, format_size(item.size)) for item in survey.found]
        yield make_table("", ["what", "where"], rows, ["size"])
    verb = "would be deleted" if is_trial else "deleted"
    yield f"{_describe_items(survey.found)} {verb}." if survey.found else "Nothing to delete."


def _describe_items(found: Sequence[Unneeded]) -> str:
    items = "1 item" if len(found) == 1 else f"{len(found)} items"
    return f"{items} ({format_size(_count_bytes(found))})"


def _count_bytes(found: Iterable[Unneeded]) -> int:
    return sum(item.size for item in found)


def format_size(size: float) -> str:
    """Return a number of bytes in words."""
    for unit in ("bytes", "kB", "MB"):
        if size < _THOUSAND:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= _THOUSAND
    return f"{size:.1f} GB"
