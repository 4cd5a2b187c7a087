"""`python -m benches`: see benches/README.md."""

import sys

from .python.cli import main

if __name__ == "__main__":
    sys.exit(main())
