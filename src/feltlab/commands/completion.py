"""`feltlab completion`: shell completion."""

import click
from click.shell_completion import get_completion_class


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    \b
      bash: eval "$(feltlab completion bash)"
      zsh:  eval "$(feltlab completion zsh)"
      fish: feltlab completion fish | source
    """
    script = get_completion_class(shell)
    assert script is not None
    click.echo(script(ctx.find_root().command, {}, "feltlab", "_FELTLAB_COMPLETE").source())
