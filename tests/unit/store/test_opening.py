from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.errors import MaterialError, SopForgeError
from sopforge.store.opening import open_store


@pytest.mark.parametrize("place", ["", "a\0b", "gs://x", "s3://"])
def test_what_is_no_place_is_refused(place: str) -> None:
    with pytest.raises(MaterialError) as caught:
        open_store(place)
    assert caught.value.faults[0].code == "store-place"


@pytest.mark.parametrize("inside", ["", "/deep/in"])
def test_a_file_is_no_store(inside: str, tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")
    with pytest.raises(SopForgeError) as caught:
        open_store(f"{tmp_path / 'notes'}{inside}")
    assert caught.value.faults[0].message == f"'{tmp_path / 'notes'}' is a file"
