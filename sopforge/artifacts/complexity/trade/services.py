"""Services and details of a trade: what its offices, systems and papers have besides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sopforge.artifacts.complexity.added_fields import make_field, make_name
from sopforge.artifacts.complexity.setting import Setting
from sopforge.artifacts.complexity.tool_names import LONGEST, format_camel_case
from sopforge.artifacts.complexity.trade.pools.services import (
    OF_CASES,
    OF_PAPERS,
    OF_ROLES,
    OF_SYSTEMS,
    OFFICES,
    ServiceFrame,
)
from sopforge.language.domain.fields import Field, Role
from sopforge.language.domain.model import Tool, ToolKind
from sopforge.language.domain.values.types import EnumType
from sopforge.language.english.nouns import add_article, pluralize
from sopforge.seeds import permute_items

_FEWEST = 2
_NAME_WORDS = 3
_FIELD_LENGTH = 48
_LAST_CHANGE = ("last_changed_by", "author of the last change", "role that changed the record last")
_LAST_COPY = ("copy_sent_to", "addressee of the last copy", "role to which a copy was sent last")
_ORIGIN = ("record_origin", "origin of the record", "system in which the record was begun")


def iterate_services(setting: Setting, key: str, seed: int) -> Iterator[tuple[Tool, Field]]:
    """Yield look-ups of the trade in a keyed order, then those of offices that any house has.

    Each takes the ``key`` of a case and returns one value.
    """
    own = (
        (OF_CASES, (setting.case,)),
        (OF_SYSTEMS, setting.systems),
        (OF_PAPERS, setting.papers),
        (OF_ROLES, setting.roles),
    )
    for groups in (own, ((OF_ROLES, OFFICES),)):
        made = [
            _make_service(frame, thing, setting, key)
            for frames, things in groups
            for frame in frames
            for thing in things
        ]
        for tool, shown in permute_items(made, seed, "general"):
            if len(tool.name) <= LONGEST and len(shown.name) <= _FIELD_LENGTH:
                yield tool, shown


def make_trade_details(setting: Setting) -> list[Field]:
    """Return what a record of this setting would hold beside the matter."""
    people = (setting.worker, *setting.roles)
    found = [
        _make_detail(*_LAST_CHANGE, people),
        _make_detail(*_LAST_COPY, people),
        _make_detail(*_ORIGIN, setting.systems),
        _make_detail("cover_sheet", "cover sheet", "paper on top of the folder", setting.papers),
    ]
    return [item for item in found if item is not None]


def _make_detail(name: str, label: str, says: str, values: Sequence[str]) -> Field | None:
    plain = tuple(dict.fromkeys(value[:1].upper() + value[1:] for value in values))
    if len(plain) < _FEWEST:
        return None
    return make_field(name, Role.DISTRACTOR, EnumType(plain[:6]), says, label)


def _make_service(
    frame: ServiceFrame, thing: str, setting: Setting, key: str
) -> tuple[Tool, Field]:
    """Return a look-up of one thing, whose name has the last words of what that is called."""
    name = "_".join(make_name(thing).split("_")[-_NAME_WORDS:])
    words = {
        "of": thing,
        "a_case": add_article(setting.case),
        "cases": setting.cases,
        "workers": pluralize(setting.worker),
        "system": setting.systems[0],
    }
    kind, means = EnumType(frame.values), frame.means.format(**words)
    shown = make_field(frame.field.format(name), Role.OBSERVED, kind, means)
    called, says = frame.tool.format(format_camel_case(name)), frame.says.format(**words)
    return Tool(called, ToolKind.LOOKUP, says, (key,), (shown.name,)), shown
