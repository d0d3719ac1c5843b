"""The helpers beside the tests have to be found, also by processes that tests start."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
