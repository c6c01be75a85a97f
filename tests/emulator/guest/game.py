"""A filmed game played at a real rig: `python game.py FILM OUT CAMERA`. Real lines are pressed when fingers came
down, a phone says what people said, and a webcam shows what they did.
"""

import json
import sys
import time
from pathlib import Path

from service import Film, plug_in, serving

# A press is proved only when its switch has come to rest.
AFTER_S = 1.0


def main(folder: Path, out: Path, camera: str) -> None:
    webcam = plug_in(folder)
    with serving(camera, out) as (phone, lines):
        film = Film(folder)
        for number in range(len(film.steps)):
            film.do(number, phone, lines)
        film.run_on()
        (out / "presses.json").write_text(json.dumps(film.pressed))
        phone.until(lambda: phone.state()["phase"] == "over")
        time.sleep(AFTER_S)
    webcam.kill()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
