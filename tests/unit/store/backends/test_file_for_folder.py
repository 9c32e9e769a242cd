"""A file in the place of a folder of the store is reported, and nobody waits for it to go away."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.errors import StoreError
from sopforge.store.backends.folder import FolderObjects


def test_a_file_where_a_folder_must_stand_is_no_entry_of_somebody_else(tmp_path: Path) -> None:
    (tmp_path / "decisions").write_text("", encoding="utf-8")

    with pytest.raises(StoreError, match="store-unusable"):
        FolderObjects(tmp_path).create("decisions/000001.json", b"{}")
