"""Zygotes that several tests fork from."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sopforge.sandbox.zygotes import Zygote


@pytest.fixture(scope="session")
def bare() -> Iterator[Zygote]:
    """Return one without bubblewrap, wherever that is installed."""
    with Zygote(0) as made:
        yield made
