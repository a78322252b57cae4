"""The table's JavaScript under `node --test`; static files, their addresses and types."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from feltlab.server.models import ChoiceAnswer, GroupAnswer, PaymentAnswer, SeatAnswer, TableAnswer
from feltlab.web.page import STATIC, static_address, static_version
from feltlab.web.pages.table import _describe_felt
from tests.support.pages import open_house

HERE = Path(__file__).parent / "js"
MODULES = sorted((STATIC / "js").rglob("*.js"))
NODE_VERSION = 18  # the first with `node --test`
IMPORT = re.compile(r'^import .*from "(.+)";$|import\("(.+?)"\)', re.MULTILINE)


@pytest.fixture
async def house(tmp_path):
    async with open_house(tmp_path) as house:
        yield house


def test_node_runs_the_tests_of_the_tables_javascript(tmp_path):
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    if int(version.strip("v\n").split(".")[0]) < NODE_VERSION:
        pytest.skip(f"node {version.strip()} has no `node --test`; {NODE_VERSION} does")
    # Copied beside a package.json which says that the files are ES modules.
    (tmp_path / "package.json").write_text('{"type": "module"}')
    shutil.copytree(STATIC, tmp_path / "src/feltlab/web/static")
    shutil.copytree(HERE, tmp_path / "tests/web/js")
    tests = sorted((tmp_path / "tests/web/js").glob("*.test.mjs"))
    words = [node, "--test", *map(str, tests)]
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert tests


# -- Files ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(STATIC)))
def test_a_module_is_type_checked_and_imports_files_that_are_there(path):
    text = path.read_text(encoding="utf-8")
    assert text.startswith("// @ts-check\n")
    for found in IMPORT.finditer(text):
        assert (path.parent / (found[1] or found[2])).resolve() in MODULES


async def test_files_of_this_version_are_cached_for_a_year(house):
    nobody = await house.visitor()
    page = (await nobody.get("/tables/casino-war-1")).text
    addresses = re.findall(r'(?:src|href)="(/static/[^"]+)"', page)
    nested = static_address("js/shared/words.js")  # imported by a relative address
    assert static_address("js/table/table.js") in addresses
    for address in (*addresses, nested):
        found = await nobody.get(address)
        assert (found.status_code, "immutable" in found.headers["cache-control"]) == (200, True), address


async def test_files_of_another_version_are_served_but_not_cached(house):
    nobody = await house.visitor()
    found = await nobody.get("/static/0123456789ab/js/lobby.js")
    assert (found.status_code, "cache-control" in found.headers) == (200, False)


@pytest.mark.parametrize("path", ["", "js/nothing.js", "../page.py", "%2e%2e/page.py", "js"])
async def test_other_files_are_not_served(house, path):
    found = await (await house.visitor()).get(f"/static/{static_version()}/{path}")
    assert found.status_code == 404


# -- Types ------------------------------------------------------------------------------------------


def properties_of(typedef):
    """The properties of a JSDoc type in view.js."""
    text = (STATIC / "js/table/view.js").read_text(encoding="utf-8")
    comment = next(part for part in text.split("/**") if f"@typedef {{object}} {typedef}\n" in part)
    return set(re.findall(r"@property \{.+?\} \[?(\w+)\]?(?: |$)", comment, re.MULTILINE))


def test_the_types_in_javascript_are_the_servers_models():
    """`repeated` is part of the answer to an action only."""
    assert properties_of("View") == TableAnswer.model_fields.keys() - {"repeated"}
    assert properties_of("SeatView") == SeatAnswer.model_fields.keys()
    assert properties_of("GroupView") == GroupAnswer.model_fields.keys()
    assert properties_of("ChoiceView") == ChoiceAnswer.model_fields.keys()
    assert properties_of("PaymentView") == PaymentAnswer.model_fields.keys()


async def test_the_felt_in_javascript_is_the_felt_of_the_server(house):
    assert properties_of("Felt") == _describe_felt(house.pit.table("casino-war-1").table.game).keys()
