"""What lives on a thread of its own, from `with` to `close`."""

from abc import ABC, abstractmethod
from threading import Thread
from types import TracebackType
from typing import Self


class Threaded(ABC):
    def __init__(self, name: str, *, daemon: bool = False) -> None:
        """`daemon`: the program may end without it."""
        self._thread = Thread(target=self._run, name=name, daemon=daemon)

    @abstractmethod
    def close(self) -> None:
        """Ends it; also if it has never begun."""

    def _join(self, timeout_s: float | None = None) -> None:
        """Waits for its end, if it has begun."""
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @abstractmethod
    def _run(self) -> None:
        """On its thread."""
