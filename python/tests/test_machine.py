"""The memory machines, against their definitions."""

import numpy as np
import pytest

from warpfold import machine


def test_a_dmm_counts_the_addresses_of_its_fullest_bank(rng):
    for _ in range(50):
        addresses = rng.integers(0, 64, 8)
        banks = [len(set(addresses[addresses % 8 == bank])) for bank in range(8)]
        cost = machine.Dmm(width=8, latency=5).cost(addresses)
        assert cost.stages.tolist() == [max(banks)] and cost.time_units == max(banks) + 4


def test_a_umm_counts_groups_of_addresses(rng):
    addresses = rng.integers(0, 256, (3, 8))
    cost = machine.Umm(width=8, latency=5).cost(addresses)
    assert cost.stages.tolist() == [len(set(row // 8)) for row in addresses]
    assert cost.time_units == sum(cost.stages) + 4


def test_a_warp_of_a_gpu_touches_sectors_of_eight_words():
    umm = machine.Umm(warp=32, width=8, latency=1)
    assert umm.warp == 32 and machine.Umm(width=8).warp == 8
    assert [umm.cost(np.arange(32) * stride).stages.tolist() for stride in (1, 2, 3, 4, 8)] == [[4], [8], [12], [16], [32]]
    assert machine.Dmm(width=32, latency=1).cost(np.arange(32), bytes=2).stages.tolist() == [1]


def test_lanes_may_sit_out_and_lists_are_cut_into_warps():
    dmm = machine.Dmm(width=4, latency=1)
    assert dmm.cost([0, 4, -1, 8]).stages.tolist() == [3]
    assert dmm.cost(np.arange(10)).stages.tolist() == [1, 1, 1]
    assert "<svg" in dmm.cost([0, 4])._repr_svg_()


@pytest.mark.parametrize("name", ["sum", "transpose-diagonal", "bitonic-sort"])
def test_programs_are_right_and_take_what_their_formulas_say(name):
    assert name in machine.algorithms()
    run = machine.Umm(width=4, latency=5).run(name, n=64, threads=16)
    assert run.correct and (run.formula is None or run.time_units == run.formula)
    assert run.time_units >= run.lower_bound


def test_a_program_runs_on_what_it_is_given():
    run = machine.Umm(width=4, latency=5).run("sum", n=8, threads=4)
    again = machine.Umm(width=4, latency=5).run("sum", threads=4, n=8, lists=run.inputs)
    assert {name: list(values) for name, values in again.outputs.items()} == {
        name: list(values) for name, values in run.outputs.items()
    }


def test_what_a_machine_does_not_know_is_refused():
    with pytest.raises(ValueError, match="unknown|no algorithm|accepted"):
        machine.Umm().run("sort-of")
    with pytest.raises(ValueError):
        machine.Dmm(width=0).cost([1])


def test_a_formula_is_that_of_the_timing_that_ran():
    umm = machine.Umm(width=4, latency=5)
    lockstep, pipelined = (umm.run("sum", n=64, threads=16, timing=timing) for timing in ["lockstep", "pipelined"])
    assert lockstep.formula == lockstep.time_units > pipelined.time_units and pipelined.formula is None
