"""All features of a position as planes of one array."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from plyground.envs.common import Features


def scalars_as_planes(features: Features) -> NDArray[np.float32]:
    """All features as one array [rows, columns, planes]; each scalar fills a plane."""
    spatial, scalars = features["spatial"], features["scalars"]
    planes = np.empty((*spatial.shape[1:], len(spatial) + len(scalars)), np.float32)
    planes[..., : len(spatial)] = np.moveaxis(spatial, 0, -1)
    planes[..., len(spatial) :] = scalars
    return planes


def planes_space(parts: Mapping[str, spaces.Box]) -> spaces.Box:
    """The space of `scalars_as_planes`."""
    planes, rows, columns = parts["spatial"].shape
    return spaces.Box(0, 1, (rows, columns, planes + parts["scalars"].shape[0]), np.float32)
