"""``sopforge sign``: sign what stands under your name already, or a release."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.completing import list_version_names
from sopforge.cli.decide.outcomes import build_decision_record
from sopforge.cli.options import AsJson, By, StoredDomain, get_person
from sopforge.cli.output import Result, ask, make_console, say
from sopforge.cli.signing import SignersFile, SigningKey, require_signer
from sopforge.errors import Fault, MaterialError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sopforge.store.entries import Decision
    from sopforge.store.signatures.signing import Signer
    from sopforge.store.versions import DomainStore


def sign(
    stored: StoredDomain,
    release: Annotated[
        str,
        typer.Option(
            metavar="VERSION",
            help="Sign this release instead of decisions.",
            autocompletion=list_version_names,
        ),
    ] = "",
    by: By = "",
    signing_key: SigningKey = None,
    allowed_signers: SignersFile = None,
    again: Annotated[
        bool, typer.Option("--again", help="Also replace signatures that are refused.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Sign without asking for confirmation.")
    ] = False,
    as_json: AsJson = False,
) -> Result:
    """Sign your unsigned decisions, such as those that you made in a browser.

    The command shows each decision before you sign it. Do not sign a decision that you do not
    recognise.
    """
    domain = stored.open()
    key, person = require_signer(domain.store, signing_key, allowed_signers), get_person(by)
    if release:
        things, none = (
            _list_unsigned_releases(domain, release, again=again),
            f"{release} is signed",
        )
    else:
        things = _list_unsigned_decisions(domain, person, key, again=again)
        none = f"no decision of {person} is unsigned"
    _refuse_unasked(things, is_said=yes, is_quiet=as_json)
    signed = [thing for thing in things if _sign_if_agreed(thing, key, is_asked=not yes)]
    said = f"Signed {len(signed)} of {len(things)}." if things else f"Nothing to sign: {none}."
    return Result({"domain": domain.name, "signed": [thing.record for thing in signed]}, [said])


@dataclass(frozen=True, slots=True)
class _Unsigned:
    """Something to be signed: how it is shown, what programs are given, and what signs it."""

    shown: str
    record: dict[str, object]
    sign: Callable[[Signer], None]


def _list_unsigned_decisions(
    domain: DomainStore, by: str, key: Signer, *, again: bool
) -> list[_Unsigned]:
    from sopforge.pipeline.releases.signatures import (
        list_unsigned_decisions,
        load_signed_log,
        sign_decision,
    )
    from sopforge.store.log.audit_log import AuditLog

    log, words = load_signed_log(domain, key.signers), AuditLog(domain)
    return [
        _Unsigned(
            _describe_entry(entry, log.get_signature(entry).summary, words.read_words(entry)),
            build_decision_record(entry),
            partial(sign_decision, domain, entry),
        )
        for entry in list_unsigned_decisions(log, by, again=again)
    ]


def _list_unsigned_releases(domain: DomainStore, version: str, *, again: bool) -> list[_Unsigned]:
    """Return the release, unless it has a signature already that is to stay."""
    from sopforge.pipeline.releases.signatures import is_signed, sign_release
    from sopforge.store.log.yanks import compute_release_digest

    digest = compute_release_digest(domain, version)
    record: dict[str, object] = {"version": version, "digest": digest}
    if is_signed(domain, version) and not again:
        return []
    shown = f"release {version} of {domain}, digest {digest}"
    return [_Unsigned(shown, record, partial(sign_release, domain, version))]


def _describe_entry(entry: Decision, signature: str, words: str) -> str:
    about = f"{entry.stage if entry.is_at_gate else f'release {entry.key}'} {entry.content[:12]}"
    verdict, said = entry.verdict.replace("_", " "), f"; said: {words}" if words else ""
    return f"entry {entry.sequence}: {entry.by}, {verdict}, {about}, {entry.at}; {signature}{said}"


def _sign_if_agreed(thing: _Unsigned, key: Signer, *, is_asked: bool) -> bool:
    """Show something, sign it unless a person who is asked says no, and return whether it was."""
    say(make_console(stderr=True), thing.shown)
    if is_asked and not ask("Sign it?", stderr=True):
        return False
    thing.sign(key)
    return True


def _refuse_unasked(things: Sequence[_Unsigned], *, is_said: bool, is_quiet: bool) -> None:
    """Raise ``MaterialError`` where there is something to sign, and nobody who can be asked."""
    if not things or is_said or (sys.stdin.isatty() and not is_quiet):
        return
    shown = "; ".join(thing.shown for thing in things)
    message = f"signing needs a confirmation, but there is no terminal: {shown}"
    hint = "check the list, then add --yes to sign all of it"
    raise MaterialError(Fault("not-confirmed", message, "", hint))
