"""Opening a store by the place that a person names: a folder, or ``s3://BUCKET/PREFIX``."""

from __future__ import annotations

from pathlib import Path

from sopforge.errors import Fault, MaterialError
from sopforge.store.folder import FolderObjects
from sopforge.store.objects import Objects
from sopforge.store.versions import Store

_S3 = "s3://"


def open_store(place: str | Path) -> Store:
    """Return the store in a place; raises ``MaterialError`` where the place names none."""
    return Store(objects_at(str(place)))


def objects_at(place: str) -> Objects:
    """Return what a store in a place keeps its things in."""
    if place.startswith(_S3):
        bucket, _, prefix = place.removeprefix(_S3).partition("/")
        if not bucket:
            hint = "write s3://BUCKET, or s3://BUCKET/PREFIX"
            raise MaterialError(Fault("store-place", f"'{place}' names no bucket", "--store", hint))
        # boto3 takes a fifth of a second to load, which only who keeps a store in a bucket waits.
        from sopforge.store.bucket import BucketObjects  # noqa: PLC0415

        return BucketObjects(bucket, prefix.strip("/"))
    if "://" in place:
        hint = "name a folder, or s3://BUCKET/PREFIX"
        raise MaterialError(Fault("store-place", f"'{place}' is no place", "--store", hint))
    return FolderObjects(Path(place))
