"""The lab in a real browser: a changed setting updates the answer in place."""

from contextlib import asynccontextmanager
from fractions import Fraction
from math import comb

from feltlab.text import percent
from feltlab.web.app import app
from feltlab.web.pages.lab.waiting import work_of
from tests.support.browsers import CHROMIUM, FLAGS, collect_errors, require_playwright
from tests.support.running import listening, running

api = require_playwright("async_api")
PROOF_MILLISECONDS = 60_000


@asynccontextmanager
async def browsing(folder, **context):
    """A page at a separate server; an error in the browser fails the test."""
    async with running(folder) as house, api.async_playwright() as require_playwright:
        house.app = app(house.pit)
        browser = await require_playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            async with listening(house) as port:
                opened = await browser.new_context(base_url=f"http://127.0.0.1:{port}", **context)
                page = await opened.new_page()
                broken = collect_errors(page)
                yield page
                assert not broken
        finally:
            await work_of(house.app).close()
            await browser.close()


async def fits(page):
    """Whether the page needs no horizontal scrolling."""
    return await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


async def test_a_changed_option_updates_the_answer_in_place(tmp_path):
    async with browsing(tmp_path) as page:
        await page.goto("/lab/casino-war")
        edge = page.locator('[data-figure="tie edge"]')
        await api.expect(edge).to_have_text("18.6495 %", timeout=PROOF_MILLISECONDS)
        await page.evaluate("window.same = true")
        await page.get_by_label("How many decks are in the shoe").select_option("1")
        await api.expect(edge).to_contain_text("was 18.6495 %", timeout=PROOF_MILLISECONDS)
        await api.expect(page.locator("#said")).to_contain_text("The house wins")
        assert await page.evaluate("window.same")
        assert "option-decks=1" in page.url
        await page.get_by_label("Primary", exact=True).fill("0")
        await api.expect(page.locator("#said")).to_contain_text(
            "requires the Primary wager", timeout=PROOF_MILLISECONDS
        )
        await api.expect(page.locator("[aria-invalid]")).to_have_attribute("name", "stake-primary")
        await page.get_by_label("Primary", exact=True).fill("")
        await api.expect(page.locator("#said")).to_contain_text("Primary: ", timeout=PROOF_MILLISECONDS)
        await page.get_by_label("Primary", exact=True).fill("2")
        await api.expect(page.locator("#said")).to_contain_text("The house wins", timeout=PROOF_MILLISECONDS)
        await api.expect(page.locator("[aria-invalid]")).to_have_count(0)


async def test_a_pay_that_changes_the_strategy_is_solved_in_place(tmp_path):
    """First the edge of the present strategy, then that of the best, which never goes to war."""
    async with browsing(tmp_path) as page:
        await page.goto("/lab/casino-war/design/primary")
        await page.get_by_label("war won").fill("1/89", timeout=PROOF_MILLISECONDS)
        rows = page.get_by_role("region", name="Cost by strategy").locator("tbody tr")
        await api.expect(rows).to_have_count(3, timeout=PROOF_MILLISECONDS)
        best = await rows.last.locator("td").nth(1).inner_text()
        await api.expect(page.locator('[data-figure="added cost"]')).to_contain_text(best)
        await api.expect(page.locator("#said")).to_have_text(f"The added cost is {best}.")


async def test_the_designer_and_the_findings_on_a_phone(tmp_path):
    async with browsing(tmp_path, viewport={"width": 390, "height": 800}) as page:
        await page.goto("/lab/casino-war/design/tie")
        edge = page.locator('[data-figure="added cost"]')
        await api.expect(edge).to_have_text("18.6495 %", timeout=PROOF_MILLISECONDS)
        await page.locator('input[name^="pay-"]').first.fill("11")
        await api.expect(edge).to_contain_text("11.2", timeout=PROOF_MILLISECONDS)
        await page.get_by_label("Target, in %").fill("4")
        use = page.get_by_role("link", name="use").first
        await use.click(timeout=PROOF_MILLISECONDS)
        await api.expect(page.get_by_role("heading", name="With these pays")).to_be_visible(
            timeout=PROOF_MILLISECONDS
        )
        assert await fits(page)
        await page.goto("/findings?game=casino-war")
        await api.expect(page.get_by_role("heading", name="Summary")).to_be_visible(
            timeout=PROOF_MILLISECONDS
        )
        assert await fits(page)


async def test_the_form_works_without_scripts(tmp_path):
    async with browsing(tmp_path, java_script_enabled=False) as page:
        await page.goto("/lab/casino-war")
        select = page.get_by_label("How many decks are in the shoe")
        await api.expect(select).to_be_visible(timeout=PROOF_MILLISECONDS)
        await select.select_option("2")
        await page.get_by_role("button", name="Prove").click()
        await api.expect(page.locator("option[selected]").first).to_have_text("2", timeout=PROOF_MILLISECONDS)


async def test_the_meter_is_dragged_on_a_phone(tmp_path):
    """Six cards of 52: 188 royals take the meter, 1,656 straight flushes a tenth of it, from $1,000 on."""
    fixed = 14_664 * 100 + 165_984 * 15 + 205_792 * 8  # four of a kind, full houses, flushes
    at_seed = (fixed + (188 + Fraction(1_656, 10)) * 1_000) / comb(52, 6)
    async with browsing(tmp_path, viewport={"width": 390, "height": 800}) as page:
        await page.goto("/lab/triple-shot-rummy/progressives/six-card-jackpot")
        returned = page.locator('[data-figure="returned"]')
        await api.expect(returned).to_have_text("65.4426 %", timeout=PROOF_MILLISECONDS)
        assert await fits(page)
        await page.get_by_label("Amount, in dollars").press("Home")
        await api.expect(returned).to_contain_text(percent(at_seed), timeout=PROOF_MILLISECONDS)
        assert "meter=1000" in page.url
        assert await fits(page)
