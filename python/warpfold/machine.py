"""The papers' memory machines: the cost of accesses, and programs with their time units.

A GPU's shared memory behaves like the Discrete Memory Machine, whose banks are interleaved: an access takes as many
stages as its most contended bank has distinct addresses. Its global memory behaves like the Unified Memory Machine: as
many as distinct groups of addresses.
"""

from __future__ import annotations

from . import _core
from ._core import Machine, MachineRun, StepCost

__all__ = ["Dmm", "Hmm", "Machine", "MachineRun", "StepCost", "Umm", "algorithms"]


class Dmm(Machine):
    """The Discrete Memory Machine: address a is in bank a mod width. With mapping_seed every row is rotated by a random
    amount. A warp has width threads, or warp threads: a multiple or a divisor of the width."""

    def __init__(
        self, *, width: int = 32, latency: int = 100, mapping_seed: int | None = None, warp: int | None = None
    ) -> None:
        super().__init__("dmm", width, latency, mapping_seed=mapping_seed, warp=warp)


class Umm(Machine):
    """The Unified Memory Machine: address a is in address group a // width. A warp has width threads, or warp threads.
    A GPU's global memory has warp=32, width=8."""

    def __init__(self, *, width: int = 32, latency: int = 100, warp: int | None = None) -> None:
        super().__init__("umm", width, latency, warp=warp)


class Hmm(Machine):
    """The Hierarchical Memory Machine: multiprocessors, each with its own DMM, on one UMM. It runs programs."""

    def __init__(
        self,
        *,
        width: int = 32,
        latency: int = 100,
        multiprocessors: int = 1,
        shared_latency: int = 1,
        mapping_seed: int | None = None,
        warp: int | None = None,
    ) -> None:
        super().__init__("hmm", width, latency, multiprocessors, shared_latency, mapping_seed, warp)


def algorithms() -> dict[str, str]:
    """The programs that run(name) accepts, with a description of each."""
    return _core.machine_algorithms()
