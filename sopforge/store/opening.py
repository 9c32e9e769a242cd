"""Opening a store by the place that a person names: a folder, or ``s3://BUCKET/PREFIX``.

Every command opens its store here, so that none reads or writes one in another format.
"""

from __future__ import annotations

import re
from pathlib import Path

from sopforge.errors import Fault, MaterialError
from sopforge.store.backends.folder import FolderObjects
from sopforge.store.format import refuse_other
from sopforge.store.objects import Objects
from sopforge.store.places import S3
from sopforge.store.versions import Store

# As S3 itself has it, beside the long names of access points.
_BUCKET = re.compile(r"[a-zA-Z0-9._-]{1,255}|arn:aws.*")
_HINT = "name a folder, or s3://BUCKET/PREFIX"


def open_store(place: str | Path) -> Store:
    """Return the store in a place.

    Raises:
        MaterialError: the place names none.
        StoreError: it is in another format than this program's.
    """
    objects = open_objects(str(place))
    refuse_other(objects)
    return Store(objects)


def open_objects(place: str) -> Objects:
    """Return what a store in a place keeps its things in."""
    if place.startswith(S3):
        bucket, _, prefix = place.removeprefix(S3).partition("/")
        if not _BUCKET.fullmatch(bucket):
            hint = (
                "write s3://BUCKET, or s3://BUCKET/PREFIX; a bucket has letters, digits, - . and _"
            )
            raise MaterialError(Fault("store-place", f"'{place}' names no bucket", "--store", hint))
        # boto3 takes a fifth of a second to load, which only who keeps a store in a bucket waits.
        from sopforge.store.backends.bucket import BucketObjects  # noqa: PLC0415

        return BucketObjects(bucket, prefix.strip("/"))
    # A folder can have such a name, but whoever writes `gs://...` means no folder.
    if "://" in place:
        raise MaterialError(
            Fault("store-place", f"'{place}' is not a folder or an S3 address", "--store", _HINT)
        )
    return FolderObjects(_require_folder(place))


def _require_folder(place: str) -> Path:
    if not place or "\0" in place:
        raise MaterialError(Fault("store-place", f"{place!r} names no folder", "--store", _HINT))
    path = Path(place)
    for part in (path, *path.parents):
        if part.exists() and not part.is_dir():
            raise MaterialError(Fault("store-place", f"'{part}' is a file", "--store", _HINT))
    return path
