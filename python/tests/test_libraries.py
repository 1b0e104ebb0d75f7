"""Arrays of torch and JAX in the host's memory, and torch's gradients; each where its library is."""

import numpy as np
import pytest

import warpfold


@pytest.fixture
def torch():
    return pytest.importorskip("torch")


@pytest.fixture
def jax():
    return pytest.importorskip("jax")


def test_tensors_go_in_and_come_out(rng, torch):
    a, b = rng.random((3, 20, 30)), rng.random((30, 10))
    values, argmin = warpfold.matmul(torch.from_dlpack(a), torch.from_dlpack(b), return_argmin=True)
    expected = warpfold.matmul(a, b, return_argmin=True)
    assert isinstance(values, torch.Tensor) and argmin.dtype == torch.int32
    assert np.array_equal(np.from_dlpack(values), expected[0])
    assert np.array_equal(np.from_dlpack(argmin).view(np.uint32), expected[1])
    assert warpfold.triangulate(torch.from_dlpack(a[0, :, :20].copy())).cost == warpfold.triangulate(a[0, :, :20]).cost


@pytest.mark.parametrize("semiring", ["min-plus", "max-plus"])
@pytest.mark.parametrize("shapes", [((4, 5), (5, 3)), ((2, 3, 4, 5), (5, 3)), ((4, 5), (2, 5, 3)), ((5,), (5, 3)), ((4, 5), (5,)), ((5,), (5,))])
def test_gradients_are_those_of_finite_differences(rng, torch, semiring, shapes):
    a, b = (torch.from_dlpack(rng.random(shape)).requires_grad_() for shape in shapes)
    assert torch.autograd.gradcheck(lambda a, b: warpfold.matmul(a, b, semiring=semiring), (a, b))
    assert torch.autograd.gradgradcheck(lambda a, b: warpfold.matmul(a, b, semiring=semiring), (a, b))


def test_a_gradient_goes_to_the_two_numbers_of_the_sum(torch):
    a = torch.tensor([[0.0, 5.0], [float("inf"), float("inf")]], dtype=torch.float64, requires_grad=True)
    b = torch.tensor([[7.0, 2.0], [1.0, 9.0]], dtype=torch.float64, requires_grad=True)
    product, argmin = warpfold.matmul(a, b, return_argmin=True)
    assert argmin.tolist() == [[1, 0], [-1, -1]] and not argmin.requires_grad
    (product * torch.tensor([[10.0, 100.0], [1000.0, 1000.0]])).masked_fill(product.isinf(), 0).sum().backward()
    assert a.grad.tolist() == [[100.0, 10.0], [0.0, 0.0]]
    assert b.grad.tolist() == [[0.0, 100.0], [10.0, 0.0]]


def test_a_product_of_nothing_has_no_gradient(torch):
    a, b = torch.zeros((2, 0), requires_grad=True), torch.zeros((0, 3), requires_grad=True)
    warpfold.matmul(a, b).sum().backward()
    assert a.grad.shape == (2, 0) and b.grad.shape == (0, 3)


def test_gradients_are_refused_where_nobody_knows_them_and_left_out_where_nobody_asks(torch):
    a = torch.ones((2, 2), requires_grad=True)
    with pytest.raises(ValueError, match="min-max: min-plus and max-plus have gradients"):
        warpfold.matmul(a, a, semiring="min-max")
    with torch.no_grad():
        assert not warpfold.matmul(a, a, semiring="min-max").requires_grad
    assert warpfold.matmul(a.detach(), a.detach()).tolist() == [[2.0, 2.0], [2.0, 2.0]]
    with pytest.raises(ValueError, match="problem requires a gradient"):
        warpfold.triangulate(torch.ones((5, 5), requires_grad=True))


@pytest.mark.parametrize("dtype", ["int32", "float32", "bool"])
def test_arrays_of_jax_go_in_and_come_out(rng, jax, dtype):
    semiring = "or-and" if dtype == "bool" else "min-plus"
    cpu = jax.devices("cpu")[0]
    a, b = rng.integers(0, 2, (20, 30)).astype(dtype), rng.integers(0, 2, (30, 10)).astype(dtype)
    with jax.default_device(cpu):
        found = warpfold.matmul(jax.numpy.asarray(a), jax.numpy.asarray(b), semiring=semiring, return_argmin=True)
    assert all(isinstance(one, jax.Array) for one in found)
    for one, expected in zip(found, warpfold.matmul(a, b, semiring=semiring, return_argmin=True)):
        assert one.dtype == expected.dtype and np.array_equal(np.asarray(one), expected)
