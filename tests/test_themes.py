"""Themes: every colour that text may have can be read on every ground that it may stand on (WCAG 2.2, 1.4.3)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from renderer.errors import RendererError
from renderer.themes import conditional_parts, script, style_sheet, themes

FOLDER = Path(__file__).parent.parent / "assets" / "themes"
TEXTS = ("ink", "muted", "accent", "warning")
GROUNDS = ("paper", "surface", "flash")

Colours = dict[str, tuple[str, str]]


def _blocks(theme: str) -> list[Colours]:
    """The colours of a theme as {name: (light, dark)}: as it is, and where a reader asks for more contrast."""
    plain, *more = re.split(r"@media \(prefers-contrast: more\)", (FOLDER / f"{theme}.css").read_text("utf-8"))
    found = [dict(_colours(plain))]
    return found + [found[0] | dict(_colours(text)) for text in more]


def _colours(css: str) -> list[tuple[str, tuple[str, str]]]:
    pairs = re.findall(r"--([a-z-]+): light-dark\((#[0-9a-f]{3,6}), (#[0-9a-f]{3,6})\)", css)
    return [(name, (light, dark)) for name, light, dark in pairs]


def _luminance(colour: str) -> float:
    """Relative luminance, https://www.w3.org/TR/WCAG22/#dfn-relative-luminance."""
    parts = [value / 255 for value in _rgb(colour)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _rgb(colour: str) -> list[int]:
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    return [int(digits[at : at + 2], 16) for at in (0, 2, 4)]


def _contrast(one: str, other: str) -> float:
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _low(theme: str, least: float) -> list[str]:
    found = []
    for block in _blocks(theme):
        texts = [name for name in block if name in TEXTS or name.startswith("code-")]
        for text in texts:
            for ground in GROUNDS if text in TEXTS else ("surface",):
                for scheme in (0, 1):
                    value = _contrast(block[text][scheme], block[ground][scheme])
                    if value < least:
                        found.append(f"{text} on {ground} ({'light' if scheme == 0 else 'dark'}): {value:.2f}")
    return found


def test_contrast_is_measured_as_the_standard_says() -> None:
    """Black on white is 21, and the grey that just passes on white is #767676 (WebAIM's well-known example)."""
    assert round(_contrast("#000", "#fff"), 2) == 21
    assert round(_contrast("#767676", "#ffffff"), 2) == 4.54
    assert round(_contrast("#777", "#fff"), 2) == 4.48


def test_there_are_themes_that_differ() -> None:
    """There are at least three themes and one for high contrast, no two alike in paper, accent and fonts."""
    assert set(themes()) >= {"paper", "journal", "plain", "contrast"}
    looks = {
        (*_blocks(name)[0]["paper"], *_blocks(name)[0]["accent"], *re.findall(r"--font-\w+: [^;]+", _text(name)))
        for name in themes()
    }
    assert len(looks) == len(themes())


def _text(theme: str) -> str:
    return (FOLDER / f"{theme}.css").read_text("utf-8")


@pytest.mark.parametrize("theme", themes())
def test_text_can_be_read(theme: str) -> None:
    """Every text colour has a contrast of 4.5 on every ground, in light and dark, and where more is asked for."""
    assert [set(TEXTS + GROUNDS) - set(block) for block in _blocks(theme)] == [set()] * len(_blocks(theme))
    assert _low(theme, 4.5) == []


@pytest.mark.parametrize("theme", themes())
def test_changed_lines_can_be_read(theme: str) -> None:
    """A line of a diff can be read on its own tint, 7 % of its colour on the ground of code."""
    for block in _blocks(theme):
        for name in ("code-inserted", "code-deleted"):
            for ink, ground in zip(block[name], block["surface"], strict=True):
                assert _contrast(ink, _mixed(ink, ground, 0.07)) >= 4.5


def _mixed(one: str, other: str, share: float) -> str:
    return "#" + "".join(
        f"{round(share * a + (1 - share) * b):02x}" for a, b in zip(_rgb(one), _rgb(other), strict=True)
    )


def test_the_contrast_theme_is_better_than_that() -> None:
    """The theme for high contrast reaches 7 everywhere (WCAG 2.2, 1.4.6)."""
    assert _low("contrast", 7) == []


@pytest.mark.parametrize("theme", themes())
def test_a_theme_holds_custom_properties_alone(theme: str) -> None:
    """A theme sets the properties that every other sets, and no rule for anything but the root."""
    text = re.sub(r"/\*.*?\*/", "", _text(theme), flags=re.DOTALL)
    assert set(re.findall(r"([^\s{}][^{}]*?) *\{", text)) <= {":root", "@media (prefers-contrast: more)"}
    assert _properties(theme) == _properties("paper")
    set_here = re.findall(r"^ +([a-z-]+):", text, flags=re.MULTILINE)
    assert {name for name in set_here if not name.startswith("--")} == {"color-scheme"}


def _properties(theme: str) -> set[str]:
    return set(re.findall(r"(--[a-z-]+):", _text(theme)))


def test_a_theme_that_there_is_not_is_refused() -> None:
    """An unknown theme is an error that names those that there are."""
    with pytest.raises(RendererError, match="no theme 'sepia'; choose one of: contrast, journal, paper, plain"):
        style_sheet("sepia", "en", frozenset())


def test_a_page_carries_the_parts_that_it_has_a_use_for() -> None:
    """The rules for tables come with a table, and no others with them."""
    without, with_table = (style_sheet("paper", "en", frozenset(parts)) for parts in ((), ("table-scroll",)))
    assert "table-scroll" in conditional_parts()
    assert ".prose table{" in with_table
    assert ".prose table{" not in without
    assert ".footnotes{" not in with_table


def test_the_script_is_small() -> None:
    """The script of a page is within 10,000 bytes, of an ordinary one within 9,300; a series has 1,000 more."""
    whole = conditional_parts()
    ordinary, all_of_it, series = (script(parts) for parts in (frozenset({"sources"}), whole - {"series-end"}, whole))
    assert len(ordinary.encode()) <= 9300
    assert len(all_of_it.encode()) <= 10_000
    assert len(series.encode()) <= 11_000


def test_a_page_carries_the_script_that_it_has_a_use_for() -> None:
    """The keys j and k come with the bar, the drawer with sources; what every page can do is always there."""
    bare, bar, sources = (script(frozenset(parts)) for parts in ((), ("page-bar",), ("sources",)))
    assert {"page-bar", "sources"} <= conditional_parts()
    assert ['"#keys"' in text for text in (bare, bar, sources)] == [False, True, False]
    assert ["showModal" in text for text in (bare, bar, sources)] == [False, False, True]
    assert ["beforeprint" in text and "clipboard" in text for text in (bare, bar, sources)] == [True] * 3


@pytest.mark.parametrize(
    ("lang", "fonts"),
    [
        ("en", "--font-sans:var(--font-small)"),
        ("zh-CN", "--font-sans:var(--sans-cjk),var(--sans)"),
        ("ja", '--sans-cjk:"Hiragino Sans"'),
        ("zh-Hant-TW", '--sans-cjk:"PingFang TC"'),
    ],
)
def test_fonts_follow_the_language_of_the_page(lang: str, fonts: str) -> None:
    """A page takes the fonts of its language, the special after the general."""
    style = style_sheet("paper", lang, frozenset())
    assert re.findall(r"--(?:font-sans|sans-cjk):[^;}]+", style)[-1].startswith(fonts) or fonts in style
    assert ("PingFang TC" in style) == lang.startswith("zh-Hant")


def test_an_ordinary_page_is_light() -> None:
    """Style and script of an ordinary page are at most 24,000 bytes in every theme and both languages; a bar adds
    1,500 to its style."""
    parts = frozenset(("sources", "steps"))
    for theme in themes():
        for lang in ("en", "zh-CN"):
            size = len(style_sheet(theme, lang, parts).encode())
            assert size + len(script(parts).encode()) <= 24_000, (theme, lang, size)
            assert len(style_sheet(theme, lang, parts | {"page-bar"}).encode()) <= size + 1_500


def test_nothing_can_end_the_elements_early() -> None:
    """Neither style nor script holds what would end its element or load anything."""
    for theme in themes():
        for text in (style_sheet(theme, "zh-CN", conditional_parts()), script(conditional_parts())):
            assert "</" not in text
            assert "<!--" not in text
            assert not re.search(r"url\(|@import|@font-face|innerHTML|eval\(", text)
