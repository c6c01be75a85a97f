"""`companion bench`: measurements."""

from pathlib import Path

import click

from companion.bench.referee_bench import bench_referee
from companion.bench.side_by_side import compare, cost_of_event, cost_of_picture
from companion.cli.game_options import game_option, seats_option
from companion.cli.hardware_errors import RigCommand
from companion.cli.options import EXIT_CODES, Among, Whole


@click.group("bench", epilog=EXIT_CODES)
def bench_group() -> None:
    """Measure this machine.

    \b
    Example: companion bench referee
    """


against_option = click.option(
    "--against",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="The folder of another checkout: both are measured in turns, and compared.",
)


@bench_group.command("referee", epilog=EXIT_CODES)
@against_option
def bench_referee_command(against: Path | None) -> None:
    """How many events a second one thread judges, in 10 evenings and in 1,000.

    \b
    Example: companion bench referee
    """
    lines = bench_referee() if against is None else compare(against, ["referee"], cost_of_event)
    for line in lines:
        click.echo(line)


@bench_group.command("eyes", epilog=EXIT_CODES)
@click.option(
    "--data",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="COMPANION_EYES_DATA",
    help="A folder of labelled pictures: teach/<deck>/<scene>/ and dev/.",
)
@click.option(
    "--pictures",
    "of_each",
    type=Whole(1),
    default=4,
    show_default=True,
    help="How many are drawn of each kind.",
)
@against_option
def bench_eyes_command(folder: Path | None, of_each: int, against: Path | None) -> None:
    """How many cells the eyes read rightly, wrongly and not at all, and how fast, beside ORB and a histogram.

    \b
    Example: companion bench eyes --pictures 10
    """
    from companion.bench.eyes_bench import bench_eyes  # noqa: PLC0415

    drawn = ["eyes", "--pictures", str(of_each)]
    lines = bench_eyes(folder, of_each) if against is None else compare(against, drawn, cost_of_picture)
    for line in lines:
        click.echo(line)


@bench_group.command("thresholds", epilog=EXIT_CODES)
@click.option(
    "--data",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="COMPANION_EYES_DATA",
    help="A folder of labelled pictures: teach/<deck>/<scene>/ and dev/.",
)
@click.option(
    "--pictures",
    "of_each",
    type=Whole(1),
    default=4,
    show_default=True,
    help="How many are drawn of each kind.",
)
def bench_thresholds_command(folder: Path | None, of_each: int) -> None:
    """How far cards, and what is none, keep from the eyes' thresholds, and how many are on the wrong side.

    \b
    Example: companion bench thresholds --pictures 10
    """
    from companion.bench.threshold_bench import bench_thresholds  # noqa: PLC0415

    for line in bench_thresholds(folder, of_each):
        click.echo(line)


@bench_group.command("page", epilog=EXIT_CODES)
@click.option(
    "--rounds",
    type=Whole(1),
    default=10,
    show_default=True,
    help="How many races are run with each number of phones.",
)
def bench_page_command(rounds: int) -> None:
    """How soon 100 and 250 phones show what has happened, and what so many cost.

    \b
    Example: companion bench page --rounds 50
    """
    from companion.bench.page_bench import bench_page  # noqa: PLC0415

    for line in bench_page(rounds):
        click.echo(line)


@bench_group.command("history", epilog=EXIT_CODES)
@click.option("--games", type=click.IntRange(2), default=5000, show_default=True, help="So many.")
def bench_history_command(games: int) -> None:
    """How long the history takes with the games of years, and what many downloads at once cost the others.

    \b
    Example: companion bench history --games 500
    """
    from companion.bench.history_bench import bench_history  # noqa: PLC0415

    for line in bench_history(games):
        click.echo(line)


@bench_group.command("demo", epilog=EXIT_CODES)
@click.option("--minutes", type=Among(0.01), default=10.0, show_default=True, help="For how long.")
@click.option("--speed", type=Among(0.05, 1000), default=20.0, show_default=True, help="As there.")
@game_option
@seats_option
@click.option("--seed", type=Whole(0), default=0, show_default=True, help="Which evening.")
@click.pass_context
def bench_demo_command(  # noqa: PLR0913 - click gives each option by itself
    context: click.Context, *, game: str, minutes: float, speed: float, seats: int, seed: int
) -> None:
    """Whether the demo holds: its memory, its threads, its journal, and the referee against the drawn truth.

    It ends with 1 and says why if anything is not as it must be.

    \b
    Example: companion bench demo --minutes 1 --seats 6
    """
    from companion.bench.demo_bench import bench_demo  # noqa: PLC0415
    from companion.demo.cast import Company  # noqa: PLC0415

    wrong = False
    for line in bench_demo(Company(game, seats, seed), speed, minutes):
        click.echo(line)
        wrong = wrong or line.startswith("wrong: ")
    if wrong:
        context.exit(1)


@bench_group.command("race", cls=RigCommand, epilog=EXIT_CODES)
@click.option("--pairs", type=Whole(1), default=1000, show_default=True, help="How often, for each way and load.")
def bench_race_command(pairs: int) -> None:
    """How surely the kernel's time tells who was first, beside what programs do that ask for the time themselves.

    It takes root, and a kernel that simulates lines (modprobe gpio-sim): they are pressed in pairs.

    \b
    Example: companion bench race --pairs 5000
    """
    from companion.bench.race_bench import bench_race  # noqa: PLC0415

    for line in bench_race(pairs):
        click.echo(line)
