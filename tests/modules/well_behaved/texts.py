"""Formats, wraps, compares and normalises texts, in several encodings."""

import difflib
import html
import io
import shlex
import string
import textwrap
import unicodedata
import urllib.parse


class GoodManager:
    def run(self, *, how):
        return getattr(self, how)()

    def formats(self):
        amount, name = 1234567.891, "Ada"
        return [
            f"{amount:,.2f}",
            f"{name:>6}|{name:^7}|{name!r}",
            f"{255:#x} {5:03d} {0.256:.1%} {1e-7:g}",
            "%s is %05.1f" % (name, 3.14159),
            "{0[k]} {1.real}".format({"k": "v"}, 3),
            string.Template("$who owes $$5").substitute(who="Ada"),
        ]

    def wraps(self):
        return [
            textwrap.wrap("the quick brown fox", 10),
            textwrap.dedent("  a\n    b\n"),
            textwrap.shorten("one two three", width=10, placeholder="…"),
        ]

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

    def differences(self):
        lines = difflib.unified_diff(["a", "b"], ["a", "c"], lineterm="", n=0)
        return [
            list(lines)[2:],
            difflib.get_close_matches("appel", ["ape", "apple", "peach"]),
            difflib.SequenceMatcher(None, "abcd", "bcde").ratio(),
        ]

    def quotes(self):
        return [
            html.escape("<a & 'b'>"),
            urllib.parse.quote("a b/ü"),
            urllib.parse.parse_qs("a=1&a=2"),
            shlex.split("a 'b c'"),
            urllib.parse.urlsplit("https://x.example:8/p?q#f").port,
        ]

    def buffers(self):
        buffer = io.StringIO()
        print("a", 1, sep="-", file=buffer)
        return [buffer.getvalue(), io.BytesIO(b"abc").read(2).decode()]
