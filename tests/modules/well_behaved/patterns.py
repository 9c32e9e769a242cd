"""Searches texts with patterns."""

import re

PHONE = re.compile(r"\+(?P<country>\d{1,3})[ -](?P<rest>[\d ]+)")
CARE = re.compile(r"(?ix) ( straße | \bÉcole\b )")


class GoodManager:
    def run(self, *, how, text):
        return getattr(self, how)(text)

    def groups(self, text):
        found = PHONE.search(text)
        return found and found.groupdict()

    def unicode(self, text):
        return [match.group(0) for match in CARE.finditer(text)]

    def swap(self, text):
        return re.sub(r"(\w+) (\w+)", lambda match: f"{match[2]}, {match[1]}", text)

    def split(self, text):
        return re.split(r"\s*[;,]\s*", text)

    def full(self, text):
        return [bool(re.fullmatch(r"[A-Z]{2}\d{2,4}", word)) for word in text.split()]

    def bad(self, text):
        try:
            re.compile(text)
        except re.error as raised:
            return str(raised)
