"""What looks like data of a real person in a brief, reported before a brief is sent to a provider.

Addresses, numbers of accounts, cards and telephones have a form; a name has none and is not found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from sopforge.findings import Finding, make_warning_finding
from sopforge.language.domain.reading import Brief

_RESERVED = re.compile(r"@(?:.*\.)?(?:example(?:\.(?:com|org|net))?|test|invalid|localhost)$")
_IBAN_LENGTH = range(15, 35)
_CARD_LENGTH = range(13, 20)


def check_personal_data(brief: Brief) -> list[Finding]:
    """Return a warning for each line of the brief or its draft that seems to name a person."""
    texts = ((brief.document.source, brief.text), (brief.parts.draft_sop or "draft", brief.draft))
    return [
        make_warning_finding(
            "personal-data",
            f"{kind} may belong to a real person, and the brief is sent to"
            f" {brief.parts.writer.name}",
            where=f"{source}:{number}",
            hint="replace it by made-up data, such as name@example.com",
        )
        for source, text in texts
        for number, line in enumerate(text.splitlines(), start=1)
        for kind in _find_kinds(line)
    ]


def _find_kinds(line: str) -> Iterator[str]:
    for kind, pattern, is_one in _FORMS:
        if any(is_one(found[0]) for found in pattern.finditer(line)):
            yield kind


def _is_address(text: str) -> bool:
    return not _RESERVED.search(text.lower())


def _is_iban(text: str) -> bool:
    """Return whether the check digits of an account number are right (ISO 13616)."""
    plain = text.replace(" ", "")
    # Country and check digits go to the end, and letters count from A = 10, as base 36 has them.
    digits = "".join(str(int(letter, 36)) for letter in plain[4:] + plain[:4])
    return len(plain) in _IBAN_LENGTH and int(digits) % 97 == 1


def _is_card(text: str) -> bool:
    """Return whether the check digit of a card number is right (ISO 7812, by Luhn)."""
    digits = [int(letter) for letter in text if letter.isdigit()][::-1]
    # Of a doubled digit the sum of its own digits counts: 7 becomes 14 and 1 + 4.
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[1::2]]
    return len(digits) in _CARD_LENGTH and (sum(digits[::2]) + sum(doubled)) % 10 == 0


def _is_telephone(text: str) -> bool:
    return "555" not in text  # kept for fiction


_FORMS: tuple[tuple[str, re.Pattern[str], Callable[[str], bool]], ...] = (
    ("a mail address", re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+"), _is_address),
    ("an account number", re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b"), _is_iban),
    ("a card number", re.compile(r"\b\d(?:[ -]?\d){12,18}\b"), _is_card),
    ("a telephone number", re.compile(r"\+\d{1,3}(?:[ ()/-]{0,2}\d){7,12}\b"), _is_telephone),
    ("a social security number", re.compile(r"\b\d{3}-\d{2}-\d{4}\b"), bool),
)
