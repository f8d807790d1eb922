"""Nothing dangerous gets through, whatever made the HTML, and our own markup goes in where we put it and nowhere else.

The policy is tested as data, on hostile HTML directly, and over our own collection of hostile inputs (vectors.json).
"""

from __future__ import annotations

import json
import re
from importlib.metadata import distribution
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag
from markupsafe import Markup

from renderer.markdown import sanitize
from renderer.markdown.html import Unsafe, write_html
from renderer.markdown.hygiene import clean
from renderer.markdown.inserts import CiteRef, Insert, TaskBox
from renderer.markdown.parse import parse
from renderer.markdown.sanitize import as_written, finish
from renderer.markdown.transforms import transform
from tests.markdown.showing import Shown, show, token, words

# Written out once more by hand: what a text can become. A new name here is a decision.
ALLOWED: dict[str, set[str]] = {
    **{tag: set() for tag in ["blockquote", "br", "code", "del", "em", "h3", "h4", "h5", "h6", "hr", "kbd", "strong"]},
    **{tag: set() for tag in ["sub", "sup", "table", "tbody", "thead", "tr", "ul"]},
    "a": {"href", "title", "target", "rel"},
    "li": {"class"},
    "ol": {"start"},
    "p": {"class"},
    "pre": {"tabindex"},
    "span": {"class", "tabindex"},
    "td": {"class"},
    "th": {"class"},
}
CLASSES = {
    "li": {"task"},
    "p": {"math", "raw-html"},
    "span": {
        "math",
        "formula",
        "formula-block",
        "formula-scroll",
        "formula-long",
        "k",
        "f",
        "t",
        "s",
        "n",
        "c",
        "i",
        "d",
    },
    "td": {"ta-l", "ta-c", "ta-r"},
    "th": {"ta-l", "ta-c", "ta-r"},
}
# What stands inside a formula, and nowhere else.
MATH: dict[str, set[str]] = {
    **{
        tag: set()
        for tag in ["mn", "msqrt", "mroot", "msub", "msup", "msubsup", "munder", "mover", "munderover", "mtr"]
    },
    "math": {"alttext", "display"},
    "mfrac": {"linethickness"},
    "mi": {"mathvariant"},
    "mo": {"form", "lspace", "maxsize", "minsize", "movablelimits", "rspace", "stretchy"},
    "mrow": {"class"},
    "mspace": {"width"},
    "mstyle": {"displaystyle", "scriptlevel"},
    "mtable": {"displaystyle"},
    "mtd": {"columnalign"},
    "mtext": {"class"},
}
MATH_CLASSES = {"mrow": {"boxed", "overline", "underline"}, "mtext": {"bold", "italic"}}
_PLAIN_VALUE = re.compile(r"true|false|left|right|center|normal|prefix|postfix|block|inline|-?[0-3]?(\.[0-9]+)?(em)?")


def math_complaints(tag: Tag) -> list[str]:
    """All that an element of a formula is or bears and may not."""
    found = [] if tag.find_parent("math") or tag.name == "math" else ["outside a formula"]
    if tag.name in ("mi", "mn", "mo", "mtext", "mspace") and tag.find(True):
        found.append("an element in a token")
    for name, value in tag.attrs.items():
        if name not in MATH[tag.name]:
            found.append(name)
        elif name == "class":
            found += [word for word in value if word not in MATH_CLASSES[tag.name]]
        elif name != "alttext" and not _PLAIN_VALUE.fullmatch(str(value)):
            found.append(f"{name}={value}")
    return [f"<{tag.name}> {what}" for what in found]


def complaints(html: str) -> list[str]:
    """All that a fragment holds and may not hold. No id is allowed: only inserts write ids, and `show`'s do not."""
    found = [f"sentinel {char!r}" for char in "\ufdd0\ufdd1" if char in html]
    for tag in BeautifulSoup(html, "html.parser").find_all(True):
        if tag.name in MATH:
            found += math_complaints(tag)
            continue
        if tag.name not in ALLOWED or tag.find_parent("math"):
            found.append(f"<{tag.name}>")
            continue
        found += [f"<{tag.name} {name}>" for name in tag.attrs if name not in ALLOWED[tag.name]]
        found += [f"<{tag.name} class={name}>" for name in tag.get("class") or () if name not in CLASSES[tag.name]]
        if tag.name == "a":
            if not re.match(r"https?://[^/?#@\s]+(?:[/?#]|\Z)|mailto:[^?&\s]+\Z", str(tag.get("href", ""))):
                found.append(f"href {tag.get('href')}")
            if (tag.get("target"), set(tag.get("rel") or ())) != (
                "_blank",
                {"noopener", "noreferrer", "nofollow", "ugc"},
            ):
                found.append("a link without target and rel")
            if tag.find("a"):
                found.append("a link in a link")
        if tag.get("tabindex", "0") != "0":
            found.append("tabindex")
        if tag.name == "ol" and not str(tag.get("start", "1")).isdecimal():
            found.append("start")
    return found


def test_the_check_itself_sees_what_is_wrong() -> None:
    """A check that never complains would prove nothing."""
    link = '<a href="{}" target="_blank" rel="noopener noreferrer nofollow ugc">x</a>'
    assert complaints("<p>fine</p>" + link.format("https://a.example/")) == []
    for wrong in (
        "<script>",
        "<img src=x>",
        "<p onclick=x>",
        "<mi>x</mi>",
        "<math><mi href=x>x</mi></math>",
        "<math><mi mathvariant=url(x)>x</mi></math>",
        "<math><mrow class=turn></mrow></math>",
        "<math><mtext><p>x</p></mtext></math>",
        "<math><mtext><mi>x</mi></mtext></math>",
        "<math><annotation-xml></annotation-xml></math>",
        "<p id=x>",
        "<p style=x>",
        '<p class="turn">',
        "<pre tabindex=1>",
        "<ol start=x>",
        "<a href='https://a.example/'>x</a>",
        link.format("javascript:alert(1)"),
        link.format("//a.example/"),
        link.format("#x"),
        link.format("https://good@evil.example/"),
        link.format("mailto:a@b?attach=x"),
        "\ufdd0",
    ):
        assert complaints(wrong) != [], wrong


# --- The policy ------------------------------------------------------------------------------------------------


def test_the_policy_allows_what_we_write_and_nothing_else() -> None:
    """Tags, attributes, classes and schemes are exactly the decided ones."""
    assert set(sanitize.TAGS) == set(ALLOWED)
    assert {tag: set(names) for tag, names in sanitize.ATTRIBUTES.items()} == {"a": {"href", "title"}, "ol": {"start"}}
    # The boxes of formulas are put in after the text was sanitized.
    written = {**CLASSES, "span": CLASSES["span"] - {"formula", "formula-block", "formula-scroll", "formula-long"}}
    assert {tag: set(names) for tag, names in sanitize.CLASSES.items()} == written
    assert set(sanitize.SCHEMES) == {"http", "https", "mailto"}


def test_the_policy_for_formulas_allows_what_we_write_and_nothing_else() -> None:
    """MathML has a policy of its own, which shares no tag with the text's: no link, style, id or HTML is in it."""
    assert set(sanitize.MATH_TAGS) == set(MATH)
    written = {tag: names - {"class"} for tag, names in MATH.items()}
    assert {tag: set(names) for tag, names in sanitize.MATH_ATTRIBUTES.items()} == {
        k: v for k, v in written.items() if v
    }
    assert {tag: set(names) for tag, names in sanitize.MATH_CLASSES.items()} == MATH_CLASSES
    assert not sanitize.MATH_TAGS & sanitize.TAGS


@pytest.mark.parametrize(
    "tag",
    ["img", "style", "svg", "math", "script", "iframe", "form", "input", "button", "base", "meta", "link", "title"],
)
def test_dangerous_tags_are_not_allowed(tag: str) -> None:
    """No tag that loads, runs, styles or submits anything is on the list."""
    assert tag not in sanitize.TAGS


@pytest.mark.parametrize("tag", ["script", "style", "svg", "math", "iframe", "object", "template", "noscript", "xmp"])
def test_what_is_in_a_dangerous_tag_goes_with_it(tag: str) -> None:
    """Content that is not text in these elements is dropped with them."""
    assert tag in sanitize.DROPPED
    assert not sanitize.DROPPED & sanitize.TAGS


def version(text: str) -> tuple[int, ...]:
    """A version as numbers that can be compared."""
    return tuple(int(part) for part in re.findall(r"\d+", text)[:3])


def test_the_sanitizer_has_the_known_holes_closed() -> None:
    """nh3 is at least 0.3.8, and the ammonia inside it at least 4.1.4 (security.md §1.2)."""
    nh3 = distribution("nh3")
    assert version(nh3.version) >= (0, 3, 8)
    boms = [Path(str(nh3.locate_file(file))) for file in nh3.files or () if "/sboms/" in str(file)]
    boms = [file for file in boms if file.suffix == ".json"]
    assert boms
    components = [part for file in boms for part in json.loads(file.read_bytes())["components"]]
    versions = [version(part["version"]) for part in components if part["name"] == "ammonia"]
    assert versions
    assert min(versions) >= (4, 1, 4)


@pytest.mark.parametrize(
    "html",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<svg><script>alert(1)</script></svg>",
        "<svg><a><animate attributeName=href values=javascript:alert(1) /></a></svg>",
        "<math><annotation-xml encoding='text/html'><style><img src=x onerror=x></style></annotation-xml></math>",
        "<p onclick=alert(1)>x</p>",
        "<p id=main name=x class=turn style='color:red' title=t lang=x dir=rtl data-role=a aria-label=b role=c>x</p>",
        "<a href='javascript:alert(1)'>x</a>",
        "<a href='data:text/html,x'>x</a>",
        "<a href='//evil.example'>x</a>",
        "<a href='/x'>x</a><a href='#x'>y</a><a href='?x'>z</a>",
        "<a href='https://a.example/' target=_self rel=opener ping=https://b.example/ download>x</a>",
        "<form action=x><input name=y><button>z</button></form>",
        "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
        "<base href='https://evil.example/'><meta http-equiv=refresh content='0;url=x'>",
        "<td class='ta-l evil'>x</td><li class='task source'>y</li><span class='math cite-ref'>z</span>",
        "<ol start=3 type=a reversed><li value=4>x</li></ol>",
        "<pre tabindex=5 onfocus=x>y</pre>",
        "<h1>x</h1><h2>y</h2><section><article>z</article></section>",
        "<table background=x><tr><td colspan=3 rowspan=65534 style=x>y</td></tr></table>",
        "<!-- comment --><?php x ?><![CDATA[y]]>",
        "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
        "<details open ontoggle=alert(1)><summary>x</summary></details>",
    ],
)
def test_hostile_html_comes_out_harmless(html: str) -> None:
    """The policy holds for any HTML, though a text cannot make it: it is no second line that needs the first."""
    written = str(finish(Unsafe(html, "00", ()), lambda insert: Markup("")))
    # A link without an address leads nowhere.
    assert [complaint for complaint in complaints(written) if complaint != "href None"] == []


# --- Inserts ---------------------------------------------------------------------------------------------------

_NONCE = "0123456789abcdef"


def finished(html: str, *inserts: Insert) -> str:
    """What becomes of HTML with sentinels of the nonce above."""
    return str(finish(Unsafe(html, _NONCE, inserts), token))


def test_an_insert_stands_at_its_sentinel() -> None:
    """Our own markup goes in after sanitizing, each piece at its own place."""
    html = f"<p>a\ufdd0{_NONCE}.1\ufdd1b\ufdd0{_NONCE}.0\ufdd1</p>"
    assert finished(html, CiteRef(1, 1, 1), TaskBox(True)) == "<p>a⟦✓⟧b⟦1⟧</p>"


def test_what_is_inserted_is_not_sanitized() -> None:
    """Inserts may hold what no text may: ids, roles, classes."""
    html = f"<p>\ufdd0{_NONCE}.0\ufdd1</p>"
    written = finish(Unsafe(html, _NONCE, (TaskBox(True),)), lambda insert: Markup('<b id="x" class="y">z</b>'))
    assert written == '<p><b id="x" class="y">z</b></p>'


@pytest.mark.parametrize("nonce", ["0" * 16, "0123456789abcde", "0123456789abcdef0", "", "0123456789ABCDEF"])
def test_a_sentinel_of_another_nonce_yields_nothing(nonce: str) -> None:
    """A sentinel that a text made up by guessing is never filled."""
    assert "⟦" not in finished(f"<p>a\ufdd0{nonce}.0\ufdd1b</p>", CiteRef(1, 1, 1))


def test_nothing_is_inserted_in_an_attribute() -> None:
    """A sentinel between angle brackets is not ours, even with the right nonce."""
    html = f'<p>x <a href="https://a.example/" title="\ufdd0{_NONCE}.0\ufdd1">y</a></p>'
    assert "⟦" not in finished(html, CiteRef(1, 1, 1))


def test_what_an_insert_writes_is_not_searched_again() -> None:
    """An insert whose text looks like a sentinel calls up no other insert."""
    html = f"<p>\ufdd0{_NONCE}.0\ufdd1</p>"
    inserts = (TaskBox(True), TaskBox(False))
    written = finish(Unsafe(html, _NONCE, inserts), lambda insert: Markup(f"\ufdd0{_NONCE}.1\ufdd1"))
    assert written == f"<p>\ufdd0{_NONCE}.1\ufdd1</p>"


def test_a_text_cannot_repeat_the_sentinel_it_got() -> None:
    """Whoever copies what a first rendering held gets nothing for it: the nonce belongs to one text, and is removed."""
    text = "a[^1^]"
    nonces: list[str] = []
    for _ in range(3):
        nonce = nonce_of(text)
        assert nonce not in nonces
        nonces.append(nonce)
        text = f"a[^1^] \ufdd0{nonce}.0\ufdd1 &#xFDD0;{nonce}.0&#xFDD1;"
        result = show(text)
        assert len(result.of(CiteRef)) == 1
        assert result.html.count("⟦") == 1
        text = f"{text}{nonce}"


def nonce_of(text: str) -> str:
    """The nonce that a text's sentinels carry."""
    return write_html(transform(parse(clean(text), "caret")), {}, clean(text)).nonce


@pytest.mark.parametrize("text", ["<b>&amp;", "a\n  b\n\n", "\n\nfirst lines stay", "\ttab", ""])
def test_a_text_as_written_keeps_every_character(text: str) -> None:
    """Text that is not laid out is one block with its blanks, line ends and tags, and can be reached by keyboard."""
    written = str(as_written(text))
    assert complaints(written) == []
    body = re.fullmatch(r'<pre tabindex="0">(.*)</pre>', written, re.DOTALL)
    assert body is not None
    # As a browser reads it: one line feed right after <pre> is dropped.
    seen = BeautifulSoup(body[1].removeprefix("\n"), "html.parser").get_text()
    assert seen == text


# --- Our collection of hostile inputs --------------------------------------------------------------------------

_VECTORS = json.loads((Path(__file__).parent / "vectors.json").read_text("utf-8"))
_CONTEXTS = {
    "alone": "{}",
    "after words": "words {} words",
    "list": "- {}\n- x",
    "quote": "> {}",
    "heading": "# {}",
    "bold": "**{}**",
    "link text": "[{}](https://a.example/)",
    "address": "[x]({})",
    "angle address": "[x](<{}>)",
    "title": '[x](https://a.example/ "{}")',
    "definition": "[x]\n\n[x]: {}",
    "picture": "![{}](https://a.example/i.png)",
    "picture's address": "![x]({})",
    "table": "| {} | b |\n| - | - |\n| {} | d |",
    "footnote": "x[^n]\n\n[^n]: {}",
    "label": "x[^{}]\n\n[^{}]: y",
    "code": "`{}`",
    "fence": "```\n{}\n```",
    "info string": "```{}\nx\n```",
    "formula": "${}$",
    "block formula": "$$\n{}\n$$",
    "tag": "<sub>{}</sub>",
    "marker": "x[^1^]{}[^2^](https://a.example/)",
}


def test_the_collection_is_whole() -> None:
    """All 179 inputs of the ten categories are there."""
    assert len(_VECTORS) == 179
    assert {vector["cat"] for vector in _VECTORS} == {
        "attr-break",
        "autolink",
        "clobber",
        "double-entity",
        "html",
        "island",
        "mxss",
        "scheme",
        "template",
        "unicode",
    }


@pytest.mark.parametrize("payload", [pytest.param(v["payload"], id=v["id"]) for v in _VECTORS])
def test_a_hostile_input_comes_out_harmless_everywhere(payload: str) -> None:
    """In every place of a text: allowed tags and attributes only, web and mail links only, no sentinel, no id."""
    for name, context in _CONTEXTS.items():
        result = show(context.replace("{}", payload))
        assert complaints(result.html) == [], name
        assert all("\ufdd0" not in str(insert) for insert in result.inserts), name
        assert result.document.tokens is not None, name


def test_markers_survive_hostile_neighbours() -> None:
    """A hostile input beside a marker makes no number of its own, and only code and HTML can swallow one."""
    for vector in _VECTORS:
        result = show(f"a[^1^]\n\n{vector['payload']}\n\nb[^2^]")
        assert [ref.n for ref in result.of(CiteRef)][:1] == [1], vector["id"]
        assert [ref.n for ref in result.of(CiteRef)] in ([1], [1, 2]), vector["id"]


@pytest.mark.parametrize("payload", [pytest.param(v["payload"], id=v["id"]) for v in _VECTORS if v["kind"] != "md"])
def test_a_hostile_input_loses_no_word(payload: str) -> None:
    """Plain text and HTML are shown with all of their words: nobody loses a sentence that only mentions a tag."""
    shown = show(f"before {payload}\n\nafter")
    assert missing_words(payload, shown) == []


def missing_words(text: str, shown: Shown) -> list[str]:
    """The words of `text` that are not in what is shown; entities are characters and not words."""
    text = re.sub(r"&#?\w+;", " ", clean(text))
    return [word for word in words(text) if word not in shown.text]


_FORGERIES = [
    '<sup class="cite-ref" data-n="1"><a href="#src-1-1" role="doc-biblioref">[1]</a></sup>',
    '<section class="sources"><ol><li class="source" data-verdict="returned">x</li></ol></section>',
    '<li id="src-42-1">x</li>',
    "\ufdd0{}.0\ufdd1",
    "&#xFDD0;{}.0&#xFDD1;",
    "&amp;#xFDD0;{}.0&amp;#xFDD1;",
    '[x](https://a.example/ "&#xFDD0;{}.0&#xFDD1;")',
    "![&#xFDD0;{}.0&#xFDD1;](https://a.example/i.png)",
    "``` &#xFDD0;{}.0&#xFDD1;\nx\n```",
    "$&#xFDD0;{}.0&#xFDD1;$",
    "\ufdd0\ufdd0{}.0\ufdd1\ufdd1",
    "\ufdd0{}.\ufdd20\ufdd1",
]


@pytest.mark.parametrize("forged", _FORGERIES)
def test_no_text_can_forge_a_number(forged: str) -> None:
    """Markup and sentinels that a text brings along make no number, whatever nonce it guesses."""
    for nonce in ("0" * 16, nonce_of(forged), nonce_of("a[^1^]")):
        text = f"a[^1^] {forged.replace('{}', nonce)}"
        result = show(text)
        assert len(result.of(CiteRef)) == 1
        assert result.html.count("⟦1⟧") == 1
        assert complaints(result.html) == []
