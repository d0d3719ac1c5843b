"""Without an optional package, an error in one line names the extra that installs it."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from plyground.errors import ConfigError
from plyground.extras import EXTRAS, MissingExtraError, needs_extra

ROOT = Path(__file__).parents[2]
OTHER_NAMES = {"pygame": "pygame-ce"}
"""Packages that are installed by another name than they are imported by."""

# Each in a process in which no optional package can be imported, with the extra it must name.
USES = {
    "import plyground.envs": "env",
    "import plyground.nets.network": "train",
    "import plyground.ui.desktop": "window",
    "from plyground.figures import load_figure; load_figure()": "plot",
    "from plyground.frames import make_frame; make_frame([])": "data",
    "from plyground.data.table import load_pyarrow; load_pyarrow()": "data",
    "from plyground.cluster import load_ray; load_ray()": "ray",
    "from plyground.nets import OnnxEvaluator; OnnxEvaluator('x.onnx')": "onnx",
}
COMMANDS = {
    "train tiny": "train",
    "export x.pt --out x.onnx": "train",
    "web": "web",
    "serve http random": "web",
    "window": "window",
}
PROGRAM = """
import contextlib, io, json, sys
from plyground.extras import EXTRAS

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in EXTRAS:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
from plyground.cli.main import main

uses, commands = json.loads(sys.argv[1])
found = {}
for use in uses:
    try:
        exec(use)
    except ImportError as error:
        found[use] = str(error)
for command in commands:
    with contextlib.redirect_stderr(io.StringIO()) as errors:
        status = main(command.split())
    found[command] = f"{status} {errors.getvalue()}"
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def messages() -> dict[str, str]:
    """The message of each use and each command."""
    given = json.dumps([list(USES), list(COMMANDS)])
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, given], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("use", USES)
def test_an_import_names_the_extra(messages: dict[str, str], use: str) -> None:
    wanted = f"'plyground[{USES[use]}]'"
    assert messages[use].endswith(f": pip install {wanted}"), messages[use]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_names_the_extra(messages: dict[str, str], command: str) -> None:
    wanted = re.escape(f"pip install 'plyground[{COMMANDS[command]}]'")
    assert re.fullmatch(f"2 plyground: [^\n]+: {wanted}\n", messages[command])


def test_every_extra_is_one_of_the_package_and_brings_it() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for package, extra in EXTRAS.items():
        requirements = project["optional-dependencies"][extra]
        names = [re.split(r"[^\w.-]", text)[0] for text in requirements]
        assert OTHER_NAMES.get(package, package) in names


def test_other_failed_imports_are_left_as_they_are() -> None:
    expected = pytest.raises(ModuleNotFoundError, match="No module named 'no_such_module'")
    with expected, needs_extra("this needs torch"):
        import no_such_module  # type: ignore[import-not-found]  # noqa: F401


def test_the_error_is_both_a_failed_import_and_a_wrong_setting() -> None:
    with pytest.raises(MissingExtraError) as raised, needs_extra("plots need matplotlib"):
        raise ModuleNotFoundError("gone", name="matplotlib.figure")
    assert isinstance(raised.value, ImportError)
    assert isinstance(raised.value, ConfigError)
    assert raised.value.name == "matplotlib"
