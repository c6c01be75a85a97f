"""`companion report`: what one attaches to a bug report."""

from pathlib import Path

import click

from companion.cli.options import EXIT_CODES, data_option
from companion.cli.rig_commands import config_option
from companion.files import write_whole


@click.command("report", epilog=EXIT_CODES)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--with-pictures", is_flag=True, help="The last pictures that were misread, too.")
@click.option("--with-names", is_flag=True, help="Leave people's names in it.")
@click.option("--url", help="Where the page of a running companion is; by default it is found.")
@config_option
@data_option
def report_command(  # noqa: PLR0913 - click gives each option by itself
    file: Path, *, with_pictures: bool, with_names: bool, url: str | None, config: Path | None, data: Path
) -> None:
    """Gather what is needed to find out what went wrong, in one zip.

    Versions, configuration without secrets, health, a summary of the journal, the newest game and the log. Names
    are blotted out unless you wish otherwise. What can't be had says why.

    \b
    Example: companion report report.zip
    """
    from companion.report.bundle import Wish, make_report  # noqa: PLC0415 - whoever asks for help has no need of it
    from companion.report.report_parts import sources_from_outside  # noqa: PLC0415

    made = make_report(sources_from_outside(data, config, url), Wish(names=with_names, pictures=with_pictures))
    write_whole(file, made.content)
    for name, why in made.missing:
        click.echo(f"companion: {name} could not be had: {why}", err=True)
    click.echo(f"{len(made.parts)} parts are in {file}. Look into it before you send it on.")
