"""Implements the command line, one file per command; each imports heavy libraries only when run."""

import signal
import sys
import time

EXIT_INTERRUPTED = 130
_INTERRUPTED = "\nInterrupted.\n"


def main() -> None:
    """Run the ``sopforge`` command as a process of its own, which ends with it.

    Within a program, call ``sopforge.cli.app.main``.
    """
    # On a busy machine, it takes seconds to read the command line in.
    began = time.monotonic()
    try:
        # Imported here: Ctrl-C comes at any time, also while the command line is still read in.
        from sopforge.cli.app import main as run

        run(began)
    except KeyboardInterrupt:
        sys.stderr.write(_INTERRUPTED)
        sys.exit(EXIT_INTERRUPTED)
    except SystemExit as ended:
        # Typer ends a command that Ctrl-C reached without a word.
        if isinstance(getattr(ended.__context__, "__cause__", None), KeyboardInterrupt):
            sys.stderr.write(_INTERRUPTED)
        raise
    finally:
        # All is done and said: there is nothing left to interrupt.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
