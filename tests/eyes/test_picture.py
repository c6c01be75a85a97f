"""Pictures from files: whatever lies there, a picture comes out of it or one sentence."""

import errno
import os
import struct
import sys
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from cv2.typing import MatLike
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageOps

from companion.errors import NotAPicture
from companion.eyes.image.picture import MOST_PIXELS, pixels_of, read_picture

from ..exploring import examples
from .png_chunks import Chunk, chunks_of, png_of

KINDS = ("png", "jpg", "bmp", "webp")


def a_picture(wide: int = 200, high: int = 170) -> MatLike:
    """Soft colours, so that JPEG keeps them."""
    down, across = np.mgrid[:high, :wide]
    soft = np.stack([across * 250 / wide, down * 250 / high, (across + down) * 100 / wide], -1)
    return np.asarray(soft, np.uint8)


def as_file(picture: MatLike, kind: str) -> bytes:
    return cv2.imencode(f".{kind}", picture)[1].tobytes()


FILES = {kind: as_file(a_picture(), kind) for kind in KINDS}
FILES["progressive jpg"] = cv2.imencode(".jpg", a_picture(), (cv2.IMWRITE_JPEG_PROGRESSIVE, 1))[1].tobytes()
FILES["exact webp"] = cv2.imencode(".webp", a_picture(), (cv2.IMWRITE_WEBP_QUALITY, 101))[1].tobytes()


def segment(marker: int, content: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(content) + 2) + content


def header_only_png(wide: int, high: int) -> bytes:
    header = struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)
    return png_of([Chunk(b"IHDR", header), Chunk(b"IDAT", zlib.compress(b"")), Chunk(b"IEND", b"")])


def header_only_jpeg(wide: int, high: int) -> bytes:
    inks = 3
    frame = struct.pack(">BHHB", 8, high, wide, inks) + b"\x01\x11\x00" * inks
    scan = bytes([inks]) + bytes(2 * inks) + b"\0\x3f\0"
    return b"\xff\xd8" + segment(0xC0, frame) + segment(0xDA, scan) + b"\xff\xd9"


def header_only_bmp(wide: int, high: int) -> bytes:
    return b"BM" + struct.pack("<IHHIIiiHH", 54, 0, 0, 54, 40, wide, high, 1, 24) + bytes(24)


def header_only_webp(wide: int, high: int) -> bytes:
    chunk = b"VP8L" + struct.pack("<I", 8) + b"\x2f" + struct.pack("<I", (wide - 1) | (high - 1) << 14) + bytes(3)
    return b"RIFF" + struct.pack("<I", len(chunk) + 4) + b"WEBP" + chunk


HEADERS: dict[str, Callable[[int, int], bytes]] = {
    "png": header_only_png,
    "jpg": header_only_jpeg,
    "bmp": header_only_bmp,
    "webp": header_only_webp,
}


@pytest.mark.parametrize("kind", FILES)
def test_every_kind_is_read(kind: str, tmp_path: Path) -> None:
    """PNG, JPEG, BMP and WebP give blue, green and red as they were."""
    path = tmp_path / "table"
    path.write_bytes(FILES[kind])
    picture = read_picture(path)
    assert picture.dtype == np.uint8
    assert np.abs(a_picture().astype(int) - picture.astype(int)).max() <= 12


@pytest.mark.parametrize(
    ("stored", "seen"),
    [
        (a_picture().astype(np.uint16) * 257, a_picture()),
        (a_picture()[..., 1], np.repeat(a_picture()[..., 1:2], 3, 2)),
        (np.dstack([a_picture(), np.zeros((170, 200), np.uint8)]), a_picture()),
    ],
    ids=["sixteen bits", "grey", "transparent"],
)
def test_other_depths_become_eight_bits_and_three_channels(stored: MatLike, seen: MatLike) -> None:
    """Sixteen bits, grey and transparency end in the same three channels of eight bits."""
    assert seen.tolist() == pixels_of(as_file(stored, "png")).tolist()


def saved(picture: Image.Image, kind: str, **how: Any) -> bytes:
    file = BytesIO()
    picture.save(file, kind, **how)
    return file.getvalue()


def test_a_palette_is_seen_as_its_colours() -> None:
    """Of a picture of few colours each pixel has its own, also where one of them is said to be transparent."""
    few = Image.fromarray(a_picture()[..., ::-1]).quantize(16)
    seen = np.asarray(few.convert("RGB"))[..., ::-1].tolist()
    assert seen == pixels_of(saved(few, "PNG")).tolist()
    assert seen == pixels_of(saved(few, "PNG", transparency=3)).tolist()


def test_inks_are_seen_as_colours() -> None:
    """A JPEG for the printing press shows what it will be on paper."""
    inks = Image.fromarray(a_picture()[..., ::-1]).convert("CMYK")
    assert np.abs(pixels_of(saved(inks, "JPEG", quality=95)).astype(int) - a_picture()).max() <= 6


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize(("kind", "mode"), [("JPEG", "RGB"), ("JPEG", "CMYK"), ("PNG", "RGB"), ("WEBP", "RGB")])
def test_a_photo_is_turned_as_it_says(kind: str, orientation: int, mode: str) -> None:
    """A photo that says it was taken with the camera on its side, on its head or by a mirror is upright, as every
    program shows it."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    taken = Image.fromarray(a_picture()[..., ::-1]).convert(mode)
    data = saved(taken, kind, exif=exif, quality=95)
    right = np.asarray(ImageOps.exif_transpose(Image.open(BytesIO(data))).convert("RGB"))[..., ::-1]
    assert {5, 6, 7, 8}.isdisjoint({orientation}) == (right.shape == a_picture().shape)
    seen = pixels_of(data)
    assert right.shape == seen.shape
    assert np.abs(right.astype(int) - seen).max() <= 2


@pytest.mark.parametrize("said", [b"", b"MM", b"MM\0*\xff\xff\xff\xff", b"II*\0\x08\0\0\0\xff\xff"])
def test_what_is_said_about_a_photo_may_be_broken(said: bytes) -> None:
    """A photo whose EXIF makes no sense is read as it lies there."""
    jpeg = FILES["jpg"]
    broken = jpeg[:2] + segment(0xE1, b"Exif\0\0" + said) + jpeg[2:]
    assert pixels_of(jpeg).tolist() == pixels_of(broken).tolist()


def test_what_programs_add_to_a_png_is_no_matter(capfd: pytest.CaptureFixture[str]) -> None:
    """Chunks that a picture can do without are not looked at: a broken colour profile says nothing."""
    first, *rest = chunks_of(FILES["png"])
    picture = pixels_of(png_of([first, Chunk(b"iCCP", b"broken\0\0nothing"), *rest]))
    assert a_picture().tolist() == picture.tolist()
    assert ("", "") == capfd.readouterr()


def test_what_follows_a_picture_is_no_matter() -> None:
    """Phones append films and notes to their photos."""
    assert pixels_of(FILES["jpg"]).tolist() == pixels_of(FILES["jpg"] + b"a film of three seconds").tolist()


@pytest.mark.parametrize("share", [0.1, 0.3, 0.7, 0.97])
@pytest.mark.parametrize("kind", FILES)
def test_a_file_cut_short_is_refused(kind: str, share: float) -> None:
    """A picture of which a part is missing is not filled up with grey."""
    with pytest.raises(NotAPicture, match=r"cut short|damaged"):
        pixels_of(FILES[kind][: int(len(FILES[kind]) * share)])


def test_a_jpeg_that_lost_a_piece_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    """A JPEG in whose middle bytes are missing is not filled up with grey either, and its decoder is not heard."""
    whole = as_file(np.random.default_rng(1).integers(0, 255, (200, 200, 3), np.uint8), "jpg")
    with pytest.raises(NotAPicture, match="damaged"):
        pixels_of(whole[:4000] + bytes(900) + whole[9000:])
    assert ("", "") == capfd.readouterr()


@pytest.mark.parametrize("kind", HEADERS)
def test_a_giant_is_refused_before_it_is_decoded(kind: str) -> None:
    """A few bytes that ask for a hundred million pixels are refused by their header alone."""
    with pytest.raises(NotAPicture, match="too large, 10000 x 10000 pixels"):
        pixels_of(HEADERS[kind](10_000, 10_000))


@pytest.mark.parametrize("kind", HEADERS)
def test_a_dwarf_is_refused(kind: str) -> None:
    """One pixel can't show nine cells."""
    with pytest.raises(NotAPicture, match="too small, 1 x 1 pixels"):
        pixels_of(HEADERS[kind](1, 1))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "empty"),
        (b"Dear diary", "no picture"),
        (b"GIF89a" + bytes(50), "GIF file; save it"),
        (b"\0\0\0\x18ftypheic" + bytes(50), "HEIC file; save it"),
        (b"II*\0" + bytes(50), "TIFF file; save it"),
        (b"\x89PNG\r\n\x1a\n", "cut short"),
        (b"\xff\xd8\xff", "cut short"),
        (b"BM", "cut short"),
    ],
)
def test_what_is_no_picture_is_named(content: bytes, problem: str, tmp_path: Path) -> None:
    """The message names the file, says what is wrong, and is one line."""
    path = tmp_path / "table.jpg"
    path.write_bytes(content)
    with pytest.raises(NotAPicture, match=problem) as caught:
        read_picture(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_what_is_no_file_is_named(tmp_path: Path) -> None:
    """A folder, a device and a name that is none are each refused in plain words."""
    with pytest.raises(NotAPicture, match="folder"):
        read_picture(tmp_path)
    with pytest.raises(NotAPicture, match="no such file"):
        read_picture(tmp_path / "none.jpg")
    with pytest.raises(NotAPicture, match="no such file"):
        read_picture(tmp_path / "none" / "none.jpg")
    with pytest.raises(NotAPicture, match="too long"):
        read_picture(tmp_path / ("x" * 5000))


def test_what_may_not_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that belongs to somebody else is refused with the reason."""

    def not_yours(*_: object) -> Iterator[bytes]:
        raise PermissionError(13, "Permission denied")

    path = tmp_path / "table.jpg"
    path.write_bytes(FILES["jpg"])
    monkeypatch.setattr(Path, "open", not_yours)
    with pytest.raises(NotAPicture, match="Permission denied"):
        read_picture(path)


def what_comes_of(data: bytes) -> str:
    try:
        picture = pixels_of(data)
    except NotAPicture as error:
        return "a sentence" if str(error) else "nothing"
    fits = picture.dtype == np.uint8 and picture.shape[2:] == (3,) and picture.size <= 3 * MOST_PIXELS
    return "a picture" if fits else f"{picture.dtype} {picture.shape}"


@settings(max_examples=examples(400))
@given(st.data(), st.sampled_from(sorted(FILES)))
def test_no_damage_is_worse_than_a_sentence(data: st.DataObject, kind: str) -> None:
    """Bytes changed, removed, doubled: what comes out is a picture of eight bits or the family's error."""
    content = bytearray(FILES[kind])
    # Most of what can go wrong stands at the beginning.
    places = st.one_of(st.integers(0, 80), st.integers(0, len(content) - 1))
    for _ in range(data.draw(st.integers(1, 6))):
        place = min(data.draw(places), len(content) - 1)
        change = data.draw(st.sampled_from(["set", "cut", "insert"]))
        if change == "set":
            content[place] = data.draw(st.integers(0, 255))
        elif change == "cut":
            del content[place : place + data.draw(st.integers(1, 40))]
        else:
            content[place:place] = data.draw(st.binary(max_size=12))
    assert what_comes_of(bytes(content)) in ("a picture", "a sentence")


@settings(max_examples=examples(200))
@given(st.integers(150, 260), st.integers(150, 260), st.binary(min_size=5, max_size=5))
def test_no_header_is_worse_than_a_sentence(wide: int, high: int, kind: bytes) -> None:
    """A PNG whose checksums are right, but which is not of the size or kind it claims, is refused or decoded."""
    _, *rest = chunks_of(FILES["png"])
    for settled in (kind, b"\x08\x02\0\0\0"):
        claimed = png_of([Chunk(b"IHDR", struct.pack(">II", wide, high) + settled), *rest])
        assert what_comes_of(claimed) in ("a picture", "a sentence")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has files in memory")
def test_a_full_disk_is_no_reason_to_read_no_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the decoders say meanwhile is written down nowhere."""

    def no_room() -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    cv2.imwrite(str(tmp_path / "table.png"), np.full((480, 640, 3), 90, np.uint8))
    monkeypatch.setattr("companion.eyes.image.picture.TemporaryFile", no_room)
    assert (480, 640, 3) == read_picture(tmp_path / "table.png").shape
