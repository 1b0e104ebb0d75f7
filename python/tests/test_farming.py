"""The examples that farm many small problems out, each where its library is."""

import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT

import warpfold


@pytest.mark.parametrize("library", ["dask.distributed", "ray"])
def test_a_farm_gives_what_one_process_does(library):
    pytest.importorskip(library)
    program = ROOT / "python/examples" / f"farm_{library.split('.')[0]}.py"
    ran = subprocess.run([sys.executable, str(program), "300"], check=True, capture_output=True, text=True, timeout=300)
    weights = [np.random.default_rng(seed).random((100, 40, 40)) for seed in range(3)]
    mean = warpfold.triangulate(np.concatenate(weights)).costs.mean()
    assert f"300 triangulations, mean cost {mean:.6f}" in ran.stdout
