"""The papers' memory machines: what accesses cost, and programs that are counted in time units.

A GPU's shared memory behaves like the Discrete Memory Machine, whose banks are interleaved: an access takes as many
stages as its most contended bank has distinct addresses. Its global memory behaves like the Unified Memory Machine: as
many as distinct groups of addresses.
"""

from __future__ import annotations

from . import _core
from ._core import Machine, MachineRun, StepCost

__all__ = ["Dmm", "Hmm", "Machine", "MachineRun", "StepCost", "Umm", "algorithms"]


class Dmm(Machine):
    """The Discrete Memory Machine: address a lies in bank a mod width, unless mapping_seed turns every row by a random
    amount."""

    def __init__(self, *, width: int = 32, latency: int = 100, mapping_seed: int | None = None) -> None:
        super().__init__("dmm", width, latency, mapping_seed=mapping_seed)


class Umm(Machine):
    """The Unified Memory Machine: address a lies in address group a // width."""

    def __init__(self, *, width: int = 32, latency: int = 100) -> None:
        super().__init__("umm", width, latency)


class Hmm(Machine):
    """The Hierarchical Memory Machine: multiprocessors, each with a DMM of its own, on one UMM. It runs programs."""

    def __init__(
        self,
        *,
        width: int = 32,
        latency: int = 100,
        multiprocessors: int = 1,
        shared_latency: int = 1,
        mapping_seed: int | None = None,
    ) -> None:
        super().__init__("hmm", width, latency, multiprocessors, shared_latency, mapping_seed)


def algorithms() -> dict[str, str]:
    """The programs that run(name) takes, with what each does."""
    return _core.machine_algorithms()
