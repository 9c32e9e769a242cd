"""croissant.json: the package described as machines that collect data sets read it (MLCommons)."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256

from sopforge.artifacts.packaging.canary import describe_canary
from sopforge.artifacts.packaging.licences import LICENCES, format_holders
from sopforge.artifacts.packaging.release import Release
from sopforge.language.english.prose.purpose import describe_purpose

CONFORMS_TO = "http://mlcommons.org/croissant/1.0"
_CROISSANT = (
    *("citeAs", "column", "equivalentProperty", "extract", "field", "fileProperty", "fileObject"),
    *("fileSet", "format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField"),
    *("path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate"),
    *("separator", "source", "subField", "transform"),
)
CONTEXT: dict[str, object] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{name: f"cr:{name}" for name in _CROISSANT},
}
_MEDIA = {
    "csv": "text/csv",
    "json": "application/json",
    "jsonl": "application/jsonlines",
    "md": "text/markdown",
    "parquet": "application/x-parquet",
    "py": "text/x-python",
    "txt": "text/plain",
    "yaml": "application/yaml",
}
# From the narrowest on, for each whole number is a decimal too. Zeros in front are excluded: read
# as a number, the identifier 007 would come back as 7.
_SHAPES = (
    ("sc:Integer", re.compile(r"-?(0|[1-9]\d*)", re.ASCII)),
    ("sc:Float", re.compile(r"-?(0|[1-9]\d*)(\.\d+)?", re.ASCII)),
    ("sc:Date", re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)),
)


def render_croissant(
    release: Release, files: Mapping[str, str | bytes], tables: Sequence[str]
) -> str:
    """Return the description of the files; each of the tables, CSV files, is a set of records.

    Nothing in it comes from the clock: the date of publishing is the one that the brief states.
    """
    model, terms = release.model, release.terms
    described: dict[str, object] = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": release.name,
        "description": f"{model.title}. {describe_purpose(model)}\n\n{describe_canary(release)}",
        "version": release.version,
        "license": LICENCES[terms.licence].url,
        "creator": [{"@type": "sc:Organization", "name": format_holders(release)}],
        "citeAs": render_citation(release),
        "inLanguage": "en",
        "isLiveDataset": False,
        "keywords": ["agents", "standard operating procedures", "tool use", "synthetic data"],
        **({"datePublished": terms.released} if terms.released else {}),
        "distribution": [
            _build_file_object(name, content) for name, content in sorted(files.items())
        ],
        "recordSet": [_build_record_set(release, name, str(files[name])) for name in tables],
    }
    return json.dumps(described, indent=2, ensure_ascii=False) + "\n"


def render_citation(release: Release) -> str:
    """Return the BibTeX entry of a release."""
    authors = " and ".join(release.terms.authors) or f"{{The authors of {release.name}}}"
    year = f"\n  year = {{{release.terms.released[:4]}}}," if release.terms.released else ""
    return (
        f"@misc{{{release.name},\n  title = {{{release.model.title}: a benchmark domain for"
        f" agents}},\n  author = {{{authors}}},{year}\n  note = {{Version {release.version}}}\n}}"
    )


def _build_file_object(name: str, content: str | bytes) -> dict[str, object]:
    data = content.encode() if isinstance(content, str) else content
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "contentSize": f"{len(data)} B",
        "encodingFormat": _MEDIA.get(name.rpartition(".")[2], "application/octet-stream"),
        "sha256": sha256(data).hexdigest(),
    }


def _build_record_set(release: Release, table: str, text: str) -> dict[str, object]:
    header, *rows = csv.reader(io.StringIO(text))
    stem = table.removesuffix(".csv")
    return {
        "@type": "cr:RecordSet",
        "@id": stem,
        "name": stem,
        "key": {"@id": f"{stem}/{header[0]}"},
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{stem}/{name}",
                "name": name,
                "description": _describe_column(release, name),
                "dataType": _choose_data_type([row[place] for row in rows]),
                "source": {"fileObject": {"@id": table}, "extract": {"column": name}},
            }
            for place, name in enumerate(header)
        ],
    }


def _describe_column(release: Release, name: str) -> str:
    item = release.model.fields.get(name)
    return item.description if item else "identifier of the task"


def _choose_data_type(cells: Sequence[str]) -> str:
    """Return the type as which all cells of a column can be read without loss."""
    fitting = (kind for kind, shape in _SHAPES if cells and all(map(shape.fullmatch, cells)))
    return next(fitting, "sc:Text")
