"""The keywords that every solving function takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict

from numpy.typing import DTypeLike


class Options(TypedDict, total=False):
    """What every solving function takes by keyword; the defaults solve with all allowed threads and no limit."""

    device: str
    """"auto" takes a GPU when one is there and the problem gains, "cpu", "cuda" or "cuda:N"; "cuda:0,1" or "cuda:all" for
    several that solve together."""
    threads: int
    """CPU threads; 0: all that the process may use."""
    dtype: DTypeLike | None
    """The arithmetic, one of NumPy's types; by default that of the arrays."""
    algorithm: str
    """A name; by default the solver chooses."""
    time_limit: float
    """Seconds, after which TimeoutError is raised."""
    max_memory: int
    """Bytes; needing more raises MemoryError beforehand."""
    max_device_memory: int
    """The same of a GPU's."""
    progress: Callable[[float, float], object] | bool | None
    """Called with the operations done and those in all, some 20 times a second and at the end; True: a bar by tqdm."""
