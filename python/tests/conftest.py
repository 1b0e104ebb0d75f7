"""What the tests share."""

import json
import os
import pathlib
from collections.abc import Callable

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture(scope="session", autouse=True)
def cache_folder(tmp_path_factory) -> pathlib.Path:
    """Where compiled recurrences go, instead of the user's."""
    folder = tmp_path_factory.mktemp("cache")
    os.environ["XDG_CACHE_HOME"] = str(folder)
    return folder / "warpfold"


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(1)


@pytest.fixture(scope="session")
def command() -> str:
    """The built command line, whose results are to have the same bits."""
    path = os.environ.get("WARPFOLD_BINARY", str(ROOT / "build/release/bin/warpfold"))
    if not os.path.exists(path):
        pytest.skip("the command line is not built")
    return path


@pytest.fixture
def headings() -> Callable[[str], np.ndarray]:
    """The directions of an outline's sides, from the x axis, in radians."""

    def of(name: str) -> np.ndarray:
        path = ROOT / "examples" / f"{name}.geojson"
        if not path.is_file():
            pytest.skip(f"no {path.name}")
        sides = np.diff(np.array(json.loads(path.read_text())["geometry"]["coordinates"][0]), axis=0)
        return np.arctan2(sides[:, 1], sides[:, 0])

    return of
