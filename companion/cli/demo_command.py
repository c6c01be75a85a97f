"""`companion demo`: the whole table without hardware."""

from pathlib import Path

import click

from companion.cli.game_options import MOST, game_option, seats_option
from companion.cli.options import EXIT_CODES, Among, Whole, bind_option, verbose_option
from companion.demo.cast import Company


@click.command("demo", epilog=EXIT_CODES)
@seats_option
@click.option(
    "--speed",
    type=Among(0.05, 1000),
    default=1.0,
    show_default=True,
    help="So many times as fast as people.",
)
@click.option(
    "--seed",
    type=Whole(0),
    default=0,
    show_default=True,
    help="Another number, another evening; the same one, the same.",
)
@game_option
@click.option(
    "--seat", "yours", type=Whole(1, MOST), help="The seat that is left to you, counted clockwise from 1."
)
@bind_option("Where the page is served; by default on all addresses of this machine.")
@click.option("--port", type=Whole(1, 65535), help="By default 8080, or the next free one.")
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder for the journal; by default one that is gone afterwards.",
)
@verbose_option
def demo_command(  # noqa: PLR0913 - click gives each option by itself
    *,
    game: str,
    seats: int,
    seed: int,
    yours: int | None,
    speed: float,
    bind: str | None,
    port: int | None,
    data: Path | None,
    verbose: bool,
) -> None:
    """Play an evening with drawn cards and people, and show it on the page.

    A camera's pictures are drawn and read by the real eyes, drawn people press the buttons, and the real referee
    judges. It goes on until Ctrl-C. With --seat you play along: the space bar is your button.

    \b
    Example: companion demo --speed 4
    """
    if yours is not None and yours > seats:
        raise click.BadParameter(f"there are seats 1 to {seats}", param_hint="--seat")
    seat = yours - 1 if yours is not None else None
    # Imported late: the web server is slow to load, and --help does not need it.
    from companion.demo.build_demo import DemoOptions, run_demo  # noqa: PLC0415

    run_demo(DemoOptions(Company(game, seats, seed, seat), speed, bind, port, data, verbose=verbose))
