"""warpfold.mpi by the ranks of mpirun, in a build with MPI and where mpi4py is: `mpirun -n 2 python -m pytest test_mpi.py`.
In others it says what is missing."""

import numpy as np
import pytest

import warpfold
from warpfold import mpi

HAS_MPI = mpi.has_mpi()


@pytest.fixture
def world():
    if not HAS_MPI:
        pytest.skip("this build has no MPI")
    return pytest.importorskip("mpi4py.MPI").COMM_WORLD


@pytest.mark.skipif(HAS_MPI, reason="this build has MPI")
def test_a_build_without_mpi_says_so(rng):
    square = rng.random((3, 3))
    for solve in (lambda: mpi.matmul(square, square, comm=0), lambda: mpi.shortest_paths(square, comm=0),
                  lambda: mpi.triangulate(square, comm=0)):
        with pytest.raises(ValueError, match="this build has no MPI"):
            solve()


@pytest.mark.parametrize("dtype", ["int16", "int64", "float32", "float64"])
def test_products_are_those_of_one_process(rng, world, dtype):
    a, b = rng.integers(0, 9, (50, 30)).astype(dtype), rng.integers(0, 9, (30, 70)).astype(dtype)
    expected = warpfold.matmul(a, b, return_argmin=True)
    values, argmin = mpi.matmul(a, b, comm=world, return_argmin=True, threads=1)
    assert np.array_equal(values, expected[0]) and values.dtype == dtype
    assert np.array_equal(argmin, expected[1])
    assert np.array_equal(mpi.matmul(a > 4, b > 4, semiring="or-and"), warpfold.matmul(a > 4, b > 4, semiring="or-and"))


def test_paths_are_those_of_one_process(rng, world):
    graph = np.where(rng.random((150, 150)) < 0.1, rng.random((150, 150)), np.inf)
    expected = warpfold.shortest_paths(graph, return_predecessors=True)
    lengths, before = mpi.shortest_paths(graph, comm=world, return_predecessors=True)
    assert np.array_equal(lengths, expected[0])
    assert np.array_equal(before, expected[1])


def test_triangulations_are_those_of_one_process(rng, world):
    weights = rng.random((200, 200))
    expected, found = warpfold.triangulate(weights), mpi.triangulate(weights, comm=world)
    assert found.cost == expected.cost
    assert np.array_equal(found.triangles, expected.triangles)


def test_a_part_of_the_ranks_solves_by_itself(rng, world):
    square = rng.random((40, 40))
    half = world.Split(world.rank % 2, world.rank)
    assert np.array_equal(mpi.matmul(square, square, comm=half), warpfold.matmul(square, square))


def test_all_raise_what_one_refuses(rng, world):
    square = rng.random((40, 40))
    with pytest.raises(ValueError, match="algorithm 'fastest'"):
        mpi.matmul(square, square, comm=world, algorithm="fastest" if world.rank == 0 else "")
    with pytest.raises(TypeError, match="a communicator of mpi4py is accepted"):
        mpi.matmul(square, square, comm="world")
    with pytest.raises(ValueError, match="ranks share one product"):
        mpi.matmul(np.stack([square, square]), square, comm=world)
    with pytest.raises(ValueError, match="one matrix"):
        mpi.triangulate(square[:, :7], comm=world)


def test_a_solve_that_tells_its_progress_runs_in_a_thread_of_its_own(rng, world):
    square, told = rng.random((200, 200)), []
    found = mpi.matmul(square, square, comm=world, progress=lambda done, total: told.append((done, total)))
    assert np.array_equal(found, warpfold.matmul(square, square))
    assert told and told[-1][0] == told[-1][1]
