"""`feltlab completion`: completion scripts for shells."""

import os

import click
from click.shell_completion import get_completion_class


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print a shell's completion script.

    It completes the command that started feltlab: feltlab, or ./felt.

    \b
      bash: eval "$(./felt completion bash)"
      zsh:  eval "$(./felt completion zsh)"
      fish: ./felt completion fish | source
    """
    script = get_completion_class(shell)
    assert script is not None
    started_as = os.environ.get("FELTLAB_STARTED_AS", "feltlab")
    click.echo(script(ctx.find_root().command, {}, started_as, "_FELTLAB_COMPLETE").source())
