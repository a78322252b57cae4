"""The lab in a real browser: a setting changes and the answer moves, without another page."""

from contextlib import asynccontextmanager

from feltlab.web.app import app
from feltlab.web.pages.lab.waiting import work_of
from tests.support.browsers import CHROMIUM, FLAGS, complaints, driver
from tests.support.running import listening, running

api = driver("async_api")
PATIENT = 60_000  # milliseconds


@asynccontextmanager
async def browsing(folder, **context):
    """A page of a browser, at a server of its own; what the browser complains of fails the test."""
    async with running(folder) as house, api.async_playwright() as driver:
        house.app = app(house.pit)
        browser = await driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            async with listening(house) as port:
                opened = await browser.new_context(base_url=f"http://127.0.0.1:{port}", **context)
                page = await opened.new_page()
                broken = complaints(page)
                yield page
                assert not broken
        finally:
            await work_of(house.app).close()
            await browser.close()


async def fits(page):
    """Does the page need no scrolling to the side?"""
    return await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


async def test_an_option_moves_the_answer_in_place(tmp_path):
    async with browsing(tmp_path) as page:
        await page.goto("/lab/casino-war")
        edge = page.locator('[data-figure="tie edge"]')
        await api.expect(edge).to_have_text("18.6495 %", timeout=PATIENT)
        await page.evaluate("window.same = true")
        await page.get_by_label("How many decks are in the shoe").select_option("1")
        await api.expect(edge).to_contain_text("was 18.6495 %", timeout=PATIENT)
        await api.expect(page.locator("#said")).to_contain_text("The house wins")
        assert await page.evaluate("window.same")
        assert "option-decks=1" in page.url
        await page.get_by_label("Primary", exact=True).fill("0")
        await api.expect(page.locator("#said")).to_contain_text("requires the Primary wager", timeout=PATIENT)
        await api.expect(page.locator("[aria-invalid]")).to_have_attribute("name", "stake-primary")
        await page.get_by_label("Primary", exact=True).fill("")
        await api.expect(page.locator("#said")).to_contain_text("Primary: ", timeout=PATIENT)
        await page.get_by_label("Primary", exact=True).fill("2")
        await api.expect(page.locator("#said")).to_contain_text("The house wins", timeout=PATIENT)
        await api.expect(page.locator("[aria-invalid]")).to_have_count(0)


async def test_a_pay_that_decides_the_play_is_solved_in_place(tmp_path):
    """First the edge of the play as it was, then that of the best play, which goes to war no more."""
    async with browsing(tmp_path) as page:
        await page.goto("/lab/casino-war/design/primary")
        await page.get_by_label("war won").fill("1/89", timeout=PATIENT)
        rows = page.get_by_role("region", name="Edges by how it is played").locator("tbody tr")
        await api.expect(rows).to_have_count(3, timeout=PATIENT)
        best = await rows.last.locator("td").nth(1).inner_text()
        await api.expect(page.locator('[data-figure="edge"]')).to_contain_text(best)
        await api.expect(page.locator("#said")).to_have_text(f"The house edge is {best}.")


async def test_the_designer_and_the_findings_on_a_phone(tmp_path):
    async with browsing(tmp_path, viewport={"width": 390, "height": 800}) as page:
        await page.goto("/lab/casino-war/design/tie")
        edge = page.locator('[data-figure="edge"]')
        await api.expect(edge).to_have_text("18.6495 %", timeout=PATIENT)
        await page.locator('input[name^="pay-"]').first.fill("11")
        await api.expect(edge).to_contain_text("11.2", timeout=PATIENT)
        await page.get_by_label("Target edge, in %").fill("4")
        use = page.get_by_role("link", name="use").first
        await use.click(timeout=PATIENT)
        await api.expect(page.get_by_role("heading", name="With these pays")).to_be_visible(timeout=PATIENT)
        assert await fits(page)
        await page.goto("/findings?game=casino-war")
        await api.expect(page.get_by_role("heading", name="Summary")).to_be_visible(timeout=PATIENT)
        assert await fits(page)


async def test_without_scripts_a_form_is_enough(tmp_path):
    async with browsing(tmp_path, java_script_enabled=False) as page:
        await page.goto("/lab/casino-war")
        select = page.get_by_label("How many decks are in the shoe")
        await api.expect(select).to_be_visible(timeout=PATIENT)
        await select.select_option("2")
        await page.get_by_role("button", name="Prove").click()
        await api.expect(page.locator("option[selected]").first).to_have_text("2", timeout=PATIENT)
