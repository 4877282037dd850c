"""The colours of what is drawn on a canvas, which axe does not see: a contrast of 3 or more [WCAG 1.4.11]."""

import re
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2] / "console" / "src"
LEAST_CONTRAST = 3.0
DRAWN = {
    "surface": ("good", "danger", "muted", "colour-1", "colour-2", "colour-3", "colour-4"),
    "map-sea": ("colour-1", "colour-2", "ink"),
    "map-land": ("colour-1", "colour-2", "ink"),
}
"""By background: lines of plots, candles that rise and fall, and things on the map with their names."""

pytestmark = pytest.mark.pure


def colours(theme: str) -> dict[str, str]:
    """The colours of a theme, by name; the dark one changes what the light one has."""
    text = (SOURCES / "style.css").read_text() + (SOURCES / "pictures.css").read_text()
    selectors = [":root"] if theme == "light" else [":root", ':root[data-theme="dark"]']
    found: dict[str, str] = {}
    for selector in selectors:
        for block in re.findall(rf"^{re.escape(selector)} \{{(.*?)\}}", text, re.DOTALL | re.MULTILINE):
            found |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))
    return found


def luminance(colour: str) -> float:
    """Of a colour `#rrggbb`, from 0 to 1."""
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_black_and_white_have_the_highest_contrast() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_is_drawn_can_be_told_from_its_background(theme: str) -> None:
    named = colours(theme)
    weak = {
        f"{name} on {background}": round(ratio, 2)
        for background, names in DRAWN.items()
        for name in names
        if (ratio := contrast(named[name], named[background])) < LEAST_CONTRAST
    }
    assert weak == {}


def test_the_themes_differ() -> None:
    assert colours("dark")["good"] != colours("light")["good"]
