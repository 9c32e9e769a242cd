"""The log of a domain's calls of language models, held against what its last run noted of it."""

from __future__ import annotations

from dataclasses import replace

from sopforge.errors import StoreError
from sopforge.providers.selection import ledger_name
from sopforge.store.call_log import NotedCalls, note_calls
from sopforge.store.last_run import keep_last_run, last_run
from sopforge.store.sealing.seals import broken
from sopforge.store.versions import Store


def calls_so_far(store: Store, domain: str) -> NotedCalls:
    """Return what is to be noted of the log of a domain's calls."""
    return note_calls(_log(store, domain))


def refuse_changed_calls(store: Store, domain: str) -> None:
    """Raise ``StoreError`` where the log lost or changed what it held when a run was noted."""
    if not last_run(store.objects, domain).calls.fit(_log(store, domain)):
        raise _changed(store, domain)


def accept_calls(store: Store, domain: str) -> None:
    """Note the log of a domain's calls as it is, where a run was noted at all."""
    noted, calls = last_run(store.objects, domain), calls_so_far(store, domain)
    if noted.tries and noted.calls != calls:
        keep_last_run(store.objects, domain, replace(noted, calls=calls))


def _changed(store: Store, domain: str) -> StoreError:
    name = ledger_name(domain).removeprefix(f"{domain}/")
    message = "lines that it had when the last run was noted were changed, or are gone"
    return broken(store.objects, domain, [name], message)


def _log(store: Store, domain: str) -> bytes:
    return store.objects.read(ledger_name(domain)) or b""
