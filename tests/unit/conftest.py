"""What many tests begin with."""

from pathlib import Path

import pytest

from sopforge.store.opening import open_store
from sopforge.store.versions import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Return an empty store in the test's own folder."""
    return open_store(tmp_path)
