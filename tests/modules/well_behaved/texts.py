"""Normalises texts, in several encodings."""

import unicodedata


class GoodManager:
    def run(self, *, how):
        return getattr(self, how)()

    def unicode(self):
        return [
            unicodedata.normalize("NFC", "e\u0301"),
            unicodedata.name("ß"),
            "Straße".casefold(),
            "ǆ".title(),
            len("👩‍👩‍👧"),
            "".join(c for c in unicodedata.normalize("NFKD", "Çédille") if not unicodedata.combining(c)),
        ]

    def encodings(self):
        return [
            "é".encode("cp1252").hex(),
            "é".encode("utf-16-le").hex(),
            "bücher.example".encode("idna").decode(),
            "é".encode("latin-1").hex(),
            b"\xef\xbb\xbfa".decode("utf-8-sig"),
            "é".encode("ascii", "xmlcharrefreplace").decode(),
            b"\xa4".decode("iso8859-15"),
            "é".encode("cp437").hex(),
            "bücher".encode("punycode").decode(),
        ]

    def missing_encoding(self):
        try:
            "a".encode("no-such-encoding")
        except LookupError as raised:
            return str(raised)
