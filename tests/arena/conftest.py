"""The scripted players have to be found by worker processes, which look where this one looks."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
