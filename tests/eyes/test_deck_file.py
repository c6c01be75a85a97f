"""A taught deck kept in a file: the same deck when it is read again, or one sentence about what is wrong."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import files
from companion.core.cards import CARDS
from companion.core.reading import Shown
from companion.errors import DeckNewer, NotADeck
from companion.eyes.deck.deck_file import read_deck, write_deck
from companion.eyes.deck.taught_deck import TaughtCard, TaughtDeck
from companion.eyes.grid.grid_from_mat import find_mat
from companion.eyes.image.picture import read_picture
from companion.eyes.look import Eyes

from ..exploring import examples
from .conftest import Taught
from .png_chunks import Chunk, chunks_of, png_of

LARGEST = 300_000


def a_deck(brightest: float = 1.2) -> TaughtDeck:
    chance = np.random.default_rng(5)
    roots = [np.asarray(chance.uniform(0, brightest, (84, 60, 3)), np.float32) for _ in CARDS]
    cards = tuple(TaughtCard(card, root) for card, root in zip(CARDS.values(), roots, strict=True))
    return TaughtDeck("Oma's", cards, white_known=True)


def parts(path: Path) -> tuple[Chunk, dict[str, Any], list[Chunk]]:
    first, text, *rest = chunks_of(path.read_bytes())
    return first, json.loads(text.content.rpartition(b"\0")[2]), rest


def rewritten(path: Path, about: object, rest: Iterable[Chunk] | None = None) -> None:
    """The same file with another description."""
    first, text, *others = chunks_of(path.read_bytes())
    said = about if isinstance(about, bytes) else json.dumps(about).encode()
    key = text.content[: text.content.rindex(b"\0") + 1]
    path.write_bytes(png_of([first, Chunk(b"iTXt", key + said), *(others if rest is None else rest)]))


def what_comes_of(path: Path) -> str:
    try:
        deck = read_deck(path)
    except NotADeck as error:
        return "a sentence" if str(error).startswith(f"{path}: ") else str(error)
    return "two cards" if len(deck.cards) == 2 else "another deck"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "oma.deck"
    write_deck(a_deck(), path)
    return path


@pytest.mark.parametrize("brightest", [0.3, 1.0, 3.0])
def test_a_deck_is_read_as_it_was_written(brightest: float, tmp_path: Path) -> None:
    """Name, cards and their order are the same, and each picture is right to half a step of 255."""
    deck, path = a_deck(brightest), tmp_path / "oma.deck"
    write_deck(deck, path)
    again = read_deck(path)
    assert (deck.name, deck.white_known) == (again.name, again.white_known)
    assert [one.card for one in deck.cards] == [one.card for one in again.cards]
    step = max(brightest, 1.0) / 255
    for one, other in zip(deck.cards, again.cards, strict=True):
        assert np.abs(one.root - other.root).max() <= step * 0.51


def test_a_deck_reads_the_same_out_of_its_file(on_mat: Taught) -> None:
    """What lies on the table is told the same by the deck as it was taught and as it was kept, and it is small."""
    taught, kept = Eyes(on_mat.lesson.deck), Eyes(read_deck(on_mat.deck))
    for path in on_mat.pictures:
        picture = read_picture(path)
        grid = find_mat(picture)
        assert grid is not None
        expected, actual = taught.look(picture, grid).sights, kept.look(picture, grid).sights
        assert 8 == sum(isinstance(sight, Shown) for sight in expected)
        for one, other in zip(expected, actual, strict=True):
            assert isinstance(one, Shown) == isinstance(other, Shown)
            if isinstance(one, Shown) and isinstance(other, Shown):
                assert one.card == other.card
                assert one.sure == pytest.approx(other.sure, abs=0.05)
    assert on_mat.deck.stat().st_size < LARGEST


def test_the_file_shows_the_cards(path: Path) -> None:
    """Any program that opens PNG shows what was taught."""
    picture = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert (84, 16 * 60, 3) == picture.shape


def test_another_deck_takes_its_place_whole(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When writing fails, the deck that was there before is still there, and nothing else is."""
    before = path.read_bytes()

    def no_room(_file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", no_room)
    with pytest.raises(OSError, match="No space"):
        write_deck(a_deck(0.5), path)
    assert before == path.read_bytes()
    assert [path] == [*path.parent.iterdir()]


def test_what_could_not_be_written_is_named_as_it_was_asked_for(tmp_path: Path) -> None:
    """Nobody has asked for a draft."""
    with pytest.raises(FileNotFoundError) as caught:
        write_deck(a_deck(0.5), tmp_path / "nowhere" / "ours.deck")
    assert str(tmp_path / "nowhere" / "ours.deck") == caught.value.filename


def test_a_later_deck_says_so(path: Path) -> None:
    """A deck of a later version is not guessed at."""
    _, about, _ = parts(path)
    rewritten(path, {**about, "version": 2})
    with pytest.raises(DeckNewer, match="update this one"):
        read_deck(path)


def test_what_a_later_version_adds_is_no_matter(path: Path) -> None:
    """A key that this version doesn't know leaves the deck readable."""
    _, about, _ = parts(path)
    rewritten(path, {**about, "taught_by": "Oma"})
    assert "Oma's" == read_deck(path).name


@pytest.mark.parametrize(
    "change",
    [
        {"version": None},
        {"version": 0},
        {"version": 1.5},
        {"version": True},
        {"name": ""},
        {"name": 7},
        {"mm": -1},
        {"mm": 10**400},
        {"mm": "1"},
        {"white_known": 1},
        {"brightest": 0},
        {"brightest": float("nan")},
        {"brightest": float("inf")},
        {"cards": []},
        {"cards": 16},
        {"cards": ["raft"] * 16},
        {"cards": [{"boat": "raft", "colour": "pink"}] * 16},
        {"cards": [{"boat": "raft", "colour": "black"}] * 16},
        {"cards": [{"boat": ["raft"], "colour": 5}] * 16},
        {"cards": [{"boat": "raft", "colour": "pink"}, {"boat": "raft", "colour": "blue"}]},
        {"cards": [{"boat": "raft"}] * 10_000},
    ],
)
def test_nonsense_is_refused(change: dict[str, Any], path: Path) -> None:
    """Each number and name that can't be is refused with the file's name."""
    _, about, _ = parts(path)
    rewritten(path, {**about, **change})
    with pytest.raises(NotADeck, match="teach the deck again") as caught:
        read_deck(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert ": the cards makes" not in str(caught.value)


@pytest.mark.parametrize("about", [b"", b"[]", b"{", b"[" * 100_000, b'{"version":' + b"9" * 5000 + b"}"])
def test_a_broken_description_is_refused(about: bytes, path: Path) -> None:
    """What is no JSON object is refused."""
    rewritten(path, about)
    with pytest.raises(NotADeck, match="teach the deck again"):
        read_deck(path)


def test_a_description_that_is_no_text_is_none(path: Path) -> None:
    """PNG's texts are UTF-8; what is not is no text, and the file a picture like any other."""
    rewritten(path, b"\xff")
    with pytest.raises(NotADeck, match="a picture and no taught deck"):
        read_deck(path)


def test_the_same_deck_is_the_same_file(path: Path) -> None:
    """Written twice, its bytes are the same, with the description in front of the picture."""
    before = path.read_bytes()
    write_deck(a_deck(), path)
    assert before == path.read_bytes()
    assert [b"IHDR", b"iTXt"] == [chunk.kind for chunk in chunks_of(before)][:2]


def test_other_files_are_refused(path: Path, on_mat: Taught) -> None:
    """A text, a picture, a folder full of nothing: each is said to be no deck."""
    for content in (b"", b"Dear diary", bytes(3_000_000)):
        path.write_bytes(content)
        with pytest.raises(NotADeck, match="no taught deck"):
            read_deck(path)
    path.write_bytes(cv2.imencode(".png", read_picture(on_mat.pictures[0])[:200, :200])[1].tobytes())
    with pytest.raises(NotADeck, match="a picture and no taught deck"):
        read_deck(path)


def test_a_bomb_is_refused(path: Path) -> None:
    """A small file that would fill the memory is refused by its header, before anything makes room for it."""
    first, text, *rest = chunks_of(path.read_bytes())
    size = (60_000).to_bytes(4, "big") * 2
    path.write_bytes(png_of([Chunk(b"IHDR", size + first.content[8:]), text, *rest]))
    with pytest.raises(NotADeck, match="too large"):
        read_deck(path)


@settings(max_examples=examples(300))
@given(data=st.data())
def test_no_damage_is_worse_than_a_sentence(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whatever befalls the file, it is the deck or the family's error."""
    path = tmp_path_factory.getbasetemp() / "damaged.deck"
    write_deck(TaughtDeck("a", a_deck().cards[:2], white_known=False), path)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.one_of(st.integers(0, 300), st.integers(0, len(content) - 1)))
        if data.draw(st.booleans()):
            content[place] = data.draw(st.integers(0, 255))
        else:
            del content[place : place + data.draw(st.integers(1, 2000))]
    path.write_bytes(content)
    assert what_comes_of(path) in ("two cards", "a sentence")


@settings(max_examples=examples(200))
@given(
    changes=st.dictionaries(
        st.sampled_from(["version", "name", "mm", "brightest", "white_known", "cards"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
        ),
    )
)
def test_no_description_is_worse_than_a_sentence(
    changes: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever a file with right checksums says of its cards, it is a deck or the family's error."""
    path = tmp_path_factory.getbasetemp() / "described.deck"
    write_deck(TaughtDeck("a", a_deck().cards[:2], white_known=False), path)
    _, about, _ = parts(path)
    rewritten(path, {**about, **changes})
    assert what_comes_of(path) in ("two cards", "a sentence")
