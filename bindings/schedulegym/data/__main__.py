"""The command ``python -m schedulegym.data``."""
import sys

from .command import main

sys.exit(main())
