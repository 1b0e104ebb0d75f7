"""Every argument of a wrong type or value is one line that names it, its value and what is accepted."""

import decimal
import fractions

import numpy as np
import pytest
import scipy.sparse

import warpfold
from warpfold import machine

SQUARE = np.eye(3)
SPARSE = scipy.sparse.csr_array(SQUARE)
CUBE = scipy.sparse.coo_array(np.ones((2, 2, 2)))
ROADS = np.array([[0, -9999], [0, -9999]], np.int32)

WRONG = [
    (lambda: warpfold.chain_order(None), TypeError, r"dims is None: an array or a list of numbers is accepted"),
    (lambda: warpfold.chain_order({1, 2}), TypeError, r"dims is \{1, 2\}: an array or a list"),
    (lambda: warpfold.chain_order([1, None, 3]), TypeError, r"dims\[1\] is None: a number is accepted"),
    (lambda: warpfold.chain_order([1.0, 2.0]), TypeError, r"dims is of dtype float64: int64, int32 are accepted"),
    (lambda: warpfold.chain_order([1, 2.5]), TypeError, r"dims\[1\] is 2.5: an integer is accepted"),
    (lambda: warpfold.knapsack([1, float("nan")], [2, 2], 3), ValueError, r"profits\[1\] is nan: a finite number is accepted"),
    (lambda: warpfold.knapsack([1.5, "a"], [2, 2], 3), TypeError, r"profits\[1\] is 'a': a number is accepted"),
    (lambda: warpfold.knapsack([1, 1], [1e-30, 2], 3), OverflowError, r"weights\[1\] is 2: at most 2\^63 - 1 times 1/1\.00e\+30"),
    (lambda: warpfold.knapsack([1e300], [2], 3), OverflowError, r"profits\[0\] is 1e\+300: at most 2\^63 - 1 is accepted"),
    (lambda: warpfold.knapsack([1], [2], decimal.Decimal("inf")), ValueError, r"capacity is Infinity: a finite number is accepted"),
    (lambda: warpfold.knapsack_values([1], [2.5], 3), TypeError, r"weights\[0\] is 2.5: an integer is accepted"),
    (lambda: warpfold.coin_ways([0.5], 1, return_table=True), TypeError, r"coins\[0\] is 0.5: an integer is accepted"),
    (lambda: warpfold.knapsack([1], [2]), TypeError, r"capacity is missing: an integer is accepted"),
    (lambda: warpfold.knapsack([1, 2], [2], 3), ValueError, r"weights has 1 entry, profits has 2 entries: as many"),
    (lambda: warpfold.chain_order(), TypeError, r"dims is missing: an array or a list of numbers is accepted"),
    (lambda: warpfold.verify(SQUARE), TypeError, r"solution is missing: what a solving function returned"),
    (lambda: warpfold.chain_order("12"), TypeError, r"dims is of dtype <U2"),
    (lambda: warpfold.chain_order([1, 2], threads="all"), TypeError, r"threads is 'all': an integer is accepted"),
    (lambda: warpfold.chain_order([1, 2], threads=10**12), OverflowError, r"threads is 1000000000000: an integer from"),
    (lambda: warpfold.chain_order([1, 2], max_memory=1e9), TypeError, r"max_memory is 1000000000.0: an integer"),
    (lambda: warpfold.chain_order([1, 2], max_memory=-1), OverflowError, r"max_memory is -1: an integer from 0"),
    (lambda: warpfold.chain_order([1, 2], time_limit="soon"), TypeError, r"time_limit is 'soon': a number"),
    (lambda: warpfold.chain_order([1, 2], time_limit=0), ValueError, r"time_limit is 0: seconds above 0"),
    (lambda: warpfold.chain_order([1, 2], time_limit=np.nan), ValueError, r"time_limit is nan: seconds above 0"),
    (lambda: warpfold.chain_order([1, 2], time_limit=10**400), OverflowError, r"time_limit is 10{59}\.\.: a number"),
    (lambda: warpfold.chain_order([1, 2], device=3), TypeError, r"device is 3: auto, cpu"),
    (lambda: warpfold.chain_order([1, 2], algorithm=3), TypeError, r"algorithm is 3: an algorithm's name"),
    (lambda: warpfold.chain_order([1, 2], progress=3), TypeError, r"progress is 3: a callable"),
    (lambda: warpfold.chain_order([1, 2], dtype="foo"), TypeError, r"dtype is 'foo': int32, int64, float32"),
    (lambda: warpfold.chain_order([1, 2], dtype=complex), TypeError, r"dtype is <class 'complex'>: int32, int64"),
    (lambda: warpfold.chain_order(np.ones((2, 3), int))["a"], TypeError, r"index is 'a': an integer"),
    (lambda: list(warpfold.chain_order(np.ones((2, 2, 3), int))), TypeError, r"a batch of 2 x 2 takes an index for each"),
    (lambda: warpfold.triangulate(SQUARE, weight=2), TypeError, r"weight is 2: 'length' or 'squared'"),
    (lambda: warpfold.triangulate([[0, 0], [1, 0], [None, 1]]), TypeError, r"problem\[2, 0\] is None: a number"),
    (lambda: warpfold.search_tree([1, 2], None), TypeError, r"q is None"),
    (lambda: warpfold.knapsack([1], [2], "3"), TypeError, r"capacity is '3': an integer is accepted"),
    (lambda: warpfold.knapsack([1], [2], 10**30), OverflowError, r"capacity is 1000000000000000000000000000000: an integer from"),
    (lambda: warpfold.knapsack([1], [2], None), TypeError, r"capacity is None"),
    (lambda: warpfold.knapsack([1], [2], 3, unbounded="no"), TypeError, r"unbounded is 'no': True or False is accepted"),
    (lambda: warpfold.knapsack([[1]], [2], 3), ValueError, r"profits is 1 x 1: a list is accepted"),
    (lambda: warpfold.knapsack_values([1], [2], [3]), TypeError, r"capacity is \[3\]"),
    (lambda: warpfold.verify_knapsack_values([1], [2], 3.0, [0]), TypeError, r"capacity is 3.0"),
    (lambda: warpfold.subset_sum([1], np.ones(99)), TypeError, r"target is array\(\[1\., 1\., .*\.\.: an integer"),
    (lambda: warpfold.count_subsets([1], 1, modulus=-1), OverflowError, r"modulus is -1: an integer from 0"),
    (lambda: warpfold.verify_count_subsets([1], 1, 1, modulus="2"), TypeError, r"modulus is '2'"),
    (lambda: warpfold.coins([1], 3.5), warpfold.InfeasibleError, r"no coins of these give the amount 3.5"),
    (lambda: warpfold.coins([1], "3"), TypeError, r"amount is '3': an integer"),
    (lambda: warpfold.fewest_coins([1], None), TypeError, r"amount is None"),
    (lambda: warpfold.coin_ways([1], 3, return_table=np.ones(3)), TypeError, r"return_table is array.*: True or False"),
    (lambda: warpfold.coin_ways([1], 3, modulus="2"), TypeError, r"modulus is '2'"),
    (lambda: warpfold.verify_coin_ways([1], 3, None), TypeError, r"ways is None: an integer"),
    (lambda: warpfold.recurrence([1], [1], -3), OverflowError, r"n is -3: an integer from 0"),
    (lambda: warpfold.recurrence([1], [1], 5, op=3), TypeError, r"op is 3: text is accepted"),
    (lambda: warpfold.recurrence([1], [1], 5, modulus=0.5), TypeError, r"modulus is 0.5"),
    (lambda: warpfold.matmul(SQUARE, None), TypeError, r"b is None"),
    (lambda: warpfold.matmul(SQUARE, SQUARE, semiring=3), TypeError, r"semiring is 3: text"),
    (lambda: warpfold.matmul(SQUARE, SQUARE, return_argmin="yes"), TypeError, r"return_argmin is 'yes': True or False"),
    (lambda: warpfold.power(SQUARE, 2.5), TypeError, r"k is 2.5"),
    (lambda: warpfold.power(SQUARE, -1), OverflowError, r"k is -1: an integer from 0"),
    (lambda: warpfold.closure(SQUARE, semiring=None), TypeError, r"semiring is None"),
    (lambda: warpfold.infinity(complex), TypeError, r"dtype is complex128: int16, int32, int64, uint64 or a type of"),
    (lambda: warpfold.infinity("uint16"), TypeError, r"dtype is uint16: int16, int32"),
    (lambda: warpfold.infinity("x"), TypeError, r"dtype is 'x': int16, int32"),
    (lambda: warpfold.verify_product([[1]], [[1]], [[2]], algorithm="zzz"), TypeError, r"algorithm is 'zzz': a check has no"),
    (lambda: warpfold.recurrence([1], [[1]], 3), ValueError, r"initial is 1 x 1: a list is accepted"),
    (lambda: warpfold.recurrence([1], np.array([10**30], object), 3), OverflowError, r"initial\[0\] is 10{30}, which int64"),
    (lambda: warpfold.verify_fewest_coins([1], 3, [[0, 1], [2, 3]]), ValueError, r"fewest is 2 x 2: a list is accepted"),
    (lambda: warpfold.shortest_paths(SQUARE, indices="a"), TypeError, r"indices\[0\] is a: the number of a vertex is"),
    (lambda: warpfold.shortest_paths("roads.csv"), TypeError, r"graph is 'roads.csv': a matrix, a sparse matrix of"),
    (lambda: warpfold.shortest_paths({0: {1: 2}}), TypeError, r"graph is {0: {1: 2}}: a matrix, a sparse matrix of"),
    (lambda: warpfold.path([1, -9999, 1], 0, 2), ValueError, r"predecessors\[0\] is 1: the row of another vertex than"),
    (lambda: warpfold.verify_paths(SQUARE, SQUARE, SQUARE[:2]), ValueError, r"predecessors is 2 x 3 and lengths 3 x 3: one"),
    (lambda: warpfold.knapsack([1], [2], 3, dtype=float), TypeError, r"dtype: int32 or int64 is accepted here"),
    (lambda: warpfold.multi_dot([SQUARE, "x"]), ValueError, r"arrays\[1\] has 0 dimensions: 2 or more are accepted"),
    (lambda: warpfold.closure(SQUARE, semiring="or-and"), TypeError, r"a is of dtype float64: bool, uint8 are accepted"),
    (lambda: warpfold.shortest_paths(SQUARE, indices=-1), ValueError, r"indices\[0\] is -1: a vertex from 0 to 2 is"),
    (lambda: warpfold.shortest_paths(SQUARE, indices=[0, 3]), ValueError, r"indices\[1\] is 3: a vertex from 0 to 2 is"),
    (lambda: warpfold.shortest_paths(SQUARE, indices=[[0, 1]]), ValueError, r"indices is 1 x 2: a vertex, or a list"),
    (lambda: warpfold.shortest_paths(SQUARE, indices=[True, False, True]), TypeError, r"indices\[0\] is True: the number of a vertex"),
    (lambda: warpfold.path(ROADS, 0.5, 1), TypeError, r"start is 0.5: an integer is accepted"),
    (lambda: warpfold.path([[-9999, 77], [-3, -9999]], 0, 1), ValueError, r"the predecessor of 1 is 77: a vertex, or -9999"),
    (lambda: warpfold.path([[-9999, 77], [-3, -9999]], 1, 0), ValueError, r"the predecessor of 0 is -3: a vertex, or -9999"),
    (lambda: warpfold.compiled_recurrence("struct A {};", 3, members={3: 1}), TypeError, r"members has 3: names, as text"),
    (lambda: warpfold.verify(None, None), TypeError, r"solution is None: what a solving function returned is accepted"),
    (lambda: warpfold.multi_dot([SQUARE, SQUARE[:2]]), ValueError, r"arrays\[1\] has 2 rows: 3 are accepted"),
    (lambda: warpfold.shortest_paths(None), TypeError, r"graph is None"),
    (lambda: warpfold.shortest_paths(SQUARE, semiring=3), TypeError, r"semiring is 3"),
    (lambda: warpfold.shortest_paths(SPARSE, semiring=None), TypeError, r"semiring is None: text"),
    (lambda: warpfold.shortest_paths(SPARSE[0]), ValueError, r"graph is a list of 3: a square matrix is accepted"),
    (lambda: warpfold.shortest_paths(SPARSE[0], indices=0), ValueError, r"graph is a list of 3: a square matrix is accepted"),
    (lambda: warpfold.shortest_paths(CUBE), ValueError, r"graph is 2 x 2 x 2: a square matrix is accepted"),
    (lambda: warpfold.shortest_paths(CUBE, indices=0), ValueError, r"graph is 2 x 2 x 2: a square matrix is accepted"),
    (lambda: warpfold.path(ROADS[:1], 0, 1), ValueError, r"predecessors are 1 x 2 of int32: shortest_paths' of all"),
    (lambda: warpfold.path(ROADS, 0, -1), ValueError, r"end is -1: a vertex from 0 to 1 is accepted"),
    (lambda: warpfold.path(ROADS, 5, 0), ValueError, r"start is 5: a vertex"),
    (lambda: warpfold.path(SQUARE, 0, 1), ValueError, r"predecessors are 3 x 3 of float64"),
    (lambda: warpfold.interval_recurrence([1], semiring=4), TypeError, r"semiring is 4"),
    (lambda: warpfold.interval_recurrence([1], factors=5), TypeError, r"factors is 5: \(left, middle, right\)"),
    (lambda: warpfold.interval_recurrence([1], factors=([1], [2])), ValueError, r"factors is \(\[1\], \[2\]\)"),
    (lambda: warpfold.compiled_recurrence(None, 3), TypeError, r"source is None: a struct in C\+\+"),
    (lambda: warpfold.permutation_plan([0, 1], seed="a"), TypeError, r"seed is 'a'"),
    (lambda: warpfold.permutation_plan([0, 1]).move([1, 2, 3]), ValueError, r"values are a list of 3: a list of 2"),
    (lambda: warpfold.permutation_plan([0, 1]).move([1, 2], threads=1.5), TypeError, r"threads is 1.5"),
    (lambda: warpfold.bank_schedule([0, 1], "a"), TypeError, r"width is 'a'"),
    (lambda: warpfold.bank_schedule([[0, 1]], 2), ValueError, r"permutation is 1 x 2: a list"),
    (lambda: machine.Dmm(width=2.5), TypeError, r"width is 2.5"),
    (lambda: machine.Dmm(latency=-1), OverflowError, r"latency is -1: an integer from 0"),
    (lambda: machine.Dmm(mapping_seed="a"), TypeError, r"mapping_seed is 'a'"),
    (lambda: machine.Dmm().cost([1], write="a"), TypeError, r"write is 'a': True or False"),
    (lambda: machine.Dmm().cost([1], bytes=None), TypeError, r"bytes is None"),
    (lambda: machine.Umm().run(3), TypeError, r"name is 3: a program's name"),
    (lambda: machine.Umm().run("sum", n="a"), TypeError, r"n is 'a'"),
    (lambda: machine.Umm().run("sum", timing=1), TypeError, r"timing is 1"),
    (lambda: machine.Umm().run("sum", lists=[1]), TypeError, r"lists is \[1\]: a dictionary"),
    (lambda: machine.Umm().run("sum", parameters={"q": 1.5}), TypeError, r"q is 1.5"),
    (lambda: warpfold.verify(None, warpfold.chain_order([1, 2, 3])), TypeError, r"problem is None"),
    (lambda: warpfold.verify(5, warpfold.coins([1, 2], 3)), TypeError, r"problem is 5: \(coins, amount\) or \(coins, amount, stock\)"),
    (lambda: warpfold.verify(([1, 2],), warpfold.coins([1, 2], 3)), ValueError, r"problem is \(\[1, 2\],\): \(coins, amount\)"),
    (lambda: warpfold.verify(([1, 2], "3"), warpfold.coins([1, 2], 3)), TypeError, r"amount is '3'"),
]


@pytest.mark.parametrize(("call", "error", "message"), WRONG, ids=[message for _, _, message in WRONG])
def test_a_wrong_argument_is_named_with_its_value_in_one_line(call, error, message):
    with pytest.raises(error, match="^" + message) as raised:
        call()
    assert "\n" not in str(raised.value) and len(str(raised.value)) < 200


def test_numpys_scalars_are_as_good_as_pythons():
    found = warpfold.knapsack([60, 100], [10, 20], np.int8(50), unbounded=np.True_, threads=np.int64(1))
    assert found.value == warpfold.knapsack([60, 100], [10, 20], 50, unbounded=True).value
    assert warpfold.verify([[1, 2], 3], warpfold.coins([1, 2], 3))  # a list for a tuple


def test_pythons_own_numbers_are_read_as_they_are(rng):
    weights = rng.random((9, 9))
    cost = warpfold.triangulate(weights).cost
    for kind in (float, fractions.Fraction, decimal.Decimal):
        given = np.array([[kind(weight) for weight in row] for row in weights.tolist()], object)
        assert warpfold.triangulate(given).cost == cost
    whole = rng.integers(0, 99, (9, 9))
    found = warpfold.triangulate(whole.astype(object))
    assert isinstance(found.cost, int) and found.cost == warpfold.triangulate(whole).cost


def test_lists_of_lists_are_batches():
    assert warpfold.chain_order([[2, 3, 4], [4, 5, 6]]).costs.tolist() == [24, 120]
    assert warpfold.search_tree([[1, 2]], [[1, 2, 3]]).costs.tolist() == [warpfold.search_tree([1, 2], [1, 2, 3]).cost]


def test_truth_is_counted_where_the_semiring_counts():
    truth = np.array([[False, True], [True, True]])
    assert warpfold.matmul(truth, truth, semiring="plus-times").tolist() == [[1, 1], [1, 2]]
    assert warpfold.power(truth, 2, semiring="plus-times").tolist() == [[1, 1], [1, 2]]


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: warpfold.triangulate(np.ones((2, 3, 5, 5))), "Triangulations(2 x 3)"),
        (lambda: warpfold.chain_order(np.ones((2, 3), int)), "ChainOrders(2)"),
        (lambda: warpfold.search_tree(np.ones((2, 3)), np.ones((2, 4))), "SearchTrees(2)"),
        (lambda: warpfold.interval_recurrence([1, 2]), "IntervalTable(3 points, cost=3)"),
        (lambda: warpfold.recurrence([1], [1], 5), "RecurrenceTable(5 values)"),
    ],
)
def test_what_is_found_shows_its_size(call, text):
    assert repr(call()) == text
