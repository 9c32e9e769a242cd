"""Options that several commands share."""

from __future__ import annotations

import difflib
import getpass
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.completing import list_domain_names, list_stage_names
from sopforge.cli.output import warn_yanked
from sopforge.errors import Fault, MaterialError
from sopforge.store import places

if TYPE_CHECKING:
    from sopforge.pipeline.releases.locating import Located
    from sopforge.store.last_run import RunSettings
    from sopforge.store.versions import DomainStore, Store

SHORTEST_DIGEST = 6

DEFAULT_STORE = places.DEFAULT_STORE
store_option = places.store_option
StorePlace = Annotated[
    str,
    typer.Option(
        "--store",
        envvar="SOPFORGE_STORE",
        help="Store to use: a folder, or s3://BUCKET/PREFIX.",
    ),
]
BriefFiles = Annotated[
    list[Path],
    typer.Argument(
        metavar="BRIEF",
        help="YAML file with the brief. If you pass several briefs, each gets its own run.",
    ),
]
BriefFile = Annotated[Path, typer.Argument(help="YAML file with the brief.")]
Domain = Annotated[
    str,
    typer.Argument(help="Name of the domain, as in its brief.", autocompletion=list_domain_names),
]
AnyDomain = Annotated[
    str | None,
    typer.Argument(
        help="Name of the domain [default: all domains].",
        show_default=False,
        autocompletion=list_domain_names,
    ),
]
StageName = Annotated[
    str,
    typer.Argument(help="Name of the stage.", autocompletion=list_stage_names),
]
Digest = Annotated[
    str | None,
    typer.Option(
        "--digest",
        help="Decide only if the version has this digest, or a digest that starts with it.",
    ),
]
ApproveClean = Annotated[
    bool,
    typer.Option("--approve-clean", help="Automatically approve each stage that has no errors."),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        min=1,
        help="Number of domains to build in parallel, or of processes for a single domain"
        " [default: one domain at a time, with one process per core].",
    ),
]
Sandbox = Annotated[
    str | None,
    typer.Option(
        "--sandbox",
        envvar="SOPFORGE_SANDBOX",
        help="Sandbox level for tool code: strong, kernel, or limits (no security boundary; for"
        " trusted code only) [default: strong].",
        show_default=False,
    ),
]


def parse_dollars(text: str) -> Decimal:
    """Return a sum of money; raises what typer shows for a text that is none."""
    try:
        amount = Decimal(text)
    except InvalidOperation as cause:
        raise typer.BadParameter(f"{text!r} is not an amount in dollars, such as 2.50") from cause
    if not amount.is_finite() or amount < 0:
        raise typer.BadParameter(f"{text!r} is not an amount of 0 or more")
    return amount


Variant = Annotated[
    str,
    typer.Option(
        "--variant", help="Use this variant, which the brief defines, instead of the brief itself."
    ),
]
Budget = Annotated[
    Decimal | None,
    typer.Option(
        "--budget",
        parser=parse_dollars,
        metavar="USD",
        help="Limit spending on language models to this many US dollars.",
    ),
]
Prices = Annotated[
    Path | None,
    typer.Option(
        "--prices",
        envvar="SOPFORGE_PRICES",
        help="YAML file with prices for models whose prices SOPForge does not know.",
        show_default=False,
    ),
]
ReleaseName = Annotated[
    str,
    typer.Argument(
        metavar="RELEASE",
        help="Release or package: a folder, s3://..., or DOMAIN[@VERSION[/LEVEL]].",
        autocompletion=list_domain_names,
    ),
]
AsJson = Annotated[
    bool,
    typer.Option("--json", help="Print only the result, as one JSON value."),
]
By = Annotated[
    str,
    typer.Option(
        "--by",
        envvar="SOPFORGE_USER",
        help="Name of the person who decides [default: your login name].",
    ),
]


def is_yaml_file(text: str) -> bool:
    """Return whether an argument names a file, such as a brief, and no folder of runs or tasks."""
    return text.endswith((".yaml", ".yml")) or Path(text).is_file()


def get_person(by: str) -> str:
    """Return who decides: the given name, else the login name."""
    return by or getpass.getuser()


def use_sandbox(level: str | None) -> None:
    """Have the tools of this process, and of those that it starts, run at a level.

    Raises:
        SandboxError: it is none.
    """
    from sopforge.sandbox.levels import SETTING, read_chosen_level

    if level is not None:
        os.environ[SETTING] = level
    read_chosen_level()


def require_domain_name(text: str) -> str:
    """Return a domain's name; raises ``MaterialError`` for what cannot be one, such as a path."""
    if re.fullmatch(r"[a-z][a-z0-9_]{0,47}", text):
        return text
    hint = "use lowercase letters, digits and _, as in the brief's 'domain'"
    raise MaterialError(Fault("domain-name", f"{text!r} is not the name of a domain", "", hint))


def require_digest_start(text: str | None) -> str:
    """Return a digest or its first characters, empty if none was given.

    Raises:
        MaterialError: it is too short to name one version, as an unset shell variable would be.
    """
    if text is None:
        return ""
    if len(text) >= SHORTEST_DIGEST:
        return text
    message = f"'{text}' is too short to identify a version"
    hint = f"give at least {SHORTEST_DIGEST} characters of the digest"
    raise MaterialError(Fault("digest-too-short", message, "--digest", hint))


def require_domain(store: Store, text: str) -> DomainStore:
    """Return a domain that the store has.

    Raises:
        MaterialError: it has no such domain.
    """
    name, known = require_domain_name(text), store.list_domains()
    if name in known:
        return store.get_domain(name)
    message = f"the store has no domain '{name}'; it has: {', '.join(known) or 'none yet'}"
    nearest = difflib.get_close_matches(name, known, n=1)
    make = f"create it with: sopforge generate BRIEF{store_option(store.place)}"
    hint = f"did you mean '{nearest[0]}'?" if nearest else f"{make}; or {places.OTHER_STORE}"
    where = places.resolve_place(store.place)
    raise MaterialError(Fault("unknown-domain", message, where, hint))


def require_begun_domain(store: Store, text: str) -> DomainStore:
    """Return a domain of which at least a brief is kept, though nothing may be built.

    Raises:
        MaterialError: the store has no such domain.
    """
    from sopforge.pipeline.briefs.brief_files import list_kept_versions

    begun = store.get_domain(require_domain_name(text))
    return begun if list_kept_versions(begun) else require_domain(store, text)


def describe_empty_store(store: Store) -> str:
    """Return what is said where a store has no domains: it may be the wrong one."""
    place, start = places.resolve_place(store.place), "sopforge generate BRIEF"
    there = store_option(store.place)
    other = "To use another store, set --store or SOPFORGE_STORE."
    return f"There are no domains in {place}. {other} Start with: {start}{there}"


def refuse_options(given: Mapping[str, object], why: str) -> None:
    """Raise ``MaterialError`` where any of some options is given, which do not fit ``why``."""
    wrong = [name for name, value in given.items() if value]
    if wrong:
        verb = "does" if len(wrong) == 1 else "do"
        message = f"{' and '.join(wrong)} {verb} not apply {why}"
        hint = "leave it out" if len(wrong) == 1 else "leave them out"
        raise MaterialError(Fault("option-not-applicable", message, wrong[0], hint))


@dataclass(frozen=True, slots=True)
class StoredDomain:
    """A domain of a store, as most commands name it."""

    domain: Domain
    place: StorePlace = DEFAULT_STORE

    def open(self) -> DomainStore:
        """Return the domain in its store; raises if that has none of the name."""
        from sopforge.store.opening import open_store

        return require_domain(open_store(self.place), self.domain)


@dataclass(frozen=True, slots=True)
class AskedPackage:
    """A package or a release, wherever it is, and the sandbox in which its tools run."""

    package: Annotated[
        str,
        typer.Argument(
            metavar="PACKAGE", help="Package: a folder, s3://..., or DOMAIN@VERSION/LEVEL."
        ),
    ]
    sandbox: Sandbox = None
    place: StorePlace = DEFAULT_STORE

    @contextmanager
    def locate(self) -> Iterator[Located]:
        """Yield where it is, as long as this lasts; whoever asked is warned if it was yanked."""
        from sopforge.pipeline.releases.locating import locate_release

        use_sandbox(self.sandbox)
        with locate_release(self.package, self.place) as found:
            warn_yanked(found.yanked)
            yield found


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """How a domain is built, and where."""

    approve_clean: ApproveClean = False
    run_ahead: Annotated[
        bool,
        typer.Option(
            "--run-ahead",
            help="Build later stages provisionally while a gate is open. You pay for their language"
            " model calls even if the stages are discarded.",
        ),
    ] = False
    budget: Budget = None
    prices: Prices = None
    sandbox: Sandbox = None
    place: StorePlace = DEFAULT_STORE

    @property
    def settings(self) -> RunSettings:
        """What a run notes of this, for the next one."""
        from sopforge.store.last_run import RunSettings

        return RunSettings(
            self.approve_clean,
            run_ahead=self.run_ahead,
            budget=self.budget,
            prices=str(self.prices or ""),
        )

    def prepare_store(self) -> Store:
        """Return the store to build in, and have tools run in the sandbox that is asked for."""
        from sopforge.store.opening import open_store

        use_sandbox(self.sandbox)
        return open_store(self.place)
