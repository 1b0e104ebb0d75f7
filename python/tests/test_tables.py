"""Recurrences, coins, knapsacks and subset sums against plain loops."""

import itertools
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import warpfold


@given(
    st.sets(st.integers(1, 6), min_size=1).map(sorted),
    st.sampled_from(["min", "max", "sum", "xor", "gcd"]),
    st.data(),
)
def test_a_recurrence_is_what_its_loop_gives(offsets, op, data):
    initial = data.draw(st.lists(st.integers(0, 99), min_size=offsets[-1], max_size=offsets[-1]))
    values = list(initial)
    combine = {"min": min, "max": max, "sum": lambda *x: sum(x), "xor": lambda *x: np.bitwise_xor.reduce(x),
               "gcd": lambda *x: np.gcd.reduce(x)}[op]
    while len(values) < 30:
        terms = [values[-a] for a in offsets]
        values.append(int(combine(*terms)) if len(terms) > 1 else terms[0])
    assert warpfold.recurrence(offsets, initial, 30, op=op).values.tolist() == values


def test_a_table_is_checked_and_another_statement_found_out():
    table = warpfold.recurrence([1, 3], [0.0, 1.0, 5.0], 50, op="min", weights=[2.0, 0.5])
    assert warpfold.verify(([1, 3], [0.0, 1.0, 5.0], 50), table, op="min", weights=[2.0, 0.5])
    assert not warpfold.verify(([1, 3], [0.0, 1.0, 5.0], 50), table, op="max", weights=[2.0, 0.5])
    assert not warpfold.verify(([1, 3], [0.0, 1.0, 5.0], 60), table, op="min", weights=[2.0, 0.5])
    with pytest.raises(ValueError, match="offsets, initial, n"):
        warpfold.verify(([1, 3], [0.0, 1.0, 5.0]), table)


def test_weights_are_added_to_the_terms():
    found = warpfold.recurrence([1, 3], [0.0, 1.0, 5.0], 6, op="min", weights=[2.0, 0.5])
    values = [0.0, 1.0, 5.0]
    while len(values) < 6:
        values.append(min(values[-1] + 2.0, values[-3] + 0.5))
    assert found.values.tolist() == values
    assert warpfold.recurrence([1, 2], [1, 1], 50, op="sum-mod", modulus=97).values[-1] == 12586269025 % 97
    table = warpfold.recurrence([1, 2], [1, 3], 8, op="sum", coefficients=[6, -1])
    assert table.values.tolist() == [1, 3, 17, 99, 577, 3363, 19601, 114243]
    assert warpfold.verify(([1, 2], [1, 3], 8), table, op="sum", coefficients=[6, -1])
    assert not warpfold.verify(([1, 2], [1, 3], 8), table, op="sum", coefficients=[6, 1])


def test_a_sum_that_does_not_fit_is_an_error_and_not_another_number():
    with pytest.raises(OverflowError, match="index 93"):
        warpfold.recurrence([2, 1], [0, 1], 100, op="sum")


@given(st.sets(st.integers(1, 20), min_size=1, max_size=4).map(sorted), st.integers(0, 60))
def test_coins_are_the_fewest(coins, amount):
    fewest = [0] + [None] * amount
    ways = [1] + [0] * amount
    for a in range(1, amount + 1):
        before = [fewest[a - c] for c in coins if a >= c and fewest[a - c] is not None]
        fewest[a] = 1 + min(before) if before else None
    for c in coins:
        for a in range(c, amount + 1):
            ways[a] += ways[a - c]
    assert [None if f < 0 else f for f in warpfold.fewest_coins(coins, amount)] == fewest
    assert warpfold.coin_ways(coins, amount) == ways[amount]
    if fewest[amount] is None:
        with pytest.raises(warpfold.InfeasibleError):
            warpfold.coins(coins, amount)
        return
    change = warpfold.coins(coins, amount)
    assert change.fewest == fewest[amount] == change.used.sum()
    assert (change.used * coins).sum() == amount
    assert warpfold.verify((coins, amount), change)


def test_a_stock_limits_the_coins():
    change = warpfold.coins([1, 5, 10], 27, stock=[7, 2, 1])
    assert change.used.tolist() == [7, 2, 1]
    assert warpfold.verify(([1, 5, 10], 27, [7, 2, 1]), change)
    assert [warpfold.coin_ways([1, 2], amount, stock=[1, 2]) for amount in range(7)] == [1, 1, 1, 1, 1, 1, 0]
    assert warpfold.coin_ways([1, 2, 5], 10**6, modulus=97) == warpfold.coin_ways([1, 2, 5], 10**6) % 97


items = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 15)), min_size=1, max_size=8)


@given(items, st.integers(0, 40))
def test_a_packing_is_the_best_of_all(pairs, capacity):
    profits, weights = zip(*pairs)
    best = max(
        sum(p for p, t in zip(profits, taken) if t)
        for taken in itertools.product([0, 1], repeat=len(pairs))
        if sum(w for w, t in zip(weights, taken) if t) <= capacity
    )
    packing = warpfold.knapsack(profits, weights, capacity)
    assert packing.value == best == warpfold.knapsack_values(profits, weights, capacity)[-1]
    assert sum(profits[i] for i in packing.items) == best
    assert sum(weights[i] for i in packing.items) == packing.weight <= capacity
    assert warpfold.verify((profits, weights, capacity), packing)


def test_copies_are_limits_and_unbounded_has_none():
    assert warpfold.knapsack([60, 100], [10, 20], 50, copies=[2, 1]).copies.tolist() == [2, 1]
    assert warpfold.knapsack([60, 100], [10, 20], 50, unbounded=True).copies.tolist() == [5, 0]
    with pytest.raises(ValueError, match="one of both"):
        warpfold.knapsack([60], [10], 50, copies=[2], unbounded=True)


fractions = st.fractions(0, 9, max_denominator=12)
decimals = st.decimals(0, 99, places=2)
floats = decimals.map(float)
amounts = st.sampled_from([fractions, decimals, floats]).flatmap(
    lambda kind: st.tuples(st.lists(st.tuples(kind, kind), min_size=1, max_size=6), kind)
)


def exactly(number):
    """A float is the decimal number that it prints."""
    return Fraction(str(number))


@given(amounts)
def test_a_packing_of_fractions_is_the_best_of_all(drawn):
    pairs, capacity = drawn
    profits, weights = zip(*pairs)
    packing = warpfold.knapsack(profits, weights, capacity)
    packings = itertools.product([0, 1], repeat=len(pairs))
    fits = [taken for taken in packings if sum(exactly(w) * t for w, t in zip(weights, taken)) <= exactly(capacity)]
    assert exactly(packing.value) == max(sum(exactly(p) * t for p, t in zip(profits, taken)) for taken in fits)
    assert exactly(packing.weight) == sum(exactly(weights[i]) for i in packing.items)
    assert type(packing.value) is type(packing.weight) is type(capacity)
    assert warpfold.verify((profits, weights, capacity), packing)
    subset = warpfold.subset_sum(weights, capacity)
    sums = [sum(exactly(w) * t for w, t in zip(weights, taken)) for taken in fits]
    assert exactly(subset.sum) == max(sums) == sum(exactly(weights[i]) for i in subset.items)
    assert warpfold.count_subsets(weights, subset.sum) == sums.count(max(sums))
    assert warpfold.verify((weights, capacity), subset)


def test_a_value_is_of_the_kind_of_the_profits():
    assert warpfold.knapsack([1.5, 2.25, 4.75], [2, 3, 4], 5).value == 4.75
    tenths = [[0.1, 0.2], np.array([0.1, 0.2]), np.array([0.1, 0.2], "float32"), [np.float32(0.1), np.float64(0.2)]]
    assert all(warpfold.knapsack(profits, [1, 1], 2).value == 0.3 for profits in tenths)
    assert repr(warpfold.knapsack([Decimal("0.10"), 2], [1, 0.5], 2)) == "Packing(value=Decimal('2.1'), weight=1.5)"
    assert warpfold.knapsack([Fraction(1, 3), 0.5, Decimal(1)], [1, 1, 1], 3).value == Fraction(11, 6)
    whole = warpfold.knapsack([4.0, 2.0], [1, 1], 2)
    assert type(whole.value) is float and type(whole.weight) is int
    assert type(warpfold.knapsack(np.array([4, 2]), [1, 1], 2.0).value) is int


def test_a_solution_is_checked_in_the_unit_of_another_problem():
    profits, weights, capacity = [1.5, 2.25, 4.75], [2, 3, 4], 5
    packing = warpfold.knapsack(profits, weights, capacity)
    assert warpfold.verify(([1.5, 2.25, Fraction(19, 4), Fraction(1, 3)], [2.0, 3, 4, 9], 5.5), packing).violation
    assert warpfold.verify(([1.5, 2.25, Fraction(19, 4)], [2.0, 3, 4.0], 5.5), packing)
    assert "the value is 4.75: the problem's numbers are multiples of 1" in str(warpfold.verify(([6, 9, 19], weights, 5), packing))
    assert "values in units of 1/20" in str(warpfold.verify(([1.5, 2.25, 4.85], weights, capacity), packing))
    assert "the sum is 0.5: the problem's numbers" in str(warpfold.verify(([1, 5], 5), warpfold.subset_sum([0.5], 0.5)))
    assert warpfold.verify(([1, 0.5], 0.5), warpfold.subset_sum([Decimal(1), Decimal("0.5")], Fraction(1, 2)))


def test_coins_and_amount_may_be_fractions():
    change = warpfold.coins([0.05, 0.10, 0.25], 0.40)
    assert change.used.tolist() == [1, 1, 1] and warpfold.verify(([0.05, 0.10, 0.25], 0.40), change)
    assert warpfold.coin_ways([Decimal("0.05"), Decimal("0.10")], Decimal("0.2")) == 3
    assert warpfold.verify_coin_ways([0.05, 0.10], 0.2, 3)
    with pytest.raises(warpfold.InfeasibleError, match="give the amount 0.07"):
        warpfold.coins([0.05, 0.10], 0.07)


@given(st.lists(st.integers(0, 40), min_size=1, max_size=9), st.integers(0, 120))
def test_a_subset_comes_as_close_as_any(numbers, target):
    sums = [sum(chosen) for r in range(len(numbers) + 1) for chosen in itertools.combinations(numbers, r)]
    subset = warpfold.subset_sum(numbers, target)
    assert subset.sum == max(s for s in sums if s <= target) == sum(numbers[i] for i in subset.items)
    assert warpfold.count_subsets(numbers, target) == sums.count(target)
    assert warpfold.verify((numbers, target), subset)


@given(st.sets(st.integers(1, 20), min_size=1, max_size=4).map(sorted), st.integers(0, 60), st.data())
def test_tables_of_coins_are_checked_and_another_number_found_out(coins, amount, data):
    stock = data.draw(st.none() | st.lists(st.integers(0, 4), min_size=len(coins), max_size=len(coins)))
    at = data.draw(st.integers(0, amount))
    fewest = warpfold.fewest_coins(coins, amount, stock=stock)
    assert warpfold.verify_fewest_coins(coins, amount, fewest, stock=stock).is_optimal
    fewest[at] += 1
    assert not warpfold.verify_fewest_coins(coins, amount, fewest, stock=stock)
    for modulus in (0, 7):
        ways = warpfold.coin_ways(coins, amount, stock=stock, modulus=modulus, return_table=True)
        words = {"stock": stock, "modulus": modulus}
        assert [warpfold.coin_ways(coins, a, **words) for a in range(amount + 1)] == ways.tolist()
        assert warpfold.verify_coin_ways(coins, amount, ways, **words).is_optimal
        assert warpfold.verify_coin_ways(coins, amount, int(ways[-1]), **words)
        assert not warpfold.verify_coin_ways(coins, amount, ways[-1] + 1, **words)
        ways[at] += 1
        assert not warpfold.verify_coin_ways(coins, amount, ways, **words)


@given(items, st.integers(0, 40), st.data())
def test_tables_of_packings_are_checked_and_another_value_found_out(pairs, capacity, data):
    profits, weights = zip(*pairs)
    copies = data.draw(st.none() | st.lists(st.integers(0, 9), min_size=len(pairs), max_size=len(pairs)))
    values = warpfold.knapsack_values(profits, weights, capacity, copies=copies)
    assert warpfold.verify_knapsack_values(profits, weights, capacity, values, copies=copies).is_optimal
    values[data.draw(st.integers(0, capacity))] -= 1
    assert not warpfold.verify_knapsack_values(profits, weights, capacity, values, copies=copies)


def test_counts_of_any_length_go_to_python_and_back():
    many = warpfold.count_subsets([0] * 20000, 0)
    assert many == 2**20000  # of 6021 digits, where Python by itself reads 4300
    assert warpfold.verify_count_subsets([0] * 20000, 0, many)
    assert not warpfold.verify_count_subsets([0] * 20000, 0, many + 10**5000)
    assert warpfold.verify_count_subsets([3, 4, 7], 7, np.int64(2), modulus=5)
    ways = warpfold.coin_ways(range(1, 400), 500, return_table=True)
    assert ways.dtype == object and ways[-1] == warpfold.coin_ways(range(1, 400), 500) > 2**63


def test_what_is_no_count_is_refused():
    for wrong in ("4", 4.0):
        with pytest.raises(TypeError, match="count is .*: an integer"):
            warpfold.verify_count_subsets([3, 4], 7, wrong)
    with pytest.raises(OverflowError, match="ways is -1: "):
        warpfold.verify_coin_ways([1, 2], 7, -1, modulus=5)
    assert not warpfold.verify_coin_ways([1, 2], 7, -4)


@pytest.mark.parametrize("words", [{}, {"modulus": 2**64 - 1}])
def test_a_table_of_counts_below_and_above_int64s_is_not_rounded(words):
    coins, amount = range(1, 60), 412
    ways = warpfold.coin_ways(coins, amount, return_table=True, **words)
    assert ways.dtype == np.uint64 and int(ways[-1]) > 2**63
    assert [int(ways[a]) for a in range(0, amount + 1, 103)] == [
        warpfold.coin_ways(coins, a, **words) for a in range(0, amount + 1, 103)
    ]
    assert warpfold.verify_coin_ways(coins, amount, ways, **words)


@given(st.lists(st.integers(-(2**63), 2**64 - 1), min_size=1, max_size=5))
def test_a_list_of_whole_numbers_is_read_as_it_is_or_refused(numbers):
    call = lambda: warpfold.recurrence(range(1, len(numbers) + 1), numbers, len(numbers), op="xor").values.tolist()
    if min(numbers) < 0 and max(numbers) >= 2**63:
        with pytest.raises(OverflowError, match=r"^initial\[\d\] is \d+, which int64 does not hold exactly"):
            call()
    else:
        assert call() == numbers
