"""The colours of code can be read on what they stand on, in every theme, light and dark."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from renderer.resources import asset_text
from renderer.themes import themes

_VALUE = re.compile(r"(--[a-z-]+):\s*(?:light-dark\((#[0-9a-f]+), (#[0-9a-f]+)\)|var\((--[a-z-]+)\));")
CODE_COLOURS = ("keyword", "name", "string", "number", "comment", "inserted", "deleted")
# The share of its own colour that lies under a changed line of a diff (`35-code.css`).
TINT = 0.07


def colours(css: str, scheme: int) -> dict[str, str]:
    """The colours that a style sheet sets, by property; 0 is the light scheme, 1 the dark one."""
    return {name: values[scheme] or f"var {other}" for name, *values, other in _VALUE.findall(css)}


def looks() -> Iterator[tuple[str, dict[str, str]]]:
    """Every set of colours that a page can have: of each theme, in each scheme, also with more contrast."""
    for theme in themes():
        usual, _, more = asset_text(f"themes/{theme}.css").partition("prefers-contrast")
        for scheme in (0, 1):
            first = colours(usual, scheme)
            yield f"{theme} {scheme}", first
            yield f"{theme} {scheme} more", first | colours(more, scheme)


def value(look: dict[str, str], name: str) -> tuple[float, ...]:
    """The colour of a property as red, green, blue between 0 and 1."""
    text = look[name]
    if text.startswith("var "):
        return value(look, text.removeprefix("var "))
    digits = text[1:] if len(text) == 7 else "".join(digit * 2 for digit in text[1:])
    return tuple(int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4))


def luminance(colour: tuple[float, ...]) -> float:
    """https://www.w3.org/TR/WCAG22/#dfn-relative-luminance"""
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    """https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio"""
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("name", "look"), list(looks()), ids=[name for name, _ in looks()])
@pytest.mark.parametrize("colour", CODE_COLOURS)
def test_code_can_be_read(name: str, look: dict[str, str], colour: str) -> None:
    """Each colour of code has a contrast of 4.5 or more on the ground of code, and in a diff on its own tint."""
    ink, ground = value(look, f"--code-{colour}"), value(look, "--surface")
    assert contrast(ink, ground) >= 4.5, name
    if colour in ("inserted", "deleted"):
        tint = tuple(TINT * a + (1 - TINT) * b for a, b in zip(ink, ground, strict=True))
        assert contrast(ink, tint) >= 4.5, name


def test_the_measure_is_right() -> None:
    """Black on white has the greatest contrast there is, and a colour on itself the smallest."""
    assert contrast((0, 0, 0), (1, 1, 1)) == pytest.approx(21)
    assert contrast((0.5, 0.5, 0.5), (0.5, 0.5, 0.5)) == 1


def test_a_tint_is_as_strong_as_the_style_says() -> None:
    """The share of colour that is computed with here is the one in the style sheet."""
    assert f"color-mix(in srgb, currentColor {TINT:.0%}, transparent)" in asset_text("css/35-code.css")
