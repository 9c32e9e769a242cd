"""Records a run: ``python -m tests.recordings.record FOLDER STORE``, with a model at hand.

The model is the one that the folder's brief names, reached as its provider always is. What is on
record already is not asked again, so that after a change of a template only its questions are;
answers that the run did not need are dropped. A store that was begun goes on.
"""

from __future__ import annotations

import sys
from pathlib import Path

from sopforge.errors import SopForgeError
from tests.recordings.playing import keep, play, put_back


def main(folder: Path, store: Path) -> None:
    """Play a run with its model, and keep the answers, also where it ends early."""
    put_back(folder, store)
    try:
        played = play(folder, store, is_replay_only=False)
        sys.stdout.write(f"{played.progress.ending}: {played.progress.version.place}\n")
    except SopForgeError as error:
        sys.stdout.write(f"ended: {error}\n")
    sys.stdout.write(f"{keep(store, folder)} answers kept\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
