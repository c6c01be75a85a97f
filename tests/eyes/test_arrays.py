"""What is written anew because it is quicker says the same as numpy does."""

import cv2
import numpy as np
import pytest

from companion.eyes.arrays import median, over_channels, quantile


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
