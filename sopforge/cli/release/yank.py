"""``sopforge yank``: take a release back that should not be used any more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.completing import list_version_names
from sopforge.cli.decide.confirming import confirm, is_asked
from sopforge.cli.decide.outcomes import build_decision_record
from sopforge.cli.options import (
    DEFAULT_STORE,
    AsJson,
    By,
    Digest,
    Domain,
    StorePlace,
    get_person,
    require_digest_start,
    require_domain,
)
from sopforge.cli.output import make_console, print_json, say
from sopforge.cli.signing import SignersFile, SigningKey, make_entry_signer
from sopforge.errors import Fault, MaterialError

if TYPE_CHECKING:
    from sopforge.store.versions import Store


def yank(
    domain: Domain,
    version: Annotated[
        str,
        typer.Argument(
            help="Version of the release, such as 1.0.0.", autocompletion=list_version_names
        ),
    ],
    reason: Annotated[
        str, typer.Option("--reason", help="Reason for the yank; the next release states it.")
    ] = "",
    undo: Annotated[
        bool, typer.Option("--undo", help="Undo the yank, and allow the release to be used again.")
    ] = False,
    digest: Digest = None,
    by: By = "",
    signing_key: SigningKey = None,
    allowed_signers: SignersFile = None,
    place: StorePlace = DEFAULT_STORE,
    as_json: AsJson = False,
) -> None:
    """Mark a release as no longer to be used, without changing its files."""
    from sopforge.store.log import yanks
    from sopforge.store.opening import open_store

    if not reason.strip() and not undo:
        hint = "state the reason: --reason TEXT"
        raise MaterialError(Fault("reason-missing", "a yank needs a reason", "--reason", hint))
    opened, shown = open_store(place), require_digest_start(digest)
    name = require_domain(opened, domain)
    if digest is None and is_asked(is_quiet=as_json):
        shown = _show(opened, name, version, reason.strip(), undo=undo)
    made = yanks.yank(
        opened,
        name,
        version,
        by=get_person(by),
        reason=reason.strip(),
        digest=shown,
        undo=undo,
        sign=make_entry_signer(opened, signing_key, allowed_signers),
    )
    if as_json:
        print_json({**build_decision_record(made), "is_signed": signing_key is not None})
        return
    verb = "may be used again" if undo else "is yanked"
    say(make_console(), f"{name} {version} {verb}; see entry {made.sequence} of the audit log.")
    if signing_key:
        say(make_console(), "Your decision is signed.")


def _show(store: Store, domain: str, version: str, reason: str, *, undo: bool) -> str:
    """Show what is to be yanked and why, ask, and return the digest of what was shown."""
    from sopforge.store.log.yanks import compute_release_digest

    digest = compute_release_digest(store, domain, version)
    say(make_console(), f"{domain} {version}, digest {digest}")
    if reason:
        say(make_console(), f"Reason: {reason}")
    confirm(f"{'Undo the yank of' if undo else 'Yank'} {domain} {version}?")
    return digest
