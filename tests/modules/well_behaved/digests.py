"""Makes digests and encodings."""

import base64
import binascii
import hashlib
import hmac
import struct
import uuid
import zlib


class GoodManager:
    def run(self, *, text):
        data = text.encode()
        return {
            "sha256": hashlib.sha256(data).hexdigest(),
            "md5": hashlib.md5(data).hexdigest(),
            "new": hashlib.new("sha1", data).hexdigest(),
            "blake": hashlib.blake2b(data, digest_size=4).hexdigest(),
            "hmac": hmac.new(b"key", data, "sha256").hexdigest(),
            "same": hmac.compare_digest("a", "a"),
            "crc": zlib.crc32(data),
            "base64": base64.b64encode(data).decode(),
            "urlsafe": base64.urlsafe_b64encode(b"\xfb\xff").decode(),
            "hex": binascii.hexlify(data).decode(),
            "uuid": str(uuid.uuid5(uuid.NAMESPACE_DNS, text)),
            "packed": struct.pack(">IH", 1, 2).hex(),
            "back": zlib.decompress(zlib.compress(data)).decode(),
        }
