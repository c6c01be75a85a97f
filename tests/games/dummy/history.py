"""What it tells of its past: who won."""

from companion.history.game_history import GameHistory, GameResult
from companion.history.judged_game import JudgedGame

from .rules import DummyRecord


class DummyHistory(GameHistory):
    def result(self, game: JudgedGame) -> GameResult:
        assert isinstance(game.record, DummyRecord)
        return GameResult(winners=(game.record.taken[-1].seat,) if game.record.over else ())
