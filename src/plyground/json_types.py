"""Types of values that JSON can hold."""

from __future__ import annotations

from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""Any value that `json.loads` returns."""
JsonObject: TypeAlias = dict[str, Json]
"""A JSON object: values by name."""
