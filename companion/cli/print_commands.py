"""`companion mat` and `companion deck`: what is printed."""

from pathlib import Path

import click

from companion.cli.options import EXIT_CODES, OneOf
from companion.games.registry import GAMES
from companion.paper.printed_mat import MatPaper, write_mat
from companion.paper.sheet import DeckPaper


@click.command("mat", epilog=EXIT_CODES)
@click.option("-o", "out", type=click.Path(path_type=Path), required=True, help="The PDF to write.")
@click.option("--paper", type=OneOf(["a3", "a4", "letter"], case_sensitive=False), default="a3", show_default=True)
def mat_command(out: Path, paper: MatPaper) -> None:
    """The mat under the cards, to print without scaling; on smaller paper as sheets to be joined.

    \b
    Example: companion mat -o mat.pdf --paper a4
    """
    write_mat(out, paper)
    click.echo(f"The mat is in {out}. Print it at 100 %, and measure the ruler on it.")


@click.command("deck", epilog=EXIT_CODES)
@click.option("-o", "out", type=click.Path(path_type=Path), required=True, help="The PDF to write.")
@click.option("--paper", type=OneOf(["a4", "letter"], case_sensitive=False), default="a4", show_default=True)
def deck_command(out: Path, paper: DeckPaper) -> None:
    """A deck of 60 cards of our own, to print on both sides and cut.

    \b
    Example: companion deck -o cards.pdf
    """
    print_deck = next(game.print_deck for game in GAMES.values() if game.print_deck is not None)
    print_deck(out, paper)
    click.echo(f"The deck is in {out}. Print it at 100 %, on both sides, turned over the long edge.")
