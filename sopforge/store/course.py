"""The course of a domain: which version of each stage counts, whatever its number.

A run writes ``DOMAIN/current.json`` as it goes, under the domain's lock: the version of each stage
that it came to. So a brief that was changed and changed back leads to the earlier versions.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from sopforge.language.domain.stage_names import STAGE_NAMES
from sopforge.store.objects import make_damage_error
from sopforge.store.versions import DomainStore, Version

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Reached:
    """A version that a run came to."""

    version: int
    key: str
    content: str


@dataclass(frozen=True, slots=True)
class Course:
    """The version of each stage that a run came to last, and where the newest run ended.

    What lies after ``last`` is what an earlier run came to.
    """

    last: str = ""
    versions: Mapping[str, Reached] = field(default_factory=dict)

    def has_come_to(self, stage: str) -> bool:
        """Return whether the newest run came to a stage."""
        return _rank_stage(stage) <= _rank_stage(self.last)

    def with_version(self, version: Version, *, is_last: bool) -> Course:
        """Return the course of a run that comes to a version.

        What lies after it stays as it is where the version is no new one, unless it ``is_last``.
        """
        stage, key = version.manifest.stage, version.manifest.key
        reached = Reached(version.number, key, version.manifest.content)
        is_known = self.versions.get(stage) == reached and self.has_come_to(stage)
        last = self.last if is_known and not is_last else stage
        return Course(last, {**self.versions, stage: reached})


def load_course(domain: DomainStore) -> Course:
    """Return the course of a domain; an empty one where no run has noted any.

    Raises:
        StoreError: what was noted cannot be read.
    """
    name = _name_course_file(domain.name)
    data = domain.objects.read(name)
    if data is None:
        return Course()
    try:
        value = json.loads(data)
        found = {stage: _parse_reached(**entry) for stage, entry in value["versions"].items()}
        return Course(str(value["last"]), found)
    except (AttributeError, KeyError, TypeError, ValueError) as cause:
        hint = "restore it from a copy"
        raise make_damage_error(
            domain.objects, name, f"the file names no versions: {cause!r}", hint
        ) from cause


def find_current_version(domain: DomainStore, stage: str) -> Version | None:
    """Return the version of a stage that counts: the one that the kept brief led to.

    It is the one that waits, or stands provisionally after it, else the one that a run came to
    last; a version built ahead of a gate that turned out otherwise counts no more.
    """
    noted, course = domain.find_waiting(), load_course(domain)
    keys = {name: reached.key for name, reached in course.versions.items()}
    if noted:
        keys |= noted.keys
    if course.versions:
        return domain.find(stage, keys[stage]) if stage in keys else None
    # No run has noted its course here yet.
    return _find_newest_version(domain, stage, keys.get(stage))


def _find_newest_version(domain: DomainStore, stage: str, key: str | None) -> Version | None:
    versions = domain.list_versions(stage)
    waiting = [version for version in versions if version.manifest.key == key]
    return next(iter((waiting or versions)[-1:]), None)


def _parse_reached(version: object, key: object, content: object) -> Reached:
    if not (isinstance(version, int) and isinstance(key, str) and isinstance(content, str)):
        raise TypeError("one of the versions is missing")
    return Reached(version, key, content)


def keep_course(domain: DomainStore, course: Course) -> None:
    """Note the course of a domain; call it under the domain's lock."""
    value: dict[str, Any] = {"format": FORMAT, **asdict(course)}
    domain.objects.replace(
        _name_course_file(domain.name), (json.dumps(value, indent=1) + "\n").encode()
    )


def _rank_stage(stage: str) -> int:
    """Return the place of a stage among all; one that is unknown lies before them."""
    return STAGE_NAMES.index(stage) if stage in STAGE_NAMES else -1


def _name_course_file(domain: str) -> str:
    return f"{domain}/current.json"
