"""The SOP-Bench package layout, read as that benchmark's own loader reads it."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

from pydantic import BaseModel, Field, ValidationError

from sopforge.errors import Fault, PackageUnreadableError
from sopforge.untrusted.tables import refuse_large
from sopforge.untrusted.texts import read_any_text, read_text

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")
LARGEST = 16 * 1024**2
"""In bytes: a larger file is not handed to tools."""
Cell: TypeAlias = str | int | float | bool
"""A cell as pandas reads it by default; blanks and words such as ``None`` are a float NaN."""

Expected: TypeAlias = Cell | dict[str, Cell]
"""The truth of a task: the bare cell of one output column, or the cells of several by column."""

# In the order in which the benchmark looks for them.
TEST_SETS = ("test_set.csv", "test_set_with_outputs.csv")
UNPARSABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What Python's parser raises, the last two for what is nested too deeply."""
LEGACY_TRUTHS = ("expected_output", "final_decision")


@dataclass(frozen=True, slots=True)
class PeerTool:
    """A tool as its specification offers it; ``input_schema`` is a JSON Schema."""

    name: str
    description: str
    input_schema: dict[str, object]


@dataclass(frozen=True, slots=True)
class PeerTask:
    """One row of the test set; ``id`` is its position and ``inputs`` keep the CSV's order."""

    id: str
    inputs: dict[str, Cell]
    expected: Expected


@dataclass(frozen=True, slots=True)
class PeerPackage:
    """A package as agents and evaluator meet it.

    Both column tuples name what takes effect, not what the metadata lists. In legacy mode that
    is every column as input, the truth among them, and one output. ``manager_name`` is empty if
    the package was read without its tools.
    """

    name: str
    domain: str
    description: str
    sop: str
    toolspecs: tuple[PeerTool, ...]
    tasks: tuple[PeerTask, ...]
    input_columns: tuple[str, ...]
    output_columns: tuple[str, ...]
    manager_name: str
    num_tasks: int
    num_tools: int
    is_legacy: bool


class _Metadata(BaseModel):
    name: str = ""
    domain: str = ""
    description: str = ""
    num_tasks: int = 0
    num_tools: int = 0
    input_columns: list[str] = Field(default_factory=list)
    output_columns: list[str] = Field(default_factory=list)

    @property
    def is_legacy(self) -> bool:
        # One empty list is enough: the benchmark then shows the agent whole rows, the truth too.
        return not (self.input_columns and self.output_columns)


def read_package(folder: Path, *, with_tools: bool = True) -> PeerPackage:
    """Return the package in the folder; nothing in it is executed.

    Without tools, ``tools.py`` may be absent and is not looked at.

    Raises:
        PackageUnreadableError: the folder would not load. All missing files are named together.
    """
    _require_files(folder, with_tools=with_tools)
    metadata = _read_metadata(folder)
    toolspecs = _read_toolspecs(folder / "toolspecs.json")
    test_set = _find_test_set(folder)
    table = _read_table(test_set)
    outputs = _find_outputs(table, metadata, test_set)
    sop = _read_sop(folder / "sop.txt")
    manager = _read_manager(folder / "tools.py") if with_tools else ""
    return _Parts(metadata, sop, toolspecs, table, outputs, manager).build()


def survey_package(
    folder: Path, *, with_tools: bool = True
) -> tuple[PeerPackage, tuple[Fault, ...]]:
    """Return as much of a package as can be read, and all that keeps it from loading.

    What cannot be read is empty; of the output columns those are left that the table has.

    Raises:
        PackageUnreadableError: there is no table of tasks that can be read; it has all faults.
    """
    found = _Survey([])
    found.attempt(lambda: _require_files(folder, with_tools=with_tools), None)
    metadata = found.attempt(lambda: _read_metadata(folder), _Metadata(name=folder.name))
    test_set = next((folder / name for name in TEST_SETS if (folder / name).is_file()), None)
    table = found.attempt(lambda: _read_table(test_set), None) if test_set else None
    if table is None or test_set is None:
        raise PackageUnreadableError(*found.faults)
    nothing: tuple[PeerTool, ...] = ()
    files = {name: folder / name for name in ("sop.txt", "toolspecs.json", "tools.py")}
    has = {name: file.is_file() for name, file in files.items()}
    known = tuple(name for name in metadata.output_columns if name in table.columns)
    parts = _Parts(
        metadata,
        found.attempt(lambda: _read_sop(files["sop.txt"]), "") if has["sop.txt"] else "",
        found.attempt(lambda: _read_toolspecs(files["toolspecs.json"]), nothing)
        if has["toolspecs.json"]
        else nothing,
        table,
        found.attempt(lambda: _find_outputs(table, metadata, test_set), known),
        found.attempt(lambda: _read_manager(files["tools.py"]), "")
        if with_tools and has["tools.py"]
        else "",
    )
    return parts.build(), tuple(found.faults)


@dataclass(frozen=True, slots=True)
class _Survey:
    """Faults that were met so far."""

    faults: list[Fault]

    def attempt(self, read: Callable[[], T], otherwise: T) -> T:
        """Return what is read, or something else and keep why it cannot be."""
        try:
            return read()
        except PackageUnreadableError as cause:
            self.faults.extend(fault for fault in cause.faults if fault not in self.faults)
            return otherwise


def read_named_files(folder: Path, source: str) -> dict[str, bytes]:
    """Return the files beside the tools that their code names: no other is ever given to them."""
    found = [path for path in sorted(folder.iterdir()) if path.is_file()]
    return {
        path.name: path.read_bytes()
        for path in found
        if path.name in source and path.name != "tools.py"
        if path.stat().st_size <= LARGEST
    }


@dataclass(frozen=True, slots=True)
class _Parts:
    """The files of a package, read."""

    metadata: _Metadata
    sop: str
    toolspecs: tuple[PeerTool, ...]
    table: pd.DataFrame
    outputs: tuple[str, ...]
    manager: str

    def build(self) -> PeerPackage:
        """Return the package that they make."""
        metadata = self.metadata
        inputs = _find_inputs(self.table, metadata)
        return PeerPackage(
            name=metadata.name,
            domain=metadata.domain,
            description=metadata.description,
            sop=self.sop,
            toolspecs=self.toolspecs,
            tasks=tuple(_iterate_tasks(self.table, inputs, self.outputs)),
            input_columns=inputs,
            output_columns=self.outputs,
            manager_name=self.manager,
            num_tasks=metadata.num_tasks or len(self.table),
            num_tools=metadata.num_tools or len(self.toolspecs),
            is_legacy=metadata.is_legacy,
        )


def find_manager(source: str | bytes, where: str = "tools.py") -> str:
    """Return the name of the class that the benchmark would construct.

    Raises:
        PackageUnreadableError: the source is not Python, binds no such name, or binds several
            so that the alphabet would choose.
    """
    names = list_managers(source, where)
    if not names:
        raise _refuse(
            "manager-missing",
            "no name at module level ends in 'Manager'",
            where,
            "define one class such as 'ClaimsManager', without a leading underscore",
        )
    if len(names) > 1:
        raise _refuse(
            "manager-ambiguous",
            f"{len(names)} names end in 'Manager': {', '.join(names)}; the first would be taken",
            where,
            "leave one; import the others under a name that ends otherwise",
        )
    return names[0]


def list_managers(source: str | bytes, where: str = "tools.py") -> tuple[str, ...]:
    r"""Return the module's public names that end in ``Manager``, in the order of ``dir()``.

    A name bound in any branch counts, whether class, function, import or variable. Star imports,
    deletions and captures of a ``match`` are not followed.

    >>> list_managers("from depot import StockManager\nclass ClaimsManager: pass")
    ('ClaimsManager', 'StockManager')
    """
    try:
        found = [*_iterate_bound_names(ast.parse(source))]
    except UNPARSABLE as error:
        reason = str(error) or "it is nested too deeply"
        raise _refuse("tools-malformed", f"not Python: {reason}", where) from error
    names = {name for name in found if name.endswith("Manager")}
    return tuple(sorted(name for name in names if not name.startswith("_")))


def _iterate_bound_names(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in aliases)
        case ast.Name(id=name, ctx=ast.Store()):
            yield name
        case ast.AnnAssign(value=None) | ast.Lambda() | ast.comprehension():
            return  # none of these binds a name in the module
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _iterate_bound_names(child)


def _require_files(folder: Path, *, with_tools: bool) -> None:
    choices = [("sop.txt",), ("tools.py",), ("toolspecs.json",), TEST_SETS]
    if not with_tools:
        choices.remove(("tools.py",))
    faults = [
        Fault(
            "package-file-missing",
            f"no {' or '.join(names)}",
            str(folder),
            f"add {names[-1]} to the folder",
        )
        for names in choices
        if not any((folder / name).is_file() for name in names)
    ]
    if faults:
        raise PackageUnreadableError(*faults)


def _read_manager(file: Path) -> str:
    return find_manager(file.read_bytes(), str(file))


def _read_sop(file: Path) -> str:
    try:
        text = read_text(file)
    except UnicodeDecodeError:
        # As the benchmark reads it: to Latin-1 every byte is a letter, so that this never fails.
        text = file.read_text(encoding="latin-1")
    if not text.strip():
        raise _refuse("sop-empty", "the SOP has no text", str(file), "write the SOP into it")
    return text


def _read_metadata(folder: Path) -> _Metadata:
    file = folder / "metadata.json"
    if not file.is_file():
        # Only without metadata does the benchmark shorten the folder's name.
        return _Metadata(name=folder.name.replace("_sop", ""))
    try:
        metadata = _Metadata.model_validate(_read_json(file))
    except ValidationError as error:
        fields = [".".join(map(str, fault["loc"])) or "the document" for fault in error.errors()]
        raise _refuse(
            "metadata-malformed",
            f"wrong type: {', '.join(fields)}",
            str(file),
            "write an object; the column lists are arrays of text, the counts are integers",
        ) from error
    return metadata.model_copy(update={"name": metadata.name or folder.name})


def _read_toolspecs(file: Path) -> tuple[PeerTool, ...]:
    document = _read_json(file)
    if not isinstance(document, list):
        raise _refuse(
            "toolspecs-not-a-list",
            f"the document is of type {type(document).__name__}, not an array",
            str(file),
            "write an array of objects with the one key 'toolSpec'",
        )
    return tuple(_read_tool(item, f"{file}[{place}]") for place, item in enumerate(document))


def _read_tool(item: object, where: str) -> PeerTool:
    spec = _as_object(_as_object(item).get("toolSpec", item))
    name = spec.get("name")
    if not isinstance(name, str):
        raise _refuse(
            "toolspec-malformed",
            "no 'toolSpec' object with a 'name'",
            where,
            'write {"toolSpec": {"name": …, "description": …, "inputSchema": {"json": …}}}',
        )
    schema = _as_object(_as_object(spec.get("inputSchema")).get("json"))
    return PeerTool(name, str(spec.get("description", "")), schema)


def _as_object(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _read_json(file: Path) -> object:
    try:
        return cast("object", json.loads(read_text(file)))
    except (ValueError, RecursionError) as error:
        raise _refuse(
            "json-malformed", f"not JSON: {error}", str(file), "write it as JSON in UTF-8"
        ) from error


def _find_test_set(folder: Path) -> Path:
    return next(folder / name for name in TEST_SETS if (folder / name).is_file())


def _read_table(file: Path) -> pd.DataFrame:
    import pandas as pd  # noqa: PLC0415 - slow to import

    refuse_large(read_any_text(file), str(file))
    try:
        table = pd.read_csv(file)
    except ValueError as error:
        raise _refuse(
            "csv-malformed",
            f"not a table: {error}",
            str(file),
            "write a header and one line per task, in UTF-8",
        ) from error
    if table.empty:
        raise _refuse(
            "test-set-empty", "no line below the header", str(file), "write one line per task"
        )
    return table


def _find_outputs(table: pd.DataFrame, metadata: _Metadata, file: Path) -> tuple[str, ...]:
    missing = [name for name in metadata.output_columns if name not in table.columns]
    if missing:
        raise _refuse_columns(f"no output column {', '.join(map(repr, missing))}", table, file)
    if not metadata.is_legacy:
        return tuple(metadata.output_columns)
    truths = [name for name in LEGACY_TRUTHS if name in table.columns]
    if not truths:
        raise _refuse_columns(f"no column {' or '.join(map(repr, LEGACY_TRUTHS))}", table, file)
    return (truths[0],)


def _find_inputs(table: pd.DataFrame, metadata: _Metadata) -> tuple[str, ...]:
    columns = map(str, table.columns)
    if metadata.is_legacy:
        return tuple(columns)
    # As the benchmark has it, without a word: a column in both lists is an output alone, and an
    # input that the CSV lacks is not there.
    shown = set(metadata.input_columns) - set(metadata.output_columns)
    return tuple(name for name in columns if name in shown)


def _iterate_tasks(
    table: pd.DataFrame, inputs: Sequence[str], outputs: Sequence[str]
) -> Iterator[PeerTask]:
    for index, cells in table.iterrows():  # a row of numbers alone is made of one type
        row = cast("dict[str, Cell]", cells.to_dict())
        truth = {name: row[name] for name in outputs}
        # Of none, where the table lacks all columns that are declared, nothing is expected.
        expected = truth[outputs[0]] if len(outputs) == 1 else truth
        yield PeerTask(str(index), {name: row[name] for name in inputs}, expected)


def _refuse(code: str, message: str, where: str, hint: str = "") -> PackageUnreadableError:
    return PackageUnreadableError(Fault(code, message, where, hint))


def _refuse_columns(message: str, table: pd.DataFrame, file: Path) -> PackageUnreadableError:
    return _refuse(
        "output-column-missing",
        f"{message}; columns are {', '.join(map(str, table.columns))}",
        str(file),
        "name columns of the CSV under 'input_columns' and 'output_columns' in metadata.json",
    )
