"""What the arrays of the eyes are called."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.floating[Any]]
Whole = NDArray[np.int64]
Bools = NDArray[np.bool_]
Bits = NDArray[np.uint64]


def floats(values: ArrayLike) -> Floats:
    """What OpenCV gave, known to be of single precision."""
    return np.asarray(values, np.float32)


def product(indices: str, *arrays: Floats) -> Floats:
    """Einstein's sum."""
    return np.asarray(np.einsum(indices, *arrays))
