"""`companion run`, `check` and `timing`: the rig at a real table."""

import sys
from collections.abc import Callable
from pathlib import Path

import click

from companion.app.config import RigPlan, read_config
from companion.cli.hardware_errors import RigCommand
from companion.cli.options import EXIT_CODES, Whole, bind_option, data_option, logs_shown, verbose_option
from companion.games.registry import GAMES

config_option = click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The rig.toml; by default the one in the data folder, and without one what is found.",
)


def _plan(config: Path | None, data: Path, say: Callable[[str], None] = click.echo) -> RigPlan:
    from companion.app.detect import detect_rig  # noqa: PLC0415 - it loads drivers

    usual = data / "rig.toml"
    if config is None and not usual.exists():
        return detect_rig(say)
    return read_config(config or usual)


@click.command("run", cls=RigCommand, epilog=EXIT_CODES)
@config_option
@bind_option("Where the page is served; by default as rig.toml says, or everywhere.")
@click.option("--port", type=Whole(1, 65535), help="By default as rig.toml says, or 8080 or the next free one.")
@data_option
@verbose_option
def run_command(config: Path | None, bind: str | None, port: int | None, data: Path, *, verbose: bool) -> None:
    """Referee at the real table: buttons, lamps, camera and page.

    How the rig is built stands in rig.toml; without one it says what it has found and runs with that. It goes on
    until Ctrl-C.

    \b
    Example: companion run --config rig.toml
    """
    remarks: list[str] = []
    plan = _plan(config, data, remarks.append)
    bind, port = bind or plan.address.host, port or plan.address.port
    if plan.camera == "demo":
        from companion.demo.build_demo import DemoOptions, run_demo  # noqa: PLC0415 - whoever asks for help has no need of it
        from companion.demo.cast import Company  # noqa: PLC0415

        company = Company(next(iter(GAMES)), len(plan.seats), 0, None)
        run_demo(DemoOptions(company, 1.0, bind, port, data, plan.language or "en", verbose))
        return
    from companion.app.build_rig import RunOptions, run_rig  # noqa: PLC0415

    run_rig(RunOptions(plan, data, bind, port, tuple(remarks), verbose, config))


@click.command("check", cls=RigCommand, epilog=EXIT_CODES)
@config_option
@data_option
@verbose_option
def check_command(config: Path | None, data: Path, *, verbose: bool) -> None:
    """Go through buttons, lamps, camera, mat, clock, disk, warmth and power, and say what is wrong.

    \b
    Example: companion check
    """
    from companion.app.doctor import check_rig  # noqa: PLC0415

    wrong = 0
    with logs_shown(verbose):
        for finding in check_rig(_plan(config, data), data):
            wrong += not finding.well
            click.echo(f"{'ok   ' if finding.well else 'WRONG'} {finding.part}: {finding.words}")
    sys.exit(1 if wrong else 0)


@click.command("timing", cls=RigCommand, epilog=EXIT_CODES)
@click.option("--output", "out", type=Whole(2, 27), help="The GPIO that is switched.")
@click.option("--inputs", type=(Whole(2, 27), Whole(2, 27)), help="The two GPIOs it is wired to.")
@click.option("--pairs", type=Whole(20, 100_000), default=500, show_default=True, help="How often.")
@config_option
@data_option
@verbose_option
def timing_command(  # noqa: PLR0913 - click gives each option by itself
    *, out: int | None, inputs: tuple[int, int] | None, pairs: int, config: Path | None, data: Path, verbose: bool
) -> None:
    """Measure what this machine's clock can tell apart, and write it down for the referee.

    With one wire from a free output to two free inputs, one instant is stamped twice. Without --output people
    press the buttons, and the closest two contacts of a rattling switch show what is told apart at least.

    \b
    Example: companion timing --output 4 --inputs 18 7
    """
    from companion.rig.clock_resolution import save_resolution  # noqa: PLC0415 - as above
    from companion.rig.measure_clock import by_pressing, by_wire  # noqa: PLC0415

    if (out is None) != (inputs is None):
        raise click.UsageError("--output and --inputs belong together.")
    with logs_shown(verbose):
        plan = _plan(config, data)
        resolution = (
            by_pressing(plan, click.echo) if out is None or inputs is None else by_wire(plan, out, inputs, pairs)
        )
    path = save_resolution(resolution, data)
    click.echo(f"{resolution.us} us ({resolution.measured}, {resolution.pairs} pairs); written to {path}")
