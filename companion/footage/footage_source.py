"""Pictures of the table one after the other, each with the instant at which it was taken.

Whoever watches them need not know what they come from. Of what is recorded every picture is given; of a camera
only the newest, because a table that is told late is worse than one of which a picture is missing.
"""

from collections.abc import Callable, Iterator
from typing import Protocol

from cv2.typing import MatLike

from companion.errors import NoFootage
from companion.units import Ns

Remark = Callable[[str], None]
"""Says to people what went wrong without being the end of it."""


class Footage(Protocol):
    """Its pictures come in the order of their instants, and are all of one size."""

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
