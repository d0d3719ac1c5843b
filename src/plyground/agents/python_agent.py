"""Agents of other packages: by import path, `my_package.module:MyAgent`, or by name.

An installed package adds names through the entry-point group `plyground.agents`. Options follow
after a colon: `my_package.module:MyAgent:depth=3`, `my-agent:depth=3`. Both run code, so hosts make
such agents only from what the user writes, never from a record or a message.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
from importlib import import_module

from plyground.agents.base import Agent
from plyground.errors import ConfigError
from plyground.games.base import AnyGame

ENTRY_POINTS = "plyground.agents"
_PATH = re.compile(r"(?P<module>[A-Za-z_]\w*(\.\w+)*):(?P<name>[A-Za-z_]\w*)(:(?P<options>.+))?")


def installed_agents() -> dict[str, str]:
    """The agents of installed packages: import paths by name."""
    from importlib.metadata import entry_points  # slow to import

    return {entry.name: entry.value for entry in entry_points(group=ENTRY_POINTS)}


def is_python_agent(spec: str) -> bool:
    """Whether a string is an import path, or begins with the name of an installed agent.

    >>> is_python_agent("my_package.module:MyAgent"), is_python_agent("engine:time=1")
    (True, False)
    """
    return _PATH.fullmatch(spec) is not None or spec.partition(":")[0] in installed_agents()


def make_python_agent(spec: str, game: AnyGame) -> Agent:
    """Import the class that a string names, and create the agent."""
    path = spec
    options: dict[str, object] = {}
    name, _, rest = spec.partition(":")
    installed = installed_agents()
    if name in installed:
        path, options = installed[name], _options(spec, rest)
    elif (match := _PATH.fullmatch(spec)) is not None:
        path, options = f"{match['module']}:{match['name']}", _options(spec, match["options"] or "")
    found = _load(path)
    try:
        if "game" in inspect.signature(found).parameters:
            options.setdefault("game", game)
        return found(**options)
    except ConfigError:
        raise
    except Exception as error:  # another package may raise anything
        reason = f"{type(error).__name__}: {error}"
        raise ConfigError(f"cannot create the agent {spec!r}: {reason}") from error


def _load(path: str) -> type[Agent]:
    module, _, name = path.partition(":")
    try:
        found: object = getattr(_import(module), name)
    except AttributeError:
        raise ConfigError(f"cannot find {name!r} in the module {module!r}") from None
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise ConfigError(f"cannot import the agent {path!r}: {reason}") from error
    if not (isinstance(found, type) and issubclass(found, Agent)):
        raise ConfigError(f"expected a subclass of plyground.agents.Agent in {path!r}")
    return found


def _import(module: str) -> object:
    """Import a module, from the current folder if it is nowhere else."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        here = os.getcwd()  # noqa: PTH109  sys.path has strings
        if error.name != module.partition(".")[0] or here in sys.path:
            raise
        sys.path.append(here)
        return import_module(module)


def _options(spec: str, text: str) -> dict[str, object]:
    options: dict[str, object] = {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not key.isidentifier():
            raise ConfigError(f"expected 'option=value' in the agent {spec!r}, got {part!r}")
        if key in options:
            raise ConfigError(f"the option {key!r} is given twice in the agent {spec!r}")
        options[key] = _value(value)
    return options


def _value(text: str) -> object:
    """A whole number, a number, true or false, or else the text."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
