"""The frame of the console in a real browser."""

from playwright.async_api import Page, expect


async def test_the_console_opens_and_leads_to_its_pages(page: Page, address: str) -> None:
    await page.goto(address)
    await expect(page.get_by_role("heading", level=1)).to_have_text("Overview")
    await page.get_by_role("link", name="Queues").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Queues")


async def test_the_theme_is_the_systems_until_another_is_chosen(page: Page, address: str) -> None:
    await page.emulate_media(color_scheme="dark")
    await page.goto(address)
    await expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    await page.get_by_role("button", name="Light").click()
    await page.reload()
    await expect(page.locator("html")).to_have_attribute("data-theme", "light")


async def test_an_address_that_is_no_page_says_so(page: Page, address: str) -> None:
    await page.goto(f"{address}#/nothing/here")
    await expect(page.get_by_role("alert")).to_contain_text("There is no such page")
