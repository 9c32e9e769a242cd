from io import BytesIO
from pathlib import Path

from pyarrow import Table

class ParquetFile:
    schema: object
    def __init__(self, source: BytesIO) -> None: ...

def read_table(source: BytesIO | Path) -> Table: ...
def write_table(
    table: Table,
    where: BytesIO,
    row_group_size: int = ...,
    version: str = ...,
    compression: str = ...,
    compression_level: int = ...,
    data_page_version: str = ...,
    *,
    store_schema: bool = ...,
) -> None: ...
