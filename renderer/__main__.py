"""`python -m renderer` is the same program as `citepage`."""

from __future__ import annotations

import sys

from renderer.cli import main

if __name__ == "__main__":
    sys.exit(main())
