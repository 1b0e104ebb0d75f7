"""The keywords that every solving function takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict

from numpy.typing import DTypeLike


class Options(TypedDict, total=False):
    """The keywords of every solving function. By default it uses all allowed threads and has no limits."""

    device: str
    """Where to solve: "auto" (default; a GPU if there is one and it is faster), "cpu", "cuda" or "cuda:N". "cuda:0,1" or
    "cuda:all" use several GPUs together."""
    threads: int
    """Number of CPU threads; default 0: all that the process may use."""
    dtype: DTypeLike | None
    """Number type, one of NumPy's; default: that of the arrays."""
    algorithm: str
    """Name of the algorithm; default: the solver chooses."""
    time_limit: float
    """Seconds after which TimeoutError is raised; default: no limit."""
    max_memory: int
    """Largest host memory in bytes; a solve that needs more raises MemoryError; default: no limit."""
    max_device_memory: int
    """Largest memory on a GPU in bytes; default: no limit."""
    progress: Callable[[float, float], object] | bool | None
    """Called with (operations done, total operations) some 20 times a second and at the end. True: a bar by tqdm."""
