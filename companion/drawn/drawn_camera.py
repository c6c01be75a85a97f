"""The camera over the drawn table: its position, its lens distortion, and its sensor.

All drawing asks it one thing: which point of the table does each pixel see? Points above the table are found from
the same answer: along a pixel's ray, a higher point only lies closer to the camera's foot."""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Self, cast

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

Point = tuple[float, float]
Colour = tuple[float, float, float]
# Indices that select places of a picture.
Places = NDArray[np.intp]
Owners = NDArray[np.uint8]

# Fields that change slowly over the picture are computed at every eighth pixel and widened: off by < 0.001 px.
STEP = 8
# Linear light is looked up in 16384 steps up to white and clips from there on.
STEPS_TO_WHITE = 16383
# The reflectance of white paper.
PAPER = 0.85


class Box(NamedTuple):
    """Pixels from (left, top) up to, not including, (right, bottom)."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def empty(self) -> bool:
        return self.right <= self.left or self.bottom <= self.top

    @property
    def area(self) -> tuple[slice, slice]:
        return slice(self.top, self.bottom), slice(self.left, self.right)

    def within(self, other: "Box") -> "Box":
        left, top = max(self.left, other.left), max(self.top, other.top)
        return Box(left, top, max(left, min(self.right, other.right)), max(top, min(self.bottom, other.bottom)))

    def joined(self, other: "Box") -> "Box":
        if self.empty:
            return other
        if other.empty:
            return self
        lower = min(self.left, other.left), min(self.top, other.top)
        return Box(*lower, max(self.right, other.right), max(self.bottom, other.bottom))

    def grown(self, margin: int) -> "Box":
        return Box(self.left - margin, self.top - margin, self.right + margin, self.bottom + margin)

    def moved(self, left: int, top: int) -> "Box":
        return Box(self.left + left, self.top + top, self.right + left, self.bottom + top)


NOWHERE = Box(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Lens:
    """Millimetres and degrees; `focal` is in picture widths, `aim` is the point of the table in the middle of the
    picture."""

    width: int = 1280
    height: int = 960
    above: float = 700.0
    tilt: float = 0.0
    tilt_towards: float = 90.0
    turn: float = 0.0
    focal: float = 1.33
    aim: Point = (210.0, 148.5)
    bend: float = 0.0
    vignette: float = 0.08

    @property
    def frame(self) -> Box:
        return Box(0, 0, self.width, self.height)

    @property
    def scale(self) -> float:
        """Pixels per millimetre in the middle of the picture."""
        return self.focal * self.width / self.above

    def foot(self) -> Point:
        """The point of the table straight below the camera."""
        eye = self._eye()
        return float(eye[0]), float(eye[1])

    def project(self, points: MatLike, up: float = 0.0) -> MatLike:
        flat = np.asarray(points, np.float64).reshape(-1, 2)
        space = np.column_stack([flat, np.full(len(flat), -up)]) - self._eye()
        seen = space @ self._axes()
        rays = seen[:, :2] / seen[:, 2:]
        bent = rays * (1 + self.bend * (rays**2).sum(1, keepdims=True))
        return bent * (self.focal * self.width) + self._middle()

    def box(self, points: MatLike, up: float = 0.0) -> Box:
        """The box of pixels around these points of the table, clipped to the picture."""
        pixels = self.project(points, up)
        low, high = np.floor(pixels.min(0)).astype(int) - 1, np.ceil(pixels.max(0)).astype(int) + 2
        return Box(int(low[0]), int(low[1]), int(high[0]), int(high[1])).within(self.frame)

    def coarse(self) -> tuple[MatLike, MatLike]:
        """For every eighth pixel, and one step beyond the picture: the table's point, and the vignetting."""
        across = (np.arange(-1, self.width // STEP + 2) + 0.5) * STEP - 0.5
        down = (np.arange(-1, self.height // STEP + 2) + 0.5) * STEP - 0.5
        pixels = np.stack(np.meshgrid(across, down), -1)
        bent = (pixels - self._middle()) / (self.focal * self.width)
        rays = bent
        for _ in range(6):
            rays = bent / (1 + self.bend * (rays**2).sum(-1, keepdims=True))
        reach = self._axes() @ np.concatenate([rays, np.ones_like(rays[..., :1])], -1)[..., None]
        reach = reach[..., 0]
        table = self._eye()[:2] + reach[..., :2] * (self.above / reach[..., 2:])
        corner = ((self._middle() / (self.focal * self.width)) ** 2).sum()
        dimmed = 1 - self.vignette * (bent**2).sum(-1) / corner
        return table.astype(np.float32), dimmed.astype(np.float32)

    def widen(self, coarse: MatLike) -> MatLike:
        size = (coarse.shape[1] * STEP, coarse.shape[0] * STEP)
        wide = cv2.resize(coarse, size, interpolation=cv2.INTER_LINEAR)
        return np.ascontiguousarray(wide[STEP : STEP + self.height, STEP : STEP + self.width])

    def _middle(self) -> MatLike:
        return np.array([(self.width - 1) / 2, (self.height - 1) / 2])

    def _axes(self) -> MatLike:
        """The camera's right, down and forward as columns; the table's z axis points down through its top."""
        return _axes(self.turn, self.tilt_towards, self.tilt)

    def _eye(self) -> MatLike:
        forward = self._axes()[:, 2]
        back = forward * (self.above / forward[2])
        return np.array([self.aim[0] - back[0], self.aim[1] - back[1], -self.above])


@lru_cache(maxsize=16)
def _axes(turn: float, towards: float, tilt: float) -> MatLike:
    turn, towards, tilt = np.radians((turn, towards, tilt))
    about = np.array([-np.sin(towards), np.cos(towards), 0.0]) * tilt
    leaning = np.asarray(cv2.Rodrigues(about)[0], np.float64)
    turning = np.asarray(cv2.Rodrigues(np.array([0.0, 0.0, turn]))[0], np.float64)
    return leaning @ turning


def sample(sprite: MatLike, places: MatLike, border: int = cv2.BORDER_CONSTANT) -> MatLike:
    """The sprite's values at these places (in its pixels), interpolated."""
    return cv2.remap(sprite, places, _NO_SECOND_MAP, cv2.INTER_LINEAR, borderMode=border)


# The first map holds both coordinates, so there is no second one. The binding's types do not allow None, and a
# call with an empty array never returns.
_NO_SECOND_MAP = cast("MatLike", None)


@dataclass(frozen=True, slots=True)
class Sensor:
    """`exposure` converts the table's light to a share of white; `white` are the white balance gains (blue, green,
    red), at least 1. `photons` is what white collects at exposure 1: the darker the room, the higher the exposure,
    the fewer the photons and the stronger the noise."""

    exposure: float = 1.0
    white: Colour = (1.0, 1.0, 1.0)
    photons: float = 20_000.0
    read: float = 5.0
    blur: float = 0.6
    shutter: float = 0.008
    jpeg: int | None = None

    @classmethod
    def metered(
        cls, light: Colour, *, bright: float = 0.75, neutral: float = 0.9, cast: Colour = (1, 1, 1)
    ) -> Self:
        """A sensor set for this light: white paper comes out at `bright`, and the lamp's colour is removed to the
        share `neutral`."""
        level = np.asarray(light, np.float64)
        gains = (level.max() / level) ** neutral * np.asarray(cast)
        gains /= gains.min()
        exposure = bright / (PAPER * (level * gains).max())
        return cls(float(exposure), (float(gains[0]), float(gains[1]), float(gains[2])))

    def develop(self, light: MatLike) -> MatLike:
        gains = [self.exposure * gain * STEPS_TO_WHITE for gain in self.white]
        steps = cv2.multiply(light, np.array([*gains, 0.0]), dtype=cv2.CV_16U)
        return _curve()[np.asarray(steps, np.uint16)]

    def grain(self, picture: MatLike, shot: int) -> MatLike:
        """The same picture with the noise of that shot."""
        height, width = picture.shape[:2]
        spare = _noise(height, width)
        top, left = np.random.default_rng((shot, 0x5EED)).integers(0, SPARE, 2)
        scatter = cv2.LUT(picture, self._scatter())
        scatter *= spare[top : top + height, left : left + width]
        scatter += 128
        scatter >>= 8
        scatter += picture
        return np.clip(scatter, 0, 255, out=scatter).astype(np.uint8)

    def _scatter(self) -> MatLike:
        """For each code of each channel: eight times the standard deviation of the noise, in codes."""
        code = np.arange(256)[:, None] / 255
        linear = to_linear(code)
        gains = np.asarray(self.white)
        raw = linear / gains
        few = self.exposure / self.photons
        deviation = np.sqrt(raw * few + (self.read * few) ** 2) * gains
        slope = np.where(linear > 0.0031308, 1.055 / 2.4 * np.maximum(linear, 0.0031308) ** (1 / 2.4 - 1), 12.92)
        codes = np.minimum(deviation * slope * 255 * 8, 240)
        # Clipped white has no noise.
        codes[255] = 0
        return codes.round().astype(np.int16)[:, None, :]


SPARE = 256


@lru_cache(maxsize=4)
def _noise(height: int, width: int) -> MatLike:
    """Noise of deviation 32, slightly blurred as a colour sensor's is; each picture uses another part of it."""
    chance = np.random.default_rng(7)
    grain = chance.standard_normal((height + SPARE, width + SPARE, 3), np.float32)
    grain = cv2.GaussianBlur(grain, (0, 0), 0.55)
    grain *= 32 / grain.std()
    return np.clip(grain.round(), -128, 128).astype(np.int16)


def to_linear(code: MatLike) -> MatLike:
    return np.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4)


@lru_cache(maxsize=1)
def _curve() -> NDArray[np.uint8]:
    share = np.minimum(np.arange(65536) / STEPS_TO_WHITE, 1.0)
    code = np.where(share <= 0.0031308, share * 12.92, 1.055 * np.maximum(share, 1e-9) ** (1 / 2.4) - 0.055)
    return (code * 255).round().astype(np.uint8)


@lru_cache(maxsize=1)
def linear_of_code() -> MatLike:
    return to_linear(np.arange(256) / 255).astype(np.float32)
