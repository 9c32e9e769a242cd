"""Which provider, and which of its adapters: by the author that a brief names, and the model.

An adapter is loaded when it is chosen, for each brings its vendor's library with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TypeAlias, TypeGuard, cast, get_args

from sopforge.authors.providers.adapters.endpoints import ENDPOINTS
from sopforge.authors.providers.budget import Budget
from sopforge.authors.providers.client import Client
from sopforge.authors.providers.completion import Provider
from sopforge.authors.providers.ledger import Ledger
from sopforge.authors.providers.pricing import read_prices
from sopforge.authors.providers.record import CompletionRecord
from sopforge.authors.providers.retrying import RetryLoop
from sopforge.authors.providers.settings import BedrockApi, Settings
from sopforge.authors.providers.watching import Watch, ignore_event
from sopforge.errors import Fault, MaterialError, ProviderError
from sopforge.extensions import list_names, load_fitting
from sopforge.language.domain.documents.schema import AuthorName
from sopforge.proxies import refuse_faulty_proxies
from sopforge.store.objects import Objects

Factory: TypeAlias = Callable[[Settings], Provider]

AUTHORS = tuple(name for name in get_args(AuthorName) if name != "offline")
RECORDS = ".completions/"


@dataclass(frozen=True, slots=True)
class Adapter:
    """A module, the function in it that builds a provider, and that provider's family."""

    module: str
    factory: str
    family: str


ADAPTERS = {
    "anthropic": Adapter("claude", "build_anthropic_provider", "messages"),
    "mantle": Adapter("claude", "build_mantle_provider", "messages"),
    "invoke": Adapter("claude", "build_invoke_provider", "messages"),
    "converse": Adapter("converse", "build_converse_provider", "converse"),
    "openai": Adapter("openai_compatible", "build_openai_provider", "chat"),
}
"""By the author that a brief names; bedrock has three, by the model."""
_CLAUDE_PROFILE = re.compile(r"[a-z-]+\.anthropic\.")


def build_provider(author: str, model: str, settings: Settings) -> Provider:
    """Return the provider of an author.

    Raises:
        MaterialError: there is no such author, or the environment names a proxy that is unusable.
        ProviderError: its library, key or region is missing.
    """
    if author not in AUTHORS:
        message = f"there is no provider '{author}'; the providers are {', '.join(AUTHORS)}"
        raise MaterialError(Fault("unknown-provider", message, "author", "name one of these"))
    refuse_faulty_proxies()
    if author in list_names("providers"):
        return load_fitting("providers", author, _is_factory)(settings)
    adapter = author if author != "bedrock" else settings.bedrock_api or choose_bedrock_api(model)
    return _load_factory(adapter)(settings)


def _is_factory(offered: object) -> TypeGuard[Factory]:
    return callable(offered)


def choose_bedrock_api(model: str) -> BedrockApi:
    """Return the API of Bedrock that serves a model best.

    The Messages API itself for Claude by its own name, the same through the runtime for inference
    profiles of Claude, and Converse for all else, application profiles by ARN among them.
    """
    if model.startswith("anthropic."):
        return "mantle"
    return "invoke" if _CLAUDE_PROFILE.match(model) else "converse"


def name_ledger(domain: str) -> str:
    """Return where the log of a domain's calls is, below the store."""
    return f"{domain}/calls.jsonl"


def find_api_family(author: str, model: str, settings: Settings) -> str:
    """Return the form of the API that an author's questions are put in, with no key needed.

    A provider that others add has a form of its own, by its name.
    """
    if author in list_names("providers"):
        return author
    adapter = author if author != "bedrock" else settings.bedrock_api or choose_bedrock_api(model)
    return ADAPTERS[adapter].family


def build_client(
    author: str,
    model: str,
    settings: Settings,
    objects: Objects,
    domain: str,
    *,
    watch: Watch = ignore_event,
) -> Client:
    """Return the client of a domain: the record is the store's, the log is the domain's."""
    provider = build_provider(author, model, settings)
    endpoint = ENDPOINTS.get_endpoint(provider.endpoint, settings.concurrency)
    record = CompletionRecord(objects, RECORDS, is_replay_only=settings.is_replay_only)
    return Client(
        provider,
        record=record,
        ledger=Ledger(objects, name_ledger(domain), watch=watch),
        loop=RetryLoop(endpoint),
        prices=read_prices(settings.prices),
        budget=Budget(settings.budget),
    )


def _load_factory(adapter: str) -> Factory:
    chosen = ADAPTERS[adapter]
    try:
        loaded = import_module(f"sopforge.authors.providers.adapters.{chosen.module}")
    except ModuleNotFoundError as cause:
        library = cause.name or chosen.module
        hint = f"install it with: pip install 'sopforge[{library}]'"
        fault = Fault(
            "provider-not-installed", f"the library '{library}' is not installed", "", hint
        )
        raise ProviderError(fault) from cause
    return cast("Factory", getattr(loaded, chosen.factory))
