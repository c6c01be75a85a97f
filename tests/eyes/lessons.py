"""Lessons as a family lays them out: eight cards of a made-up deck, a picture, the other eight, a picture."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from cv2.typing import MatLike

from companion.core.mat import CELLS
from companion.drawn.drawn_card import CardFace, DrawnCard
from companion.drawn.drawn_lot import scene_by_lot
from companion.drawn.painter import Pile

from ..remembered import paint
from .decks import DECKS

Name = tuple[str, str]
Labels = dict[str, dict[str, Any]]
FILES = ("first.png", "second.png")


@dataclass(frozen=True)
class Laid:
    """Two drawn pictures and what is written about them."""

    pictures: tuple[MatLike, MatLike]
    labels: Labels

    def write(self, folder: Path) -> list[Path]:
        paths = [folder / file for file in FILES]
        for path, picture in zip(paths, self.pictures, strict=True):
            cv2.imwrite(str(path), picture, (cv2.IMWRITE_PNG_COMPRESSION, 1))
        return paths


def as_json(name: Name | None) -> Mapping[str, str] | None:
    return None if name is None else {"boat": name[0], "colour": name[1]}


@cache
def faces(deck: str) -> dict[Name, CardFace]:
    return {name: CardFace(picture, name) for name, picture in DECKS[deck]().items()}


def laid_out(
    deck: str, *, mat: bool, lie: Mapping[int, Name | None] | None = None, turned: Sequence[int] = ()
) -> Laid:
    """The sixteen cards in the order of their names, the ninth cell of each picture empty. `lie`: what really lies
    at a place instead; `turned` are the places of cards that lie upside down."""
    names = tuple(sorted(faces(deck)))
    lying: list[Name | None] = [*names]
    for place, name in (lie or {}).items():
        lying[place] = name
    first, corners = _painted(deck, lying[:8], turned, mat=mat)
    second, others = _painted(deck, lying[8:], [place - 8 for place in turned], mat=mat)
    labels: Labels = {}
    for half, (file, at) in enumerate(zip(FILES, (corners, others), strict=True)):
        labels[file] = {"cells": [*map(as_json, names[half * 8 : half * 8 + 8]), None]}
        if not mat:
            labels[file]["corners"] = at
    return Laid((first, second), labels)


def _painted(
    deck: str, lying: Sequence[Name | None], turned: Sequence[int], *, mat: bool
) -> tuple[MatLike, list[list[float]]]:
    chance = np.random.default_rng(7)
    piles: list[Pile] = []
    for cell, name in zip(CELLS, [*lying, None], strict=True):
        x, y = cell.centre + chance.normal(0, 3, 2)
        turn = float(chance.normal(0, 2)) + (180 if len(piles) in turned else 0)
        piles.append(() if name is None else (DrawnCard(faces(deck)[name], float(x), float(y), turn),))
    scene = scene_by_lot(900, list(faces(deck).values()), light="neutral", mat=mat, filled=0)
    picture, truth = paint(replace(scene, piles=tuple(piles)))
    return picture, [[round(x, 2), round(y, 2)] for x, y in truth.corners]


def written(labels: object, folder: Path) -> Path:
    path = folder / "labels.json"
    path.write_text(json.dumps(labels), encoding="utf-8")
    return path
