# Flask-Babel says half of its types and ships no marker that it does. What of it is used here, for pyright.
from collections.abc import Callable

from babel import Locale
from babel.support import NullTranslations
from flask import Flask

from .speaklater import LazyString as LazyString

class Domain:
    def get_translations(self) -> NullTranslations: ...

class Babel:
    domain_instance: Domain
    def __init__(self, app: Flask, *, locale_selector: Callable[[], str]) -> None: ...

def get_locale() -> Locale | None: ...
def gettext(string: str, /, **variables: object) -> str: ...
def ngettext(singular: str, plural: str, num: int, /, **variables: object) -> str: ...
def lazy_gettext(string: str, /, **variables: object) -> LazyString: ...
