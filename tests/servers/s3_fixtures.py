"""Fixtures of an S3 service, for the tests of more than one folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.servers.s3_service import KEYS, S3Service, s3_service


@pytest.fixture(scope="module")
def service() -> Iterator[S3Service]:
    """Return an S3 service with a bucket 'sops', which can be made to fail."""
    with pytest.MonkeyPatch.context() as patch, s3_service() as running:
        for name, value in KEYS.items():
            patch.setenv(name, value)
        patch.delenv("AWS_PROFILE", raising=False)
        yield running


@pytest.fixture
def s3(service: S3Service) -> str:
    """Return the address of the service, which is well again for each test."""
    service.disturb = lambda asked: None  # noqa: ARG005 - of whatever is asked
    service.delay = 0.0
    return service.url
