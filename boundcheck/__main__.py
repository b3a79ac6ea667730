"""Entry point. Signals are watched before anything that takes time is imported."""

from __future__ import annotations

import sys

from boundcheck.boundary.interruption import INTERRUPTED, WATCH


def main() -> None:
    """Run the command line."""
    WATCH.watch()
    try:
        from boundcheck.cli import main as run

        run()
    except KeyboardInterrupt:  # before the command line could say so itself
        WATCH.over()
        print("boundcheck: stopped", file=sys.stderr)
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
