"""Is any seat faster? Made-up families, with seats that are fair and one that is not."""

from dataclasses import replace
from random import Random

from companion.games.goat.history import GameTally
from companion.games.goat.history.fairness import SeatSpeed, estimate_seat_speeds, student_t
from companion.history.game_summary import GameSummary

PEOPLE = ("Ada", "Ben", "Cy", "Dora")


def played(seed: int, games: int, *, slow: float = 0.0, changing: bool = True) -> list[GameSummary]:
    """Everybody is as fast as they are, in and out of luck; seat 2 may be slower."""
    chance = Random(seed)
    usual = {name: chance.uniform(400_000, 900_000) for name in PEOPLE}
    found: list[GameSummary] = []
    for number in range(games):
        seats = chance.sample(PEOPLE, 4) if changing else list(PEOPLE)
        times = [
            (round(usual[name] * (1 + slow * (seat == 2)) * chance.lognormvariate(0, 0.15)),)
            for seat, name in enumerate(seats)
        ]
        tally = GameTally(1, 0, tuple(times), (0, 0, 0, 0), 1, (15, 15, 15, 15), (15, 15, 15, 15), None)
        found.append(
            GameSummary(
                number,
                number,
                0,
                0,
                0,
                "goat",
                tuple(seats),
                (0, 1, 2, 3),
                0,
                over=True,
                winners=(),
                put_away=False,
                tally=tally,
            )
        )
    return found


def test_fair_seats_are_hardly_ever_called_unfair() -> None:
    """Of 200 families at fair tables at most 8 are told otherwise; one in a hundred is expected."""
    accused = sum(any(speed.unfair for speed in estimate_seat_speeds(played(seed, 20))) for seed in range(200))

    assert accused <= 8


def test_a_slow_button_is_found() -> None:
    """A seat that costs a fifth is found in forty games, and its size within its own bounds."""
    speeds = estimate_seat_speeds(played(1, 40, slow=0.2))

    assert [2] == [speed.seat for speed in speeds if speed.unfair and (speed.slower or 0) > 0]
    assert speeds[2].least is not None
    assert speeds[2].most is not None
    # Against the average seat, to which it belongs itself.
    assert speeds[2].least < 1.2 ** (3 / 4) - 1 < speeds[2].most


def test_who_never_changes_seats_tells_nothing_about_seats() -> None:
    """The quick person's seat is not called quick."""
    assert [SeatSpeed(seat, 40) for seat in range(4)] == estimate_seat_speeds(played(1, 40, changing=False))


def test_a_seat_is_slow_where_it_stands() -> None:
    """Beyond an empty place: it is the button there that is slow, whatever seat of the game that is."""
    places = (0, 1, 3, 5)
    speeds = estimate_seat_speeds(replace(game, places=places) for game in played(1, 40, slow=0.2))
    assert places == tuple(speed.seat for speed in speeds)
    assert [3] == [speed.seat for speed in speeds if speed.unfair and (speed.slower or 0) > 0]


def test_a_few_games_say_nothing_yet() -> None:
    """Three games of four people are too few to know how large chance is."""
    assert [None] * 4 == [speed.slower for speed in estimate_seat_speeds(played(1, 3))]


def test_student_s_t_is_that_of_the_tables() -> None:
    """Two of the values that stand in every book."""
    assert abs(student_t(0.975, 10) - 2.228) < 0.01
    assert abs(student_t(0.995, 30) - 2.750) < 0.01
