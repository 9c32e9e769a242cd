"""Why a signature does not hold: each reason with a code of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sopforge.errors import Fault
from sopforge.store.signatures import ssh_keygen
from sopforge.store.signatures.allowed_signers import AllowedSigners, SignerLine
from sopforge.store.signatures.sshsig import Sshsig, read_sshsig

OF_DECISION = "sopforge-decision"
OF_RELEASE = "sopforge-release"
"""Namespaces: a signature of one kind of thing is none of another."""
NAME_HINT = 'decide under a name without , * ? " \\ and without - # ! at the beginning'
# Names of allowed signers are lists of patterns, in quotes where they have blanks.
_NO_NAME = re.compile(r"^[-#!]|[,*?\"\\]")
_LIST = (
    "ask this person whether the key is theirs; only then list it under their name: sopforge"
    " signers --from FILE"
)
_AGAIN = "find out who wrote it, then ask them to sign it again with sopforge sign and --again"


@dataclass(frozen=True, slots=True)
class Signable:
    """A text that may be signed: ``named`` as a person says it, kept ``where``, made at ``time``.

    The time is the earliest that is known, None where that cannot be read.
    """

    text: bytes
    namespace: str
    named: str
    where: str
    time: datetime | None

    @property
    def digits(self) -> str:
        """The time as ``ssh-keygen`` takes it, in UTC."""
        return self.time.strftime("%Y%m%d%H%M%S") if self.time else ""


class RefusedSignatureError(Exception):
    """A signature does not hold; the fault says why."""

    def __init__(self, code: str, message: str, where: str, hint: str) -> None:
        super().__init__(message)
        self.fault = Fault(code, message, where, hint)


def refuse_form(signable: Signable, data: bytes) -> None:
    """Raise ``RefusedSignatureError`` for a signature that is none of this kind of thing."""
    where = signable.where
    if signable.time is None:
        message = f"the time of {signable.named} cannot be read"
        raise RefusedSignatureError("signature-time", message, where, _AGAIN)
    try:
        found = read_sshsig(data)
    except ValueError as cause:
        raise RefusedSignatureError("signature-malformed", str(cause), where, _AGAIN) from cause
    if found.namespace != signable.namespace:
        message = f"it was made for '{found.namespace}', not for '{signable.namespace}'"
        raise RefusedSignatureError("signature-namespace", message, where, _AGAIN)


def refuse_text(signable: Signable, data: bytes, before: Sequence[Signable]) -> None:
    """Raise so for a signature of another text; ``before`` are the entries in front of it."""
    where = signable.where
    if ssh_keygen.check_signature(signable.text, data, signable.namespace).is_good:
        return
    for other in reversed(before):
        if ssh_keygen.check_signature(other.text, data, other.namespace).is_good:
            message = f"it is the signature of {other.named}"
            raise RefusedSignatureError("signature-older-entry", message, where, _AGAIN)
    message = (
        f"{signable.named} was changed after it was signed, or this is the signature of"
        " something else"
    )
    raise RefusedSignatureError("signature-other-text", message, where, _AGAIN)


def refuse_name(signable: Signable, name: str) -> None:
    """Raise so for a name that no line of allowed signers can have as it is."""
    if not is_signer_name(name):
        message = f"{name!r} cannot be the name of an allowed signer"
        raise RefusedSignatureError("signer-name", message, signable.where, NAME_HINT)


def make_refused_key_error(
    signable: Signable, data: bytes, name: str, signers: AllowedSigners, said: str
) -> RefusedSignatureError:
    """Return why the allowed signers do not have somebody's key sign this.

    ``said`` is what ``ssh-keygen`` said of it.
    """
    found, where = read_sshsig(data), signable.where
    own = [line for line in signers.lines if line.key == found.key]
    if not own:
        return _make_unknown_key_error(found, where, signers, said)
    lines = [line for line in own if line.is_of(name)] if name else own
    if not lines:
        owners = ", ".join(dict.fromkeys(owner for line in own for owner in line.names))
        message = f"the key does not belong to {name}, but to {owners}"
        return RefusedSignatureError("signature-other-signer", message, where, _LIST)
    return _make_refused_line_error(lines[-1], signable, name, said)


def is_signer_name(name: str) -> bool:
    """Return whether somebody's name can stand in a file of allowed signers, as no pattern."""
    return bool(name) and name.isprintable() and _NO_NAME.search(name) is None


def _make_unknown_key_error(
    found: Sshsig, where: str, signers: AllowedSigners, said: str
) -> RefusedSignatureError:
    if found.has_certificate:
        message = f"its certificate is not accepted: {said or 'no authority is listed for it'}"
        return RefusedSignatureError("signature-refused", message, where, _LIST)
    message = f"its key is not listed in {signers.place}: the signer is unknown or was removed"
    return RefusedSignatureError("signature-unknown-key", message, where, _LIST)


def _make_refused_line_error(
    line: SignerLine, signable: Signable, name: str, said: str
) -> RefusedSignatureError:
    """Return why the line that gives somebody the key does not have it sign this."""
    owner, where, time = name or ",".join(line.names), signable.where, signable.time
    after, before = line.valid_after, line.valid_before
    if not line.allows(signable.namespace):
        only = line.options["namespaces"]
        message = f"{owner}'s key may only sign {only}, not {signable.namespace}"
        return RefusedSignatureError("signature-namespace", message, where, _LIST)
    if time and before and time > before:
        expiry, signed = _format_time(before), _format_time(time)
        message = f"{owner}'s key expired at {expiry}, but {signable.named} is dated {signed}"
        return RefusedSignatureError("signature-expired", message, where, _LIST)
    if time and after and time < after:
        start, signed = _format_time(after), _format_time(time)
        message = f"{owner}'s key is valid from {start}, but {signable.named} is dated {signed}"
        return RefusedSignatureError("signature-not-yet-valid", message, where, _LIST)
    if not name and not any(map(is_signer_name, line.names)):
        message = (
            f"its key is listed only for {owner}, which is a pattern and does not name a person"
        )
        hint = "list the key under the name of the person: sopforge store signers --from FILE"
        return RefusedSignatureError("signature-refused", message, where, hint)
    message = f"ssh-keygen rejects it: {said or 'it does not say why'}"
    return RefusedSignatureError("signature-refused", message, where, _LIST)


def _format_time(time: datetime) -> str:
    return f"{time:%Y-%m-%d %H:%M:%S} UTC"
