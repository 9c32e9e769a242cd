"""The log of a domain's calls of language models, compared with what its last run noted of it."""

from __future__ import annotations

from dataclasses import replace

from sopforge.authors.providers.selection import name_ledger
from sopforge.errors import StoreError
from sopforge.store.call_log import NotedCalls, note_calls
from sopforge.store.last_run import keep_last_run, load_last_run
from sopforge.store.sealing.seals import make_broken_seal_error
from sopforge.store.versions import DomainStore


def read_noted_calls(domain: DomainStore) -> NotedCalls:
    """Return what is to be noted of the log of a domain's calls."""
    return note_calls(_read_log(domain))


def refuse_changed_calls(domain: DomainStore) -> None:
    """Raise ``StoreError`` where the log lost or changed what it held when a run was noted."""
    if not load_last_run(domain).calls.is_start_of(_read_log(domain)):
        raise _make_changed_calls_error(domain)


def accept_calls(domain: DomainStore) -> None:
    """Note the log of a domain's calls as it is, where a run was noted at all."""
    noted, calls = load_last_run(domain), read_noted_calls(domain)
    if noted.tries and noted.calls != calls:
        keep_last_run(domain, replace(noted, calls=calls))


def _make_changed_calls_error(domain: DomainStore) -> StoreError:
    name = name_ledger(domain.name).removeprefix(f"{domain}/")
    message = "lines that it had when the last run was noted were changed, or are gone"
    return make_broken_seal_error(domain.objects, domain.name, [name], message)


def _read_log(domain: DomainStore) -> bytes:
    return domain.objects.read(name_ledger(domain.name)) or b""
