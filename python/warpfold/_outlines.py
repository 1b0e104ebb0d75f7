"""Geometries of other libraries as text."""

from __future__ import annotations

import json
from typing import Any


def geojson_text(name: str, geometry: Any) -> str:
    """The GeoJSON of a dictionary, or of an object that has __geo_interface__, such as those of shapely."""
    try:
        return json.dumps(getattr(geometry, "__geo_interface__", geometry), default=_plain)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name} is no GeoJSON: {error}") from None


def _plain(value: Any) -> Any:
    """NumPy's arrays and numbers as Python's own."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"an object of type {type(value).__name__} is in it")
