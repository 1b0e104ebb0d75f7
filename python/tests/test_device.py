"""Arrays on a GPU: the bits of the CPU, on the caller's stream, as the caller's kind."""

import numpy as np
import pytest

import warpfold

if not warpfold.gpus():
    pytest.skip("no GPU", allow_module_level=True)


class Torch:
    def __init__(self):
        self.torch = pytest.importorskip("torch")

    def to(self, array):
        return self.torch.from_numpy(np.ascontiguousarray(array)).cuda()

    def back(self, array):
        return array.cpu().numpy()


class Cupy:
    def __init__(self):
        self.cupy = pytest.importorskip("cupy")

    def to(self, array):
        return self.cupy.asarray(array)

    def back(self, array):
        return self.cupy.asnumpy(array)


class Jax:
    def __init__(self):
        self.jax = pytest.importorskip("jax")
        self.jax.config.update("jax_enable_x64", True)
        if self.jax.default_backend() != "gpu":
            pytest.skip("JAX sees no GPU")

    def to(self, array):
        return self.jax.numpy.asarray(array)

    def back(self, array):
        return np.asarray(array)


@pytest.fixture(params=[Torch, Cupy, Jax])
def library(request):
    return request.param()


@pytest.mark.parametrize("semiring", ["min-plus", "max-plus", "min-max", "max-min"])
@pytest.mark.parametrize("dtype", ["int16", "int32", "int64", "float32", "float64"])
def test_a_product_has_the_bits_of_the_cpu(rng, library, dtype, semiring):
    a, b = rng.integers(-99, 99, (70, 130)).astype(dtype), rng.integers(-99, 99, (130, 50)).astype(dtype)
    values, argmin = warpfold.matmul(library.to(a), library.to(b), semiring=semiring, return_argmin=True)
    expected = warpfold.matmul(a, b, semiring=semiring, return_argmin=True, device="cpu")
    assert type(values) is type(library.to(a))
    assert np.array_equal(library.back(values), expected[0])
    assert np.array_equal(library.back(argmin).astype(np.uint32), expected[1])


def test_batches_steps_and_truth_are_multiplied(rng, library):
    a, b, truth = rng.random((3, 40, 50)), rng.random((50, 60)), rng.random((30, 30)) > 0.7
    expected = warpfold.matmul(a, b, device="cpu")
    assert np.array_equal(library.back(warpfold.matmul(library.to(a), library.to(b))), expected)
    turned = library.to(b.T).T
    assert np.array_equal(library.back(warpfold.matmul(library.to(a), turned)), expected)
    found = warpfold.matmul(library.to(truth), library.to(truth), semiring="or-and")
    assert np.array_equal(library.back(found), truth @ truth)


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("n", [3, 40, 64, 65, 300])
def test_a_triangulation_has_the_bits_of_the_cpu(rng, library, dtype, n):
    weights = rng.integers(0, 1000, (n, n)).astype(dtype)
    found, expected = warpfold.triangulate(library.to(weights)), warpfold.triangulate(weights, device="cpu")
    assert library.back(found.costs) == expected.cost
    assert np.array_equal(library.back(found.triangles).astype(np.uint32), expected.triangles)


def test_a_batch_of_triangulations_has_the_bits_of_the_cpu(rng, library):
    weights = rng.random((5, 2, 50, 50))
    found = warpfold.triangulate(library.to(weights))
    assert np.array_equal(library.back(found.costs), warpfold.triangulate(weights, device="cpu").costs)


def test_what_is_queued_on_the_callers_stream_comes_before(rng):
    torch = pytest.importorskip("torch")
    a, slow = torch.rand(1024, 1024, device="cuda"), torch.rand(8192, 8192, device="cuda")
    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(20):
            slow = slow @ slow * 1e-4
        found = warpfold.matmul(a + 1, a) * 2
    stream.synchronize()
    expected = warpfold.matmul((a + 1).cpu().numpy(), a.cpu().numpy(), device="cpu") * 2
    assert np.array_equal(found.cpu().numpy(), expected)


@pytest.mark.parametrize("semiring", ["min-plus", "max-plus"])
@pytest.mark.parametrize("shapes", [((4, 5), (5, 3)), ((2, 3, 4, 5), (5, 3)), ((4, 5), (2, 5, 3)), ((5,), (5, 3))])
def test_gradients_are_those_of_finite_differences(rng, semiring, shapes):
    torch = pytest.importorskip("torch")
    a, b = (torch.from_numpy(rng.random(shape)).cuda().requires_grad_() for shape in shapes)
    assert torch.autograd.gradcheck(lambda a, b: warpfold.matmul(a, b, semiring=semiring), (a, b), nondet_tol=1e-12)
    assert warpfold.matmul(a, b, semiring=semiring).device == a.device


def test_a_gradient_on_the_gpu_is_that_of_the_cpu(rng):
    torch = pytest.importorskip("torch")
    a, b = torch.from_numpy(rng.random((300, 200))).requires_grad_(), torch.from_numpy(rng.random((200, 100))).requires_grad_()
    on_gpu = [one.detach().cuda().requires_grad_() for one in (a, b)]
    warpfold.matmul(a, b).sum().backward()
    warpfold.matmul(*on_gpu).sum().backward()
    for one, other in zip((a, b), on_gpu):
        assert torch.equal(one.grad, other.grad.cpu())  # sums of ones


def test_options_that_mean_nothing_there_are_refused(library):
    a = library.to(np.eye(4))
    with pytest.raises(TypeError, match="threads"):
        warpfold.matmul(a, a, threads=3)
    with pytest.raises(ValueError, match="plus-times"):
        warpfold.matmul(a, a, semiring="plus-times")


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "int64"])
@pytest.mark.parametrize("n", [1000, 1 << 20])
def test_a_permutation_moves_arrays_where_they_are(rng, library, dtype, n):
    places = rng.permutation(n)
    values = rng.integers(0, 100, (2, n)).astype(dtype)
    permutation = warpfold.Permutation(places)
    moved = permutation.apply(library.to(values))
    assert type(moved) is type(library.to(values))
    assert np.array_equal(library.back(moved), permutation.apply(values))
    assert np.array_equal(library.back(permutation.apply(moved, inverse=True)), values)
