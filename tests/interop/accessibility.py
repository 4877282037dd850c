"""What axe-core finds wrong with a page: contrast, names, roles."""

from pathlib import Path

import pytest
from node_packages import HAS_NODE, installed_modules
from playwright.async_api import Page, expect

CONSOLE = Path(__file__).parents[2] / "console"


async def violations(page: Page) -> list[str]:
    """Each rule that the page breaks, and where."""
    if not HAS_NODE:
        pytest.skip("node and npm, which bring axe-core, are not installed")
    await page.evaluate((installed_modules(CONSOLE) / "axe-core" / "axe.min.js").read_text())
    found = await page.evaluate("axe.run()")
    return [
        f"{each['id']}: {each['help']}: {node['html'][:120]}"
        for each in found["violations"]
        for node in each["nodes"]
    ]


async def violations_of_both_themes(page: Page) -> list[str]:
    """Each rule that the page breaks in the light or in the dark theme; it is left in the light one."""
    found = []
    for theme in ("dark", "light"):
        await page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
        await expect(page.locator("html")).to_have_attribute("data-theme", theme)
        found += [f"{theme}: {each}" for each in await violations(page)]
    return found
