"""The log of a domain's calls of language models, compared with what its last run noted of it."""

from __future__ import annotations

from dataclasses import replace

from sopforge.authors.providers.selection import name_ledger
from sopforge.errors import StoreError
from sopforge.store.call_log import NotedCalls, note_calls
from sopforge.store.last_run import keep_last_run, load_last_run
from sopforge.store.sealing.seals import make_broken_seal_error
from sopforge.store.versions import Store


def read_noted_calls(store: Store, domain: str) -> NotedCalls:
    """Return what is to be noted of the log of a domain's calls."""
    return note_calls(_read_log(store, domain))


def refuse_changed_calls(store: Store, domain: str) -> None:
    """Raise ``StoreError`` where the log lost or changed what it held when a run was noted."""
    if not load_last_run(store.objects, domain).calls.is_start_of(_read_log(store, domain)):
        raise _make_changed_calls_error(store, domain)


def accept_calls(store: Store, domain: str) -> None:
    """Note the log of a domain's calls as it is, where a run was noted at all."""
    noted, calls = load_last_run(store.objects, domain), read_noted_calls(store, domain)
    if noted.tries and noted.calls != calls:
        keep_last_run(store.objects, domain, replace(noted, calls=calls))


def _make_changed_calls_error(store: Store, domain: str) -> StoreError:
    name = name_ledger(domain).removeprefix(f"{domain}/")
    message = "lines that it had when the last run was noted were changed, or are gone"
    return make_broken_seal_error(store.objects, domain, [name], message)


def _read_log(store: Store, domain: str) -> bytes:
    return store.objects.read(name_ledger(domain)) or b""
