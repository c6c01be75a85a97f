"""The seats' lamps: whose turn, who is safe, who takes piles; never that there is a set to be found."""

from companion.core.lamp import Lamp, SuddenLight
from companion.table.evening import Evening

from .play import S, card, fix, game, heard, lift, pinks, press, seen

DARK, BREATHING, SOLID, BLINKING, FAST = Lamp


def shown(evening: Evening) -> tuple[Lamp, ...]:
    assert evening.game is not None
    return evening.game.lamps()


def test_whose_turn_it_is_breathes() -> None:
    """And nobody else."""
    assert (BREATHING, DARK) == shown(heard([game()]))
    assert (DARK, BREATHING) == shown(heard([game(), card(1, 4)]))


def test_no_lamp_tells_of_a_set() -> None:
    """With one on the grid they are as without; also while a press waits to be judged."""
    with_set = heard([game(3), *pinks()])
    without = heard([game(3), *pinks(1, 2), card(3, 2, "jetski", "blue")])
    assert shown(without) == shown(with_set)
    assert shown(without) == shown(with_set.hear(press(3.4, 1)))


def test_the_race_lights_who_is_safe() -> None:
    """One after the other; the slowest blinks until all is paid, the others stay lit."""
    race = heard([game(3), *pinks(), press(3.4, 1), seen(3.4)])
    assert (DARK, SOLID, DARK) == shown(race)
    over = race.hear(press(3.6, 0)).hear(seen(3.6))
    assert (SOLID, SOLID, BLINKING) == shown(over)
    assert (BREATHING, DARK, DARK) == shown(over.hear(lift(6, 0, 1, 2)))


def test_a_penalty_is_fast() -> None:
    """Of a false grab, until a pile is taken."""
    false = heard([game(), card(1, 0), card(2, 4, "ring", "blue"), press(3, 1), seen(3)])
    assert (DARK, FAST) == shown(false)
    assert FAST not in shown(false.hear(lift(5, 4)))


def test_a_dead_heat_is_dark_until_its_lamps_light() -> None:
    """All at once; who is not in it keeps what it had."""
    heat = heard([game(3), *pinks(), press(3.4, 1), press(3.6, 0), press(3.60002, 2), seen(3.7)])
    assert (DARK, SOLID, DARK) == shown(heat)
    assert heat.game is not None
    assert SuddenLight((0, 2), "sprint") == heat.game.sudden_light
    lit = heat.hear({"t": 5 * S, "type": "sprint"}).hear(seen(5))
    assert (SOLID, SOLID, SOLID) == shown(lit)
    assert lit.game is not None
    assert lit.game.sudden_light is None


def test_the_winner_breathes() -> None:
    """And a stalemate is dark."""
    won = heard([game(), fix(0.5, decks=[3, 57]), card(1, 0, "raft"), card(2, 3, "ring", "blue")])
    won = won.hear(card(3, 1, "ring")).hear(card(4, 5, "rowboat", "orange")).hear(card(5, 2, "jetski"))
    won = won.hear(press(5.4, 0)).hear(seen(5.5)).hear(lift(7, 0, 1, 2))
    assert won.game is not None
    assert won.game.over
    assert (BREATHING, DARK) == shown(won)
    stale = heard(
        [game(), fix(0.5, decks=[0, 0], piles=[60, *[0] * 8], tops={"0": {"boat": "raft", "colour": "pink"}})]
    )
    assert stale.game is not None
    assert stale.game.over
    assert (DARK, DARK) == shown(stale)
