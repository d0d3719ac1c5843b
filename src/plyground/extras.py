"""Packages that plyground can do without, and the extra that installs each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from plyground.errors import ConfigError

EXTRAS = {
    "gymnasium": "env",
    "matplotlib": "plot",
    "onnx": "train",
    "onnxruntime": "onnx",
    "pandas": "data",
    "pettingzoo": "env",
    "pyarrow": "data",
    "pygame": "window",
    "ray": "ray",
    "starlette": "web",
    "tensorboard": "tensorboard",
    "torch": "train",
    "uvicorn": "web",
    "websockets": "web",
}
"""The extra of each package, by the name it is imported by."""


class MissingExtraError(ConfigError, ImportError):
    """A package is missing that one of plyground's extras installs."""

    def __init__(self, message: str, name: str) -> None:
        super().__init__(message)
        self.name = name


@contextmanager
def needs_extra(need: str) -> Iterator[None]:
    """Say which extra to install if an import in this block fails.

    `need` begins the message: `with needs_extra("plots need matplotlib"): import matplotlib`.
    """
    try:
        yield
    except ImportError as error:
        package = _optional_package(error)
        if package is None:
            raise
        raise MissingExtraError(f"{need}: {install_command(package)}", package) from error


def missing_extra(name: str, error: ImportError) -> ImportError:
    """The error to raise if a name of plyground needs a missing package; other errors unchanged.

    >>> missing_extra("plyground.nets.PathNet", ModuleNotFoundError(name="torch")).args[0]
    "plyground.nets.PathNet needs torch: pip install 'plyground[train]'"
    """
    package = _optional_package(error)
    if package is None:
        return error
    return MissingExtraError(f"{name} needs {package}: {install_command(package)}", package)


def _optional_package(error: ImportError) -> str | None:
    """The optional package that could not be imported; None if the error is about another."""
    package = (error.name or "").partition(".")[0]
    return None if isinstance(error, MissingExtraError) or package not in EXTRAS else package


def install_command(package: str) -> str:
    """The command that installs an optional package.

    >>> install_command("torch"), install_command("onnxruntime")
    ("pip install 'plyground[train]'", "pip install 'plyground[onnx]'")
    """
    return f"pip install 'plyground[{EXTRAS[package]}]'"
