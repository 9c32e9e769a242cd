"""What a signature of SSH says of itself: by which key it is, and for which kind of thing.

It is read to say why a signature is refused; whether it holds, ``ssh-keygen`` decides.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass

_ARMOR = re.compile(
    rb"\s*-----BEGIN SSH SIGNATURE-----\s(.*)-----END SSH SIGNATURE-----\s*", re.DOTALL
)
_MAGIC = b"SSHSIG\0\0\0\x01"
_LENGTH = 4
_LARGEST = 65_536


@dataclass(frozen=True, slots=True)
class Sshsig:
    """A signature: the public key in the form that is sent, and the namespace."""

    key: bytes
    namespace: str

    @property
    def has_certificate(self) -> bool:
        """Whether the key comes with a certificate of an authority."""
        return _split_field(self.key)[0].endswith(b"-cert-v01@openssh.com")


def read_sshsig(armored: bytes) -> Sshsig:
    """Return what a signature says of itself; raises ``ValueError`` for what is none."""
    if len(armored) > _LARGEST:
        raise ValueError(f"the file has more than {_LARGEST:,} bytes")
    match = _ARMOR.fullmatch(armored)
    if match is None:
        raise ValueError("the file is not an armored SSH signature")
    try:
        data = base64.b64decode(b"".join(match[1].split()), validate=True)
    except binascii.Error as cause:
        raise ValueError("its base64 text is incomplete") from cause
    if not data.startswith(_MAGIC):
        raise ValueError("it is not a signature of version 1")
    key, rest = _split_field(data[len(_MAGIC) :])
    namespace, rest = _split_field(rest)
    for _ in ("reserved", "hash algorithm", "signature"):
        _, rest = _split_field(rest)
    # For its error alone: a key that is cut off must not fail later, where its kind is read.
    _ = _split_field(key)
    return Sshsig(key, namespace.decode(errors="replace"))


def _split_field(data: bytes) -> tuple[bytes, bytes]:
    """Return the first field, which follows its length, and what follows it."""
    end = _LENGTH + int.from_bytes(data[:_LENGTH], "big")
    if len(data) < max(end, _LENGTH):
        raise ValueError("the file is cut off")
    return data[_LENGTH:end], data[end:]
