"""Set up the virtual environment that the Makefile works in, one step a call.

    setup_env.py .venv tools          create it; install what building and running need
    setup_env.py .venv package        build the core and install plyground, editable
    setup_env.py .venv extra NAME     install what an extra of plyground needs

Requirements are read from pyproject.toml. A machine without a C++ compiler gets PyPI's ziglang,
behind scripts named c++, ar and ranlib in .venv/zig; the Makefile puts that folder last on
PATH. Anything else that is missing is one line that says what to install.
"""

import fcntl
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path
from typing import Any, NoReturn

CMAKE_AND_NINJA = ["cmake>=3.26", "ninja"]
ZIG = "ziglang==0.17.0"  # pinned: releases differ in the compiler flags they take

ZIG_TOOL = """\
#!/bin/sh
exec "{zig}" {name} "$@"
"""
# Left alone, zig compiles for this very processor, and spells x86-64-v3 in its own way.
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
    """Do one step, one process at a time: two makes may share a checkout."""
    venv, step, *names = sys.argv[1:]
    with Path(".venv.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if step == "tools":
            install_tools(Path(venv).absolute())
        elif step == "package":
            say("building plyground")
            pip(Path(venv), "--no-build-isolation", "--no-deps", "--editable", ".")
        else:
            say(f"installing the {names[0]} extra")
            pip(Path(venv), *read_pyproject()["project"]["optional-dependencies"][names[0]])


def install_tools(venv: Path) -> None:
    """Create the environment and install everything plyground needs, a compiler too."""
    check_python()
    create(venv)
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
    """Stop with one line if this Python cannot create environments or build extensions."""
    if not all(importlib.util.find_spec(name) for name in ("venv", "ensurepip")):
        stop("this Python has no venv module; on Debian or Ubuntu: apt install python3-venv")
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        stop("this Python has no Python.h; on Debian or Ubuntu: apt install python3-dev")


def create(venv: Path) -> None:
    """Create the environment, unless it is there and was made in this very folder.

    It and the build folders are full of absolute paths, so neither survives a move.
    """
    here = f"{Path.cwd()}\n"
    made_in = venv / "made-in"
    if made_in.exists() and made_in.read_text() == here:
        return
    say(f"creating {venv.name} with Python {sys.version.split()[0]}")
    shutil.rmtree("build", ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", "--clear", venv], check=True)
    made_in.write_text(here)


def has_compiler() -> bool:
    """Whether the compiler the Makefile chose is there, our own script not counted."""
    compiler = shutil.which(os.environ.get("CXX", "c++").split()[0])
    return compiler is not None and Path(compiler).parent.name != "zig"


def install_zig(venv: Path) -> None:
    """Install ziglang and the scripts that make it look like an ordinary compiler."""
    pip(venv, ZIG, otherwise="no C++ compiler; on Debian or Ubuntu: apt install g++")
    (zig,) = venv.glob("lib/python*/site-packages/ziglang/zig")
    scripts = venv / "zig"
    scripts.mkdir(exist_ok=True)
    for name, text in (("c++", ZIG_CXX), ("ar", ZIG_TOOL), ("ranlib", ZIG_TOOL)):
        script = scripts / name
        script.write_text(text.format(zig=zig, name=name))
        script.chmod(0o755)


def read_pyproject() -> dict[str, Any]:
    """Return pyproject.toml, the one place that lists requirements."""
    return tomllib.loads(Path("pyproject.toml").read_text())


def pip(venv: Path, *arguments: str, otherwise: str = "pip failed, see above") -> None:
    """Install with the environment's pip, or stop with one line after pip's own words."""
    command = [str(venv / "bin/python"), "-m", "pip", "install", "--quiet", *arguments]
    if subprocess.run(command, check=False).returncode != 0:
        stop(otherwise)


def say(text: str) -> None:
    """Tell what is happening, as a first set-up takes a minute."""
    print(f"set-up: {text}", file=sys.stderr, flush=True)


def stop(text: str) -> NoReturn:
    """End with one line."""
    sys.exit(f"set-up: {text}")


if __name__ == "__main__":
    main()
