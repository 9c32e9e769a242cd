"""Which author a brief asks for."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from sopforge.authors.providers.watching import Watch, ignore_event
from sopforge.authors.writers.author import Author
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.language.domain.reading import Brief
from sopforge.store.objects import Objects


def choose_author(
    brief: Brief,
    objects: Objects,
    budget: Decimal | None = None,
    *,
    prices: Path | None = None,
    watch: Watch = ignore_event,
) -> Author:
    """Return the author that a brief names; a model is reached when it is first asked.

    ``budget`` limits in US dollars what a model may cost from now on, ``prices`` is a file of
    prices of the user's own, and ``watch`` hears of each call and each round of repair.
    """
    writer = brief.parts.writer
    if writer.name == "offline":
        return OfflineAuthor()
    # A brief without a model waits neither for the templates nor for what asks and answers by them.
    from sopforge.authors.providers.settings import Settings  # noqa: PLC0415
    from sopforge.authors.writers.model_author import ModelAuthor  # noqa: PLC0415
    from sopforge.authors.writers.provider_asking import ProviderAsking  # noqa: PLC0415

    settings = Settings(budget=budget, prices=prices)
    domain = brief.parts.domain
    asking = ProviderAsking(writer, objects, domain, settings, watch)
    if writer.readers == 1 or brief.built is not None:
        return ModelAuthor(writer, asking, watch=watch)
    second = ProviderAsking(writer.second_reader, objects, domain, settings, watch)
    return ModelAuthor(writer, asking, watch=watch, second=second)
