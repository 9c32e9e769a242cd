"""``sopforge yank``: take a release back that should not be used any more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.completing import list_version_names
from sopforge.cli.decide.confirming import confirm, is_asked
from sopforge.cli.decide.outcomes import build_decision_record
from sopforge.cli.options import AsJson, By, Digest, StoredDomain, get_person, require_digest_start
from sopforge.cli.output import Result, make_console, say
from sopforge.cli.signing import SignersFile, SigningKey, make_entry_signer
from sopforge.errors import Fault, MaterialError

if TYPE_CHECKING:
    from sopforge.store.versions import DomainStore


def yank(
    asked: StoredDomain,
    version: Annotated[
        str,
        typer.Argument(
            help="Version of the release, such as 1.0.0.", autocompletion=list_version_names
        ),
    ],
    reason: Annotated[
        str, typer.Option(help="Reason for the yank; the next release states it.")
    ] = "",
    undo: Annotated[
        bool, typer.Option("--undo", help="Undo the yank, and allow the release to be used again.")
    ] = False,
    digest: Digest = None,
    by: By = "",
    signing_key: SigningKey = None,
    allowed_signers: SignersFile = None,
    as_json: AsJson = False,
) -> Result:
    """Mark a release as no longer to be used, without changing its files."""
    from sopforge.store.log import yanks

    if not reason.strip() and not undo:
        hint = "state the reason: --reason TEXT"
        raise MaterialError(Fault("reason-missing", "a yank needs a reason", "--reason", hint))
    domain, shown = asked.open(), require_digest_start(digest)
    if digest is None and is_asked(is_quiet=as_json):
        shown = _show(domain, version, reason.strip(), undo=undo)
    made = yanks.yank(
        domain,
        version,
        by=get_person(by),
        reason=reason.strip(),
        undo=undo,
        digest=shown,
        sign=make_entry_signer(domain.store, signing_key, allowed_signers),
    )
    verb = "may be used again" if undo else "is yanked"
    lines = [f"{domain} {version} {verb}; see entry {made.sequence} of the audit log."]
    if signing_key:
        lines.append("Your decision is signed.")
    return Result({**build_decision_record(made), "is_signed": signing_key is not None}, lines)


def _show(domain: DomainStore, version: str, reason: str, *, undo: bool) -> str:
    """Show what is to be yanked and why, ask, and return the digest of what was shown."""
    from sopforge.store.log.yanks import compute_release_digest

    digest = compute_release_digest(domain, version)
    say(make_console(), f"{domain} {version}, digest {digest}")
    if reason:
        say(make_console(), f"Reason: {reason}")
    confirm(f"{'Undo the yank of' if undo else 'Yank'} {domain} {version}?")
    return digest
