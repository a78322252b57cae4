"""The command line in a test: what it answers, and the one sentence with which it refuses."""

import json
from typing import Any

from click.testing import CliRunner, Result

from feltlab.cli.main import main


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def answer(*words: str) -> Any:
    """The JSON that a command prints."""
    result = run(*words, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def refusal(*words: str) -> str:
    """The one sentence on standard error."""
    result = run(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("feltlab: ").strip()
