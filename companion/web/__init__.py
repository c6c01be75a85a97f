"""The page on everybody's phone."""

from flask import Blueprint, Flask
from flask.json.provider import DefaultJSONProvider

from companion.games.game import Game
from companion.games.registry import GAMES
from companion.history.archive import Archive
from companion.live.connection_limits import ConnectionLimit
from companion.web.api import api_blueprint
from companion.web.compression import compress_answers
from companion.web.family_pages import pages_blueprint
from companion.web.history_pages import history_blueprint
from companion.web.i18n import speak
from companion.web.rig_log_page import log_blueprint
from companion.web.rig_page import rig_blueprint
from companion.web.security import guard
from companion.web.services import Services

__all__ = ["create_app"]


class _Json(DefaultJSONProvider):
    ensure_ascii = False


def create_app(services: Services, places: ConnectionLimit | None = None) -> Flask:
    """The Flask application: all pages, the API and the security rules. `places`: how many live pages may be open
    at once, where that is not as many as the server has threads for."""
    app = Flask(__name__)
    app.extensions["companion"] = services
    app.json = _Json(app)
    compress_answers(app)
    guard(app)
    speak(app, services.language)
    app.register_blueprint(api_blueprint(places or ConnectionLimit()))
    app.register_blueprint(pages_blueprint())
    app.register_blueprint(rig_blueprint())
    app.register_blueprint(log_blueprint())
    for game in GAMES.values():
        app.register_blueprint(_files_of(game))
    app.register_blueprint(history_blueprint(services.archive or Archive(services.journal), services.journal))
    return app


def _files_of(game: Game) -> Blueprint:
    """A game's templates and scripts lie in its own folder; browsers find its scripts under its name."""
    return Blueprint(
        game.name,
        __name__,
        root_path=str(game.folder / "page"),
        template_folder="templates",
        static_folder="static",
        static_url_path=f"/static/{game.name}",
    )
