"""Rows for the control paths that the tasks are to take: all of them, some, or none for their sake.

Where the brief does not say which, it is all paths that cases can take, if they are at most half of
the tasks. Their rows then stand where so many tasks end, whatever the number of tasks is, so that
more tasks only append.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sopforge.errors import Fault, MaterialError
from sopforge.language.domain.documents.schema import DatasetDocument
from sopforge.language.domain.model import DomainModel
from sopforge.progress.tracking import track
from sopforge.proof.dataset.coverage.covering import Covering
from sopforge.proof.dataset.coverage.goal_rows import POOL, POOL_FIRST, Row
from sopforge.proof.dataset.sampling.candidates import Candidate
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.dataset.sampling.screening import Path, screen_rows
from sopforge.proof.solving.paths import ControlPath, ControlPaths, Nodes, find_paths
from sopforge.proof.solving.unfolded_places import TooManyStepsError
from sopforge.proof.solving.unfolding import Unfolded, unfold
from sopforge.seeds import draw

ALL = "all"
EDGE_PAIRS = "edge-pairs"
MOST_PATHS = 20_000
PATH_POOL = 1 << 16
TRIED = 3


@dataclass(slots=True)
class PathCovering:
    """What is known of the control paths, those that tasks must take, and rows for their sake.

    ``place`` is where the rows stand among the tasks. ``unshown`` are paths for which no row could
    be made.
    """

    known: ControlPaths
    asked: tuple[ControlPath, ...] = ()
    place: int = 0
    tasks: list[Candidate] = field(default_factory=list)
    unshown: list[ControlPath] = field(default_factory=list)

    def build_report(self, taken: Container[Nodes]) -> dict[str, object]:
        """Return what is known of the paths beside those that tasks take, for coverage.json.

        A path that no case takes is reported by its beginning, up to the edge that none enters.
        """
        known, asked = self.known, {path.nodes for path in self.asked}
        left = [path.id for path in known.feasible if path.nodes not in taken]
        return {
            "asked_for": "all paths" if self.asks_for_all else f"{len(asked)} paths and edge pairs",
            "feasible": len(known.feasible) if known.is_whole else None,
            "infeasible": [f"{path.id}: no case (proved)" for path in known.infeasible],
            "undecided": [path.id for path in (*known.undecided, *self.unshown)],
            "not_asked_for": left,
        }

    @property
    def asks_for_all(self) -> bool:
        """Whether each path that cases can take is to have a task."""
        return self.known.is_whole and len(self.asked) == len(self.known.feasible)


def cover_paths(model: DomainModel, asked: DatasetDocument, covering: Covering) -> PathCovering:
    """Return the rows for the control paths that the brief asks for.

    Raises:
        MaterialError: all paths are asked for, and they are more than can be tasks.
    """
    wanted = asked.coverage.paths
    try:
        places = unfold(model)
    except TooManyStepsError:
        return PathCovering(ControlPaths(is_whole=False))
    if wanted == EDGE_PAIRS or not covering.rows.pool:
        return PathCovering(ControlPaths(is_whole=False))
    return _PathCoverer(model, asked, covering, places).cover()


@dataclass(slots=True)
class _PathCoverer:
    model: DomainModel
    asked: DatasetDocument
    covering: Covering
    places: Sequence[Unfolded]

    def cover(self) -> PathCovering:
        count, wanted = self.asked.n_samples, self.asked.coverage.paths
        drawn = self.draw_path_numbers()
        # Where the brief is silent, more paths than tasks are not asked for: no need to list them.
        most = count if wanted is None else MOST_PATHS
        known = find_paths(self.model, self.places, drawn, most)
        if wanted is None and not known.is_whole:
            return PathCovering(known)
        if wanted == ALL and not known.is_whole:
            raise MaterialError(_make_too_many_paths_fault())
        paths = known.feasible
        if isinstance(wanted, int):
            # By a number of their own, so that to ask for more paths keeps those before.
            paths = sorted(paths, key=lambda path: draw(self.asked.seed, "path", path.id))[:wanted]
        met = {tuple(task.walk.path) for task in self.covering.tasks}
        open_ = [path for path in paths if path.nodes not in met]
        first = len(self.covering.tasks)
        if wanted is None:
            is_asked = 2 * len(paths) <= count
            # So they end where the least dataset that asks for all paths ends.
            place = max(first, 2 * len(paths) - len(open_))
            done = PathCovering(known, tuple(paths) if is_asked else (), place)
        else:
            done = PathCovering(known, tuple(paths), first)
            if first + len(open_) > count:
                raise MaterialError(_make_too_few_tasks_fault(count, first, len(open_)))
        if done.place < count:
            self.add(open_, drawn, done)
        return done

    def draw_path_numbers(self) -> dict[Path, list[int]]:
        """Return the numbers of some drawn rows of each path that such take."""
        first = POOL_FIRST + POOL
        found = screen_rows(self.model, self.asked.seed, range(first, first + PATH_POOL))
        numbers: defaultdict[Path, list[int]] = defaultdict(list)
        for number, path in found.paths.items():
            if len(numbers[path]) < TRIED:
                numbers[path].append(number)
        return dict(numbers)

    def add(
        self, paths: Iterable[ControlPath], drawn: Mapping[Path, list[int]], done: PathCovering
    ) -> None:
        open_ = list(paths)
        rows = self.draw_rows([number for path in open_ for number in drawn.get(path.nodes, ())])
        for path in track(open_, "paths given a task"):
            showing = [rows[number] for number in drawn.get(path.nodes, ())]
            picked = self.covering.rows.pick(showing)
            found = self.covering.rows.find(f"path {path.id}", path.condition, picked)
            if isinstance(found, Candidate):
                done.tasks.append(found)
            else:
                done.unshown.append(path)

    def draw_rows(self, numbers: Sequence[int]) -> dict[int, Row]:
        drawn = sample_rows(self.model, self.asked.seed, numbers)
        return dict(zip(numbers, drawn, strict=True))


def _make_too_many_paths_fault() -> Fault:
    message = f"cases can take more than {MOST_PATHS} paths, too many to have a task each"
    hint = "ask for edge-pairs, or for a number of paths"
    return Fault("too-many-paths", message, "dataset.coverage.paths", hint)


def _make_too_few_tasks_fault(count: int, of_goals: int, of_paths: int) -> Fault:
    """Return the fault that so many tasks cannot take all paths asked for beside the goals."""
    needed = of_goals + of_paths
    message = (
        f"{count} tasks were asked for, but the goals need {of_goals} and the paths under"
        f" coverage.paths {of_paths} more: {needed}"
    )
    fewer = "or ask for fewer paths: coverage: {paths: edge-pairs}"
    hint = f"write n_samples: {needed} or more, {fewer}"
    return Fault("n-samples-too-small", message, "dataset.n_samples", hint)
