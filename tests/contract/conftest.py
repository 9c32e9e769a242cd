"""An S3 service on loopback, which speaks HTTP as the real one does."""

from __future__ import annotations

from tests.servers.s3_fixtures import s3, service

__all__ = ["s3", "service"]
