"""Pictures of the table one after the other, each with the instant at which it was taken.

The reader need not know where they come from. Recorded footage gives every picture; a camera gives only the
newest, because late news of the table is worse than a missing picture.
"""

from collections.abc import Callable, Iterator
from typing import Protocol

from cv2.typing import MatLike

from companion.errors import NoFootage
from companion.units import Ns

Remark = Callable[[str], None]
"""Reports a problem that does not end the footage."""


class Footage(Protocol):
    """Pictures in the order of their timestamps, all of one size."""

    def __iter__(self) -> Iterator[tuple[Ns, MatLike]]: ...


def of_one_size(pictures: Footage, name: str) -> Iterator[tuple[Ns, MatLike]]:
    size: tuple[int, ...] | None = None
    for t, picture in pictures:
        high, wide = picture.shape[:2]
        if size is not None and size != (wide, high):
            raise NoFootage(
                f"{name}: at {t / 1e9:.3f} s the pictures are suddenly {wide} x {high} pixels, before they were "
                f"{size[0]} x {size[1]}; take them all with the same camera."
            )
        size = wide, high
        yield t, picture
