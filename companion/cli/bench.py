"""`companion bench`: measurements."""

import click

from companion.bench.referee import bench_referee
from companion.cli.options import EXIT_CODES


@click.group("bench", epilog=EXIT_CODES)
def bench_group() -> None:
    """Measure this machine.

    \b
    Example: companion bench referee
    """


@bench_group.command("referee", epilog=EXIT_CODES)
def bench_referee_command() -> None:
    """How many events a second one thread judges, in 10 evenings and in 1,000.

    \b
    Example: companion bench referee
    """
    for line in bench_referee():
        click.echo(line)
