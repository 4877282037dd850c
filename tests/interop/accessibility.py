"""What axe-core finds wrong with a page: contrast, names, roles."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from node_packages import HAS_NODE, installed_modules
from playwright.async_api import Page, expect

CONSOLE = Path(__file__).parents[2] / "console"
OF_COLOURS = ("color-contrast", "link-in-text-block")
"""The rules whose outcome depends on the theme, which is colours alone."""


async def violations(page: Page, rules: Sequence[str] = ()) -> list[str]:
    """Each rule that the page breaks, and where; of all rules, or of those that are given."""
    if not HAS_NODE:
        pytest.skip("node and npm, which bring axe-core, are not installed")
    if not await page.evaluate("'axe' in window"):
        await page.evaluate((installed_modules(CONSOLE) / "axe-core" / "axe.min.js").read_text())
    found = await page.evaluate("rules => axe.run(rules.length ? {runOnly: rules} : {})", list(rules))
    return [
        f"{each['id']}: {each['help']}: {node['html'][:120]}"
        for each in found["violations"]
        for node in each["nodes"]
    ]


async def violations_of_both_themes(page: Page) -> list[str]:
    """Each rule that the page breaks in the light or in the dark theme; it is left in the light one.

    In the dark one only the rules of colours are tried.
    """
    found = []
    for theme, rules in (("dark", OF_COLOURS), ("light", ())):
        await page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
        await expect(page.locator("html")).to_have_attribute("data-theme", theme)
        found += [f"{theme}: {each}" for each in await violations(page, rules)]
    return found
