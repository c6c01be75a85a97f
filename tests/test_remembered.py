"""A picture that was drawn before is the one that is drawn."""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.drawn import painter
from companion.drawn.drawn_camera import Lens
from companion.drawn.drawn_card import card_back
from companion.drawn.drawn_hand import Hand, Style
from companion.drawn.drawn_lot import scene_by_lot
from companion.drawn.drawn_surface import Surface, surface_picture
from companion.drawn.painter import Scene

from .remembered import Drawer, Memory, name_of

SCENE = scene_by_lot(5, [card_back(1), card_back(2)], light="glare", mat=False, width=160, height=120)


def no_drawing(*_: object) -> None:
    raise AssertionError("this has been drawn before")


@pytest.mark.parametrize("scene", [SCENE, replace(SCENE, hands=(Hand(Style(), (60.0, 60.0), 20.0, 180.0),))])
def test_what_was_drawn_is_not_drawn_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scene: Scene) -> None:
    """The picture and the truth about it are the same, also for somebody else who begins later."""
    picture, truth = painter.paint(scene, 3)
    assert np.array_equal(picture, Drawer(Memory(tmp_path)).paint(scene, 3)[0])
    monkeypatch.setattr(painter, "paint", no_drawing)
    again, truth_again = Drawer(Memory(tmp_path)).paint(scene, 3)
    assert np.array_equal(picture, again)
    assert again.flags.writeable
    assert truth == truth_again


def test_so_is_what_it_lies_on(tmp_path: Path) -> None:
    """With and without the mat."""
    for mat in (True, False, True):
        drawn_again = Drawer(Memory(tmp_path)).surface(Surface("felt", 2), mat=mat)
        assert np.array_equal(surface_picture(Surface("felt", 2), mat=mat), drawn_again)


def test_whatever_differs_is_another_picture() -> None:
    """Be it a single pixel of what is printed on a card, or the noise."""
    face = card_back(1)
    other = face.picture.copy()
    other[0, 0, 0] ^= 1
    pile = SCENE.piles[0] or SCENE.piles[1]
    with_face, with_other = (
        replace(SCENE, piles=((replace(pile[0], face=one),),) * 9) for one in (face, replace(face, picture=other))
    )
    changed = [SCENE, replace(SCENE, lens=Lens(160, 120)), with_face, with_other]
    names = [name_of(one, shot) for one in changed for shot in (0, 1)]
    assert len(names) == len(set(names))
    assert name_of(with_face, 0) == name_of(replace(SCENE, piles=with_face.piles), 0)


def test_what_nobody_can_compare_is_not_remembered() -> None:
    """Rather than taken for another."""
    with pytest.raises(TypeError, match="nobody knows"):
        name_of(object())


def test_what_is_damaged_is_drawn_again(tmp_path: Path) -> None:
    """Nobody trusts a file that was cut off."""
    memory = Memory(tmp_path)
    assert b"good" == memory.of("name", lambda: b"good")
    (tmp_path / "name").write_bytes((tmp_path / "name").read_bytes()[:-3])
    assert b"new" == memory.of("name", lambda: b"new")
    assert b"new" == memory.of("name", lambda: b"newer")
    assert ["name"] == [path.name for path in tmp_path.iterdir()]


def test_many_may_draw_the_same_at_once(tmp_path: Path) -> None:
    """Each is given all of it, and no draft is left."""
    content = bytes(range(256)) * 4000
    with ThreadPoolExecutor(8) as many:
        given = [many.submit(Memory(tmp_path).of, "name", lambda: content) for _ in range(40)]
    assert {content} == {one.result() for one in given}
    assert ["name"] == [path.name for path in tmp_path.iterdir()]


def test_where_nothing_can_be_kept_it_is_drawn_each_time(tmp_path: Path) -> None:
    """A file where the folder should be, as good as any disk that is full."""
    (tmp_path / "drawn").write_bytes(b"")
    memory = Memory(tmp_path / "drawn")
    assert [b"1", b"2"] == [memory.of("name", lambda said=said: said) for said in (b"1", b"2")]
    memory.forget_the_oldest()


def test_there_is_so_much_room_and_no_more(tmp_path: Path) -> None:
    """What was needed last is kept."""
    chance = np.random.default_rng(1)
    memory = Memory(tmp_path, room=2500)
    for number in range(4):
        memory.of(str(number), lambda: chance.bytes(1000))
        os.utime(tmp_path / str(number), (number, number))
    memory.of("0", lambda: b"")
    memory.forget_the_oldest()
    assert {"0", "3"} == {path.name for path in tmp_path.iterdir()}
