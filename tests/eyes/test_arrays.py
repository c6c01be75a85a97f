"""What is written anew because it is quicker says the same as numpy does."""

import cv2
import numpy as np
import pytest

from companion.eyes.image.arrays import inverse, mean_of_channels, median, over_channels, power, quantile
from companion.eyes.image.cut_window import cut_window, cut_windows


@pytest.mark.parametrize("many", [1, 2, 5, 609, 1000])
def test_quantiles_are_those_of_numpy(many: int) -> None:
    """Between two numbers as well as at one."""
    values = np.random.default_rng(many).random((3, many), np.float32)
    for share in (0.0, 0.02, 0.25, 0.98, 1.0):
        np.testing.assert_allclose(quantile(values, share), np.quantile(values, share, axis=-1), atol=1e-6)
    np.testing.assert_allclose(median(values), np.median(values, axis=-1), atol=1e-6)


def test_channels_are_compared_pixel_by_pixel() -> None:
    """The most, the least and the sum of the three."""
    picture = np.random.default_rng(1).random((6, 7, 3), np.float32)
    np.testing.assert_array_equal(over_channels(cv2.max, picture), picture.max(2))
    np.testing.assert_array_equal(over_channels(cv2.min, picture), picture.min(2))
    np.testing.assert_allclose(over_channels(cv2.add, picture), picture.sum(2), rtol=1e-6)
    np.testing.assert_allclose(mean_of_channels(picture), picture.mean(2), rtol=1e-6)
    np.testing.assert_allclose(power(picture), (picture**2).sum(2), rtol=1e-6)


def test_a_map_is_turned_round() -> None:
    """As long as it has an inverse."""
    map_ = np.array([[1.1, 0.2, 40.0], [-0.1, 0.9, 30.0], [0.0002, -0.0001, 1.0]])
    np.testing.assert_allclose(inverse(map_), np.linalg.inv(map_), rtol=1e-9)
    assert not inverse(np.zeros((3, 3))).any()


def test_many_windows_are_as_each_by_itself() -> None:
    """Also where one reaches over the picture's edge."""
    picture = np.random.default_rng(2).random((60, 70, 3), np.float32)
    places = [(30.2, 25.7, 0.0), (33.5, 30.1, 37.0), (4.0, 55.0, 271.5)]
    windows = cut_windows(picture, np.array(places), (20, 29))
    for window, (x, y, turn) in zip(windows, places, strict=True):
        # OpenCV reckons with 32nds of a pixel.
        np.testing.assert_allclose(window, cut_window(picture, x, y, turn, (20, 29)), atol=0.05)
