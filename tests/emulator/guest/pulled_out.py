"""A webcam pulled out in the middle of a race, and put back: `python pulled_out.py FILM OUT CAMERA`."""

import json
import sys
from pathlib import Path

from service import Film, plug_in, process, serving

# Nobody slaps alone for long: so many presses in a row are a race.
RACE = 5


def main(folder: Path, out: Path, camera: str) -> None:
    webcam = plug_in(folder)
    with serving(camera, out) as (phone, lines):
        before = process()
        film = Film(folder)
        kinds = ["seen" if deed is None else deed["type"] for *_, deed in film.steps]
        race = next(number for number in range(len(kinds)) if kinds[number : number + RACE] == ["press"] * RACE)
        for number in range(race + RACE):
            film.do(number, phone, lines)
            if number == race:
                webcam.kill()
        phone.until(lambda: phone.health()["camera"] == "gone")
        phone.until(lambda: phone.state()["phase"] == "pickup")
        webcam = plug_in(folder)
        phone.until(lambda: phone.health()["camera"] is None)
        (out / "same").write_text(json.dumps(before == process()))
    webcam.kill()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
