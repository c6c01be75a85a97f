"""How soon phones show what has happened: measured on real ones, printed as a table."""

from companion.bench.page_bench import HEAD, Measured, measure, row


def test_every_phone_sees_every_race() -> None:
    """Three phones, one race: each press and each update has its time on each phone."""
    measured = measure(3, 1)
    assert (3, 18, 0) == (len(measured.presses_ms), len(measured.updates_ms), measured.missed)
    assert min(measured.updates_ms) > 0
    assert 0 < measured.longest_update < 2048
    assert measured.cpu_us > 0
    assert measured.stop_s < 1


def test_a_row_stands_under_its_heads() -> None:
    """Also where the system does not tell how much memory there is."""
    for more in (7_100_000, None):
        line = row(Measured(250, [1.0, 2.0, 30.0], [4.0], [1.0], [3.0], 15.0, 0, more, 900, 0.08))
        assert [len(part) for part in line.split("|")] == [len(part) for part in HEAD[1].split("|")]
    assert "250|      2.0     30.0     30.0|" in row(
        Measured(250, [1.0, 2.0, 30.0], [4.0], [1.0], [3.0], 15.0, 0, None, 900, 0.08)
    )
