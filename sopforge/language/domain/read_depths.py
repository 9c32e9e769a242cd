"""How far a domain document can be read, however wrong it is."""

from __future__ import annotations

from enum import IntEnum

from sopforge.errors import DeclarationError, MaterialError
from sopforge.language.domain.documents.schema import DomainDocument
from sopforge.language.domain.documents.validation import validate
from sopforge.language.domain.documents.yaml_documents import read_document, refuse_no_text
from sopforge.language.domain.reading import read_domain


class ReadDepth(IntEnum):
    """What of a document is right; its faults are those of the next depth, and of no later one."""

    NOTHING = 0
    SYNTAX = 1
    SHAPE = 2
    DECLARATIONS = 3
    MODEL = 4


def measure_read_depth(text: str, source: str) -> ReadDepth:
    """Return how far a domain document can be read.

    >>> measure_read_depth("model: [", "domain.yaml").name
    'NOTHING'
    >>> measure_read_depth("model: {}", "domain.yaml").name
    'SYNTAX'
    """
    depth = ReadDepth.NOTHING
    try:
        document = read_document(text, source)
        refuse_no_text(document)
        depth = ReadDepth.SYNTAX
        validate(document, DomainDocument)
        depth = ReadDepth.SHAPE
        read_domain(text, source)
    except DeclarationError:
        return depth
    except MaterialError:
        return ReadDepth.DECLARATIONS if depth is ReadDepth.SHAPE else depth
    return ReadDepth.MODEL
