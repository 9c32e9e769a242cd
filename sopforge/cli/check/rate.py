"""``sopforge reread --rate``: how hard does a language model find the SOP?"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.text import Text

from sopforge.cli.options import require_domain, store_option
from sopforge.cli.output import Result

if TYPE_CHECKING:
    from decimal import Decimal

    from sopforge.authors.writers.provider_asking import ProviderAsking
    from sopforge.authors.writers.reading.complexity_rating import Rated
    from sopforge.store.versions import Store


def rate_sop(package: str, model: str, budget: Decimal | None, place: str, *, keep: bool) -> Result:
    """Return how complex a language model finds the SOP of a domain or a package, from 1 to 10.

    That of a domain is kept in its brief if ``keep`` is asked for.
    """
    from sopforge.authors.providers.settings import Settings
    from sopforge.authors.writers.provider_asking import ProviderAsking
    from sopforge.pipeline.briefs.rating import keep_rating
    from sopforge.pipeline.gates.rereading import parse_reader
    from sopforge.store.opening import open_store

    writer, opened = parse_reader(model), open_store(place)
    is_domain = re.fullmatch(r"[a-z][a-z0-9_]*", package) is not None
    domain = require_domain(opened, package).name if is_domain else _name_folder(package)
    asking = ProviderAsking(writer, opened.objects, domain, Settings(budget=budget))
    found = _rate_domain(opened, asking) if is_domain else _rate_package(package, place, asking)
    rating, is_kept = found.as_document(f"{writer.name}/{writer.model}"), is_domain and keep
    if is_kept:
        keep_rating(opened.get_domain(domain), rating)
    said = Text(f"{package}: {rating.score} of 10, by {asking.identity}", "bold")
    kept = [
        f"Saved in the brief of '{domain}', for its next release.",
        f"Continue with: sopforge publish {domain}{store_option(opened.place)}",
    ]
    other = ["The package is unchanged; the model's answer is on record."]
    record = {"package": package, **rating.model_dump(), "kept": is_kept}
    return Result(record, [said, f"  {rating.why}", *(kept if is_kept else other)])


def _name_folder(package: str) -> str:
    """Return the name under which calls about a package stand in the ledger."""
    return re.sub(r"[^a-z0-9_]+", "_", package.rstrip("/").rpartition("/")[2].lower()) or "package"


def _rate_domain(store: Store, asking: ProviderAsking) -> Rated:
    from sopforge.pipeline.briefs.brief_files import load_latest_brief
    from sopforge.pipeline.gates.rating import rate_workspace
    from sopforge.pipeline.gates.rereading import reread_workspace

    domain = store.get_domain(asking.domain)
    return rate_workspace(asking, reread_workspace(domain, load_latest_brief(domain)))


def _rate_package(package: str, place: str, asking: ProviderAsking) -> Rated:
    from sopforge.pipeline.gates.rating import rate_package
    from sopforge.pipeline.releases.locating import locate_release

    with locate_release(package, place) as found:
        return rate_package(asking, found.require_package())
