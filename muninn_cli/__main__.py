"""`python -m muninn_cli` is the command `muninn`."""

import sys

from muninn_cli.cli import main

sys.exit(main())
