"""A pool of details that forms and records have, and on which no case turns."""

from __future__ import annotations

from collections.abc import Iterable

from sopforge.complexity.added_fields import made_field
from sopforge.domain.fields import Field, Role
from sopforge.domain.values.types import EnumType, NumberType
from sopforge.material.material import Detail


def _labels(name: str, description: str, *values: str) -> Field:
    return made_field(name, Role.DISTRACTOR, EnumType(values), description)


def _whole(name: str, description: str, low: int, high: int) -> Field:
    return made_field(name, Role.DISTRACTOR, NumberType(low, high), description)


def detail_field(item: Detail) -> Field:
    """Return a detail that was written for a domain as a field."""
    if item.values:
        return _labels(item.name, item.description, *item.values)
    return _whole(item.name, item.description, item.lowest, item.highest)


def with_pool(written: Iterable[Detail], pool: Iterable[Field]) -> list[Field]:
    """Return what was written for a domain as fields, then those of a pool with other names."""
    own = {item.name: detail_field(item) for item in written}
    return [*own.values(), *(item for item in pool if item.name not in own)]


OF_FORMS = (
    _labels(
        "form_channel", "way in which the form came in", "Counter", "Post", "Telephone", "Web form"
    ),
    _whole("form_revision", "revision of the form that was used", 3, 9),
    _labels(
        *("office_location", "office that took the form in"),
        *("Annex", "Main building", "North wing", "Riverside"),
    ),
    _whole("pages_attached", "pages attached to the form", 0, 12),
    _labels("form_language", "language of the form", "English", "French", "German", "Spanish"),
    _labels("scan_quality", "quality of the scan of the form", "Crisp", "Grainy", "Readable"),
    _whole("queue_position", "position of the form in the queue of its day", 1, 90),
    _labels("paper_colour", "colour of the form's paper", "Blue", "Pink", "White", "Yellow"),
    _labels("stamp_shape", "shape of the stamp of receipt", "Oval", "Round", "Square"),
    _whole("copies_kept", "copies of the form that were kept", 1, 4),
    _labels("envelope_size", "size of the envelope", "Large", "Medium", "Small"),
    _labels("ink_colour", "ink with which the form was filled in", "Black", "Blue", "Green"),
)
OF_RECORDS = (
    _whole("record_revision", "revision of the record", 1, 40),
    _labels(
        "record_source", "system from which the record was taken over", "Core", "Import", "Web"
    ),
    _labels(
        "entry_clerk_team", "team that entered the record", "Blue team", "Green team", "Red team"
    ),
    _whole("record_views", "how often the record was looked at", 0, 250),
    _labels("storage_site", "site at which the record is stored", "Harbour", "Hill", "Valley"),
    _labels(
        "display_theme", "colours in which the record is displayed", "Contrast", "Dark", "Light"
    ),
    _whole("attachment_count", "attachments of the record", 0, 15),
    _labels("index_language", "language of the index", "English", "French", "German", "Spanish"),
    _whole("backup_generation", "generation of the backup", 1, 30),
    _labels(
        "sync_channel", "channel by which the record is synchronised", "Batch", "Queue", "Stream"
    ),
    _whole("label_prints", "labels printed for the record", 0, 9),
    _labels("filing_colour", "colour of the file's tab", "Amber", "Blue", "Grey", "Violet"),
)
