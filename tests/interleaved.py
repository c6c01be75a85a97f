"""What another thread may do between any two steps of a function: each of them is forced, none is left to luck."""

import sys
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any, TypeVar

T = TypeVar("T")


def interleavings(
    function: Callable[..., object], begin: Callable[[], tuple[Callable[[], T], Callable[[], object]]]
) -> Iterator[T]:
    """What `function` gives with the other's work done before its first step, before its second, and so on.

    `begin` sets up each round: who calls the function, and what the other does meanwhile."""
    code: CodeType = function.__code__  # type: ignore[attr-defined] - of a plain function
    point, met = 0, True
    while met:
        call, other = begin()
        result, met = _met(code, call, other, point)
        yield result
        point += 1
    assert point > 3


def _met(code: CodeType, call: Callable[[], T], other: Callable[[], object], point: int) -> tuple[T, bool]:
    steps, before = 0, sys.gettrace()

    def trace(frame: FrameType, event: str, _value: Any) -> Any:
        nonlocal steps
        if frame.f_code is not code:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            if steps == point:
                other()
            steps += 1
        return trace

    sys.settrace(trace)
    try:
        result = call()
    finally:
        sys.settrace(before)
    return result, steps > point
