"""What the clock can tell apart: measured, kept, and never believed to be better than a clock can be."""

from pathlib import Path

import pytest

from companion.rig.clock_resolution import (
    LEAST_US,
    MOST_US,
    USUAL_US,
    Resolution,
    load_resolution,
    resolution_from_gaps,
    save_resolution,
)


def test_all_but_one_in_a_thousand_doubled() -> None:
    """Rounded up to whole microseconds."""
    gaps = [*range(-20_000, 20_000, 20), 900_000]
    assert Resolution(40, "by a wire", 2001) == resolution_from_gaps(gaps, "by a wire")


@pytest.mark.parametrize(("gap", "us"), [(0, LEAST_US), (10**9, MOST_US)])
def test_within_reason(gap: int, us: int) -> None:
    """Whatever was measured."""
    assert us == resolution_from_gaps([gap] * 30, "by a wire").us


def test_what_was_measured_is_kept(tmp_path: Path) -> None:
    """Beside the journal."""
    resolution = Resolution(37, "by a wire", 500)
    save_resolution(resolution, tmp_path / "data")
    assert resolution == load_resolution(tmp_path / "data")


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"us":"x","measured":"","pairs":1}', '{"us":-1,"measured":"","pairs":1}']
)
def test_without_a_measurement_the_usual_holds(tmp_path: Path, text: str) -> None:
    """Also where what is kept makes no sense."""
    assert Resolution(USUAL_US) == load_resolution(tmp_path)
    (tmp_path / "timing.json").write_text(text)
    assert Resolution(USUAL_US) == load_resolution(tmp_path)
