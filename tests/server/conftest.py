"""A house that runs for one test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.running import House, running


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with running(tmp_path) as house:
        yield house
