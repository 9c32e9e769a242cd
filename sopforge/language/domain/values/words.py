"""Lists of words that texts are made of: those of Faker for English, and a few of our own.

Only the lists are taken, in their order; what Faker draws is never asked for. They change with its
releases, for which reason the exact one is pinned, and part of what a version is known by.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from string import digits

LIBRARY = "faker"

_WORD = re.compile(r"[A-Z][A-Za-z]+")
_WORDS = re.compile(r"[A-Z][A-Za-z]+(?: [A-Za-z]+)*")
_SHORTEST = 3
_READ_AS_MISSING = frozenset({"nan", "nil", "none", "null", "true", "false", "empty", "unknown"})

Words = tuple[str, ...]

TRADES: Words = (
    *("Brokers", "Builders", "Cabinets", "Ceramics", "Couriers", "Crafts", "Dairies", "Fabrics"),
    *("Farms", "Fittings", "Freight", "Furniture", "Gardens", "Glass", "Haulage", "Instruments"),
    *("Joinery", "Kitchens", "Lighting", "Linen", "Logistics", "Machinery", "Metalwork", "Mills"),
    *("Nurseries", "Optics", "Outfitters", "Packaging", "Paints", "Partners", "Plumbing"),
    *("Printers", "Provisions", "Roofing", "Shipping", "Stationers", "Supplies", "Textiles"),
    *("Tiles", "Timber", "Tools", "Traders", "Upholstery", "Valves", "Warehousing", "Woodwork"),
)
STREETS: Words = (
    *("Avenue", "Close", "Court", "Crescent", "Drive", "Gardens", "Grove", "Hill", "Lane"),
    *("Place", "Road", "Row", "Square", "Street", "Terrace", "Walk", "Way"),
)
DEPARTMENTS: Words = (
    *("Accounts", "Administration", "Customer Service", "Dispatch", "Engineering", "Facilities"),
    *("Finance", "Human Resources", "Information Technology", "Legal", "Logistics", "Maintenance"),
    *("Marketing", "Operations", "Procurement", "Production", "Quality Assurance", "Research"),
    *("Sales", "Training"),
)
MAKES: Words = (
    *("Adjustable", "Classic", "Compact", "Cordless", "Double", "Extra Large", "Folding", "Heavy"),
    *("Insulated", "Light", "Portable", "Professional", "Reinforced", "Rustic", "Small", "Sturdy"),
)
MATERIALS: Words = (
    *("Aluminium", "Bamboo", "Brass", "Canvas", "Ceramic", "Copper", "Cotton", "Glass", "Leather"),
    *("Linen", "Oak", "Pine", "Plastic", "Rubber", "Steel", "Walnut", "Wool"),
)
THINGS: Words = (
    *("Backpack", "Bench", "Blanket", "Bottle", "Bowl", "Bucket", "Cabinet", "Chair", "Clock"),
    *("Cooler", "Cushion", "Desk", "Fan", "Flask", "Gloves", "Hammer", "Heater", "Jacket", "Jug"),
    *("Kettle", "Ladder", "Lamp", "Mug", "Pan", "Rack", "Rug", "Scale", "Shelf", "Stool", "Table"),
    *("Tent", "Toolbox", "Torch", "Tray", "Trolley", "Umbrella", "Vase"),
)
RESERVED_DOMAINS: Words = ("example.com", "example.net", "example.org")
"""The domains that RFC 2606 keeps for examples, as it keeps all under ``.example``."""


@cache
def list_first_names() -> Words:
    """Return given names, those of women first."""
    person = import_module("faker.providers.person.en_US").Provider
    return _filter_plain_words([*person.first_names_female, *person.first_names_male], _WORD)


@cache
def list_family_names() -> Words:
    """Return family names."""
    return _filter_plain_words(
        import_module("faker.providers.person.en_US").Provider.last_names, _WORD
    )


@cache
def list_city_starts() -> Words:
    """Return words that may begin the name of a city, the first of them none."""
    prefixes = import_module("faker.providers.address.en_US").Provider.city_prefixes
    return ("", *(f"{word} " for word in _filter_plain_words(prefixes, _WORD)))


@cache
def list_city_ends() -> Words:
    """Return what names of cities end with."""
    suffixes = import_module("faker.providers.address.en_US").Provider.city_suffixes
    return tuple(dict.fromkeys(suffixes))


@cache
def list_job_titles() -> Words:
    """Return what people work as."""
    return _filter_plain_words(import_module("faker.providers.job").Provider.jobs, _WORDS)


@cache
def list_countries() -> Words:
    """Return the names of countries."""
    return _filter_plain_words(import_module("faker.providers.address").Provider.countries, _WORDS)


@cache
def list_area_codes() -> Words:
    """Return area codes of North America; their numbers 555-0100 to 555-0199 reach nobody."""
    # No area code begins with 0 or 1 or has 9 in the middle, and those that end in 11 are services.
    codes = (f"{a}{b}{c}" for a in digits[2:] for b in digits[:9] for c in digits)
    return tuple(code for code in codes if not code.endswith("11"))


def _filter_plain_words(words: Iterable[str], shape: re.Pattern[str]) -> Words:
    """Return words that no reader of a file takes for something else, each once."""
    found = (word for word in words if shape.fullmatch(word) and len(word) >= _SHORTEST)
    return tuple(dict.fromkeys(word for word in found if word.lower() not in _READ_AS_MISSING))
