"""What a game tells those who only look on: nothing that is secret, and who may say what."""

from companion.games.goat import GOAT
from companion.games.goat.rules.rulings import GoatRuling

from .play import game, heard, pinks


def test_the_state_that_is_shown_has_everything_but_the_sets() -> None:
    """Finding them is the game."""
    record = heard([game(), *pinks()]).game
    assert record is not None
    state, shown = record.state(), record.public_state()
    assert ((0, 1, 2),) == state.pop("sets")
    assert state == shown


def test_of_all_rulings_only_the_sets_are_secret() -> None:
    """Everything else was seen by everybody at the table."""
    assert {"set"} == {kind.name for kind in GoatRuling.__subclasses__() if kind.secret}
    record = heard([game(), *pinks()]).game
    assert record is not None
    assert ["set"] == [said.as_json()["ruling"] for _, said in record.rulings() if said.secret]


def test_the_names_are_those_at_the_seats() -> None:
    """Clockwise, as the game was begun."""
    record = heard([game(3)]).game
    assert record is not None
    assert ("Ada", "Ben", "Cy") == record.seats


def test_a_seat_speaks_for_itself() -> None:
    """Of a foul others speak, though it names a seat too."""
    assert {"call", "accuse", "take"} == GOAT.rights.by_seat
    assert {"laid"} == GOAT.rights.by_turn
