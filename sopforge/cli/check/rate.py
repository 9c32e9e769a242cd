"""``sopforge rate``: how hard does a language model find the SOP?"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.options import (
    DEFAULT_STORE,
    AsJson,
    Budget,
    StorePlace,
    require_domain,
    store_option,
)
from sopforge.cli.output import make_console, print_json, say

if TYPE_CHECKING:
    from sopforge.authors.provider_asking import ProviderAsking
    from sopforge.authors.reading.complexity_rating import Rated
    from sopforge.store.versions import Store


def rate(
    package: Annotated[
        str, typer.Argument(help="Domain in the store, package folder or package name.")
    ],
    model: Annotated[
        str,
        typer.Option(
            "--model",
            metavar="PROVIDER:MODEL",
            help="Model that rates the SOP, such as anthropic:claude-opus-5-5.",
        ),
    ],
    keep: Annotated[
        bool, typer.Option(help="Save the rating of a domain in its brief, for the next release.")
    ] = True,
    budget: Budget = None,
    as_json: AsJson = False,
    place: StorePlace = DEFAULT_STORE,
) -> None:
    """Have a language model rate the complexity of an SOP from 1 to 10.

    The next release of a domain states its rating in the metadata and on the card. Published
    packages do not change.
    """
    from sopforge.authors.provider_asking import ProviderAsking
    from sopforge.briefs.rating import keep_rating
    from sopforge.gates.rereading import parse_reader
    from sopforge.providers.settings import Settings
    from sopforge.store.opening import open_store

    writer, opened = parse_reader(model), open_store(place)
    is_domain = re.fullmatch(r"[a-z][a-z0-9_]*", package) is not None
    domain = require_domain(opened, package) if is_domain else _name_folder(package)
    asking = ProviderAsking(writer, opened.objects, domain, Settings(budget=budget))
    found = _rate_domain(opened, asking) if is_domain else _rate_package(package, place, asking)
    rating, is_kept = found.as_document(f"{writer.name}/{writer.model}"), is_domain and keep
    if is_kept:
        keep_rating(opened, domain, rating)
    if as_json:
        print_json({"package": package, **rating.model_dump(), "kept": is_kept})
        return
    screen = make_console()
    say(screen, f"{package}: {rating.score} of 10, by {asking.identity}", "bold")
    say(screen, f"  {rating.why}")
    if is_kept:
        say(screen, f"Saved in the brief of '{domain}', for its next release.")
        say(screen, f"Continue with: sopforge publish {domain}{store_option(opened.place)}")
    else:
        say(screen, "The package is unchanged; the model's answer is on record.")


def _name_folder(package: str) -> str:
    """Return the name under which calls about a package stand in the ledger."""
    return re.sub(r"[^a-z0-9_]+", "_", package.rstrip("/").rpartition("/")[2].lower()) or "package"


def _rate_domain(store: Store, asking: ProviderAsking) -> Rated:
    from sopforge.briefs.brief_files import load_latest_brief
    from sopforge.gates.rating import rate_workspace
    from sopforge.gates.rereading import reread_workspace

    brief = load_latest_brief(store, asking.domain)
    return rate_workspace(asking, reread_workspace(store, brief))


def _rate_package(package: str, place: str, asking: ProviderAsking) -> Rated:
    from sopforge.gates.rating import rate_package
    from sopforge.releases.locating import locate_release

    with locate_release(package, place) as found:
        return rate_package(asking, found.require_package())
