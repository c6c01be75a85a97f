"""The printed mat in millimetres, from its top left corner: where the cells, the markers and the patches lie.

The printer draws by these numbers and the eyes measure by them; whoever changes one makes every mat that has
been printed wrong.
"""

from dataclasses import dataclass

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Rectangle:
    left: float
    top: float
    width: float
    height: float

    @classmethod
    def around(cls, centre: Point, width: float, height: float) -> "Rectangle":
        x, y = centre
        return cls(x - width / 2, y - height / 2, width, height)

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height

    @property
    def centre(self) -> Point:
        return self.left + self.width / 2, self.top + self.height / 2

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Clockwise from the top left, the order in which marker detectors give them too."""
        left, top, right, bottom = self.left, self.top, self.right, self.bottom
        return (left, top), (right, top), (right, bottom), (left, bottom)


@dataclass(frozen=True, slots=True)
class Marker:
    number: int
    square: Rectangle


@dataclass(frozen=True, slots=True)
class Patch:
    """What the camera's white balance is measured on; `white` is 0 for black, 1 for the bare paper."""

    white: float
    area: Rectangle


MAT = Rectangle(0, 0, 420, 297)

CELL_SIDE = 92.0
GRID = Rectangle(72, 10.5, 3 * CELL_SIDE, 3 * CELL_SIDE)
CELLS = tuple(
    Rectangle(GRID.left + column * CELL_SIDE, GRID.top + row * CELL_SIDE, CELL_SIDE, CELL_SIDE)
    for row in range(3)
    for column in range(3)
)

# From ArUco's dictionary of 4 x 4 bits and 50 markers (DICT_4X4_50); the black border makes it 6 x 6 squares.
MARKER_SIDE = 36.0
MARKER_BITS = 6
MARKERS = tuple(
    Marker(number, Rectangle.around(centre, MARKER_SIDE, MARKER_SIDE))
    for number, centre in enumerate(((34, 40), (386, 40), (386, 257), (34, 257)))
)

PATCHES = tuple(
    Patch(white, Rectangle.around((34, y), 36, 24)) for white, y in ((1.0, 120), (0.5, 148.5), (0.0, 177))
)
