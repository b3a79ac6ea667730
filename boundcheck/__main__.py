"""Entry point. Signals are watched before anything that takes time is imported."""

from __future__ import annotations

import gc
import sys

from boundcheck.boundary.interruption import INTERRUPTED, WATCH

YOUNG = 250_000  # objects; a short command makes fewer, and most of them live as long as it does


def main() -> None:
    """Run the command line."""
    WATCH.watch()
    gc.set_threshold(YOUNG)
    try:
        from boundcheck.cli import main as run

        run()
    except KeyboardInterrupt:  # before the command line could say so itself
        WATCH.over()
        print("boundcheck: stopped", file=sys.stderr)
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
