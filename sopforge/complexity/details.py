"""A pool of details that forms and records have, and on which no case turns."""

from __future__ import annotations

from collections.abc import Iterable

from sopforge.complexity.added_fields import make_field
from sopforge.domain.fields import Field, Role
from sopforge.domain.values.types import EnumType, NumberType
from sopforge.material.material import Detail


def _make_label_field(name: str, description: str, *values: str) -> Field:
    return make_field(name, Role.DISTRACTOR, EnumType(values), description)


def _make_number_field(name: str, description: str, low: int, high: int) -> Field:
    return make_field(name, Role.DISTRACTOR, NumberType(low, high), description)


def make_detail_field(item: Detail) -> Field:
    """Return a detail that was written for a domain as a field."""
    if item.values:
        return _make_label_field(item.name, item.description, *item.values)
    return _make_number_field(item.name, item.description, item.lowest, item.highest)


def with_pool(written: Iterable[Detail], pool: Iterable[Field]) -> list[Field]:
    """Return what was written for a domain as fields, then those of a pool with other names."""
    own = {item.name: make_detail_field(item) for item in written}
    return [*own.values(), *(item for item in pool if item.name not in own)]


OF_FORMS = (
    _make_label_field(
        "form_channel",
        "channel by which the form came in",
        "Counter",
        "Post",
        "Telephone",
        "Web form",
    ),
    _make_number_field("form_revision", "revision of the form that was used", 3, 9),
    _make_label_field(
        *("office_location", "office that took the form in"),
        *("Annex", "Main building", "North wing", "Riverside"),
    ),
    _make_number_field("pages_attached", "pages attached to the form", 0, 12),
    _make_label_field(
        "form_language", "language of the form", "English", "French", "German", "Spanish"
    ),
    _make_label_field(
        "scan_quality", "quality of the scan of the form", "Crisp", "Grainy", "Readable"
    ),
    _make_number_field("queue_position", "position of the form in the queue of its day", 1, 90),
    _make_label_field(
        "paper_colour", "colour of the form's paper", "Blue", "Pink", "White", "Yellow"
    ),
    _make_label_field("stamp_shape", "shape of the stamp of receipt", "Oval", "Round", "Square"),
    _make_number_field("copies_kept", "copies of the form that were kept", 1, 4),
    _make_label_field("envelope_size", "size of the envelope", "Large", "Medium", "Small"),
    _make_label_field(
        "ink_colour", "ink with which the form was filled in", "Black", "Blue", "Green"
    ),
)
OF_RECORDS = (
    _make_number_field("record_revision", "revision of the record", 1, 40),
    _make_label_field(
        "record_source", "system from which the record was taken over", "Core", "Import", "Web"
    ),
    _make_label_field(
        "entry_clerk_team", "team that entered the record", "Blue team", "Green team", "Red team"
    ),
    _make_number_field("record_views", "how often the record was looked at", 0, 250),
    _make_label_field(
        "storage_site", "site at which the record is stored", "Harbour", "Hill", "Valley"
    ),
    _make_label_field(
        "display_theme", "colours in which the record is displayed", "Contrast", "Dark", "Light"
    ),
    _make_number_field("attachment_count", "attachments of the record", 0, 15),
    _make_label_field(
        "index_language", "language of the index", "English", "French", "German", "Spanish"
    ),
    _make_number_field("backup_generation", "generation of the backup", 1, 30),
    _make_label_field(
        "sync_channel", "channel by which the record is synchronised", "Batch", "Queue", "Stream"
    ),
    _make_number_field("label_prints", "labels printed for the record", 0, 9),
    _make_label_field(
        "filing_colour", "colour of the file's tab", "Amber", "Blue", "Grey", "Violet"
    ),
)
