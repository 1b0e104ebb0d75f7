"""A progress bar by tqdm."""

from __future__ import annotations

from collections.abc import Callable


def bar() -> Callable[[float, float], None]:
    """A callable that takes (done, total) and draws a bar. Raises ValueError if tqdm is not installed."""
    try:
        from tqdm.auto import tqdm  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        raise ValueError("progress is True, and tqdm is not there: a callable that takes (done, total) is accepted") from None
    shown = tqdm(total=1.0, bar_format="{percentage:3.0f}%|{bar}| {elapsed} < {remaining}")

    def told(done: float, total: float) -> None:
        shown.update(done / total - shown.n)
        if done >= total:
            shown.close()

    return told
