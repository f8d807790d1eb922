"""Where an address leads, and how its host is shown so that nobody is deceived (security.md §1.3)."""

from __future__ import annotations

import unicodedata

import ada_url
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from renderer.citations.urls import Address, parse_address


@pytest.mark.parametrize(
    ("url", "host", "path"),
    [
        pytest.param("https://a.example", "a.example", "", id="no path"),
        pytest.param("https://a.example/", "a.example", "", id="root"),
        pytest.param("http://a.example/x", "a.example", "/x", id="http"),
        pytest.param("https://a.example/x/", "a.example", "/x/", id="trailing slash"),
        pytest.param("https://a.example/x?a=1&b=2#part", "a.example", "/x?a=1&b=2", id="query, fragment"),
        pytest.param("https://a.example?q=1", "a.example", "/?q=1", id="query right after the host"),
        pytest.param("https://a.example#top", "a.example", "", id="fragment right after the host"),
        pytest.param("https://a.example:8443/x", "a.example", "/x", id="port"),
        pytest.param("https://a.example/x:y", "a.example", "/x:y", id="colon in the path"),
        pytest.param("https://a.example/@user", "a.example", "/@user", id="at sign in the path"),
        pytest.param("https://a.example/%C3%A9", "a.example", "/%C3%A9", id="percent-encoded"),
        pytest.param("https://a.example/%c3%a9", "a.example", "/%c3%a9", id="lower-case percent-encoded"),
        pytest.param("https://a.example/é", "a.example", "/%C3%A9", id="accent in the path"),
        pytest.param("https://a.example/路径?查=询", "a.example", None, id="Chinese path and query"),
        pytest.param("https://a.example/a_(b)", "a.example", "/a_(b)", id="brackets in the path"),
        pytest.param("https://a.example/x~y!$'*,;=", "a.example", "/x~y!$'*,;=", id="marks in the path"),
        pytest.param("https://EXAMPLE.com/", "example.com", "", id="capitals in the host"),
        pytest.param("https://sub.a-b.example/", "sub.a-b.example", "", id="hyphen"),
        pytest.param("http://127.0.0.1/", "127.0.0.1", "", id="IPv4"),
        pytest.param("http://localhost:3000/", "localhost", "", id="localhost"),
    ],
)
def test_an_ordinary_address_is_linked_to_the_letter(url: str, host: str, path: str | None) -> None:
    """An address that every parser reads alike is its own href, character for character."""
    address = parse_address(url)
    assert address is not None
    assert address.href == url
    assert address.host == host
    if path is not None:
        assert address.path == path


@pytest.mark.parametrize(
    ("url", "href", "host"),
    [
        pytest.param(
            "https://good.example\\@evil.example/",
            "https://good.example/@evil.example/",
            "good.example",
            id="backslash",
        ),
        pytest.param("https://good.example\\.evil.example/", "https://good.example/.evil.example/", "good.example"),
        pytest.param(
            "https:\\\\evil.example\\x", "https://evil.example/x", "evil.example", id="backslashes for slashes"
        ),
        pytest.param("https://google.com@evil.example/x", "https://evil.example/x", "evil.example", id="user name"),
        pytest.param("https://user:pw@evil.example/", "https://evil.example/", "evil.example", id="password"),
        pytest.param("https://google.com:443@evil.example/", "https://evil.example/", "evil.example", id="fake port"),
        pytest.param("https://:pw@evil.example/", "https://evil.example/", "evil.example", id="only a password"),
        pytest.param("https://a@b@evil.example/", "https://evil.example/", "evil.example", id="two at signs"),
        pytest.param("https:evil.com", "https://evil.com/", "evil.com", id="no slashes"),
        pytest.param("https:/evil.com/x", "https://evil.com/x", "evil.com", id="one slash"),
        pytest.param("https:///evil.com/x", "https://evil.com/x", "evil.com", id="three slashes"),
        pytest.param("HTTPS://A.example/X", "https://a.example/X", "a.example", id="capital scheme"),
        pytest.param("ht\ntps://a.ex\tample/x\ry", "https://a.example/xy", "a.example", id="tabs and line ends"),
        pytest.param(" \x01https://a.example/ \n", "https://a.example/", "a.example", id="blanks and controls around"),
        pytest.param("https://a.example/x y", "https://a.example/x%20y", "a.example", id="blank in the path"),
        pytest.param('https://a.example/"x', "https://a.example/%22x", "a.example", id="quote"),
        pytest.param("https://a.example/<x>", "https://a.example/%3Cx%3E", "a.example", id="angle brackets"),
        pytest.param("https://a.example/`x", "https://a.example/%60x", "a.example", id="backtick"),
        pytest.param("https://%65vil.example/", "https://evil.example/", "evil.example", id="percent-encoded host"),
        pytest.param("https://ｅｖｉｌ.example/", "https://evil.example/", "evil.example", id="full-width host"),
        pytest.param("https://evil。example/", "https://evil.example/", "evil.example", id="ideographic full stop"),
        pytest.param("https://[::1]/a", "https://[::1]/a", "[::1]", id="IPv6"),
        pytest.param("http://[2001:DB8:0:0::1]:8080/", "http://[2001:db8::1]:8080/", "[2001:db8::1]", id="IPv6, port"),
        pytest.param("https://a.example:/x", "https://a.example/x", "a.example", id="empty port"),
    ],
)
def test_any_other_address_leads_where_a_browser_goes(url: str, href: str, host: str) -> None:
    """An address that could be misread is linked as a browser would rewrite it, without user name and password."""
    address = parse_address(url)
    assert address is not None
    assert (address.href, address.host) == (href, host)


@pytest.mark.parametrize(
    "url",
    [
        "",
        " ",
        "x",
        "a.example",
        "/path",
        "//x",
        "//evil.example/x",
        "/\\evil.example",
        "#part",
        "?q",
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        " javascript:alert(1)",
        "java\nscript:alert(1)",
        "javascript://a.example/%0aalert(1)",
        "data:text/html,x",
        "data:image/png;base64,AAAA",
        "ftp://a.example/",
        "file:///etc/passwd",
        "mailto:a@b.example",
        "blob:https://a.example/x",
        "filesystem:https://a.example/x",
        "view-source:https://a.example/",
        "about:blank",
        "ws://a.example/",
        "httpx://a.example/",
        "https",
        "https:",
        "https://",
        "https:///",
        "http://?x",
        "http://#x",
        "https://:443/",
        "https://user@/",
        "https://a.example:99999/",
        "https://a.example:x/",
        "https://[::1/",
        "https://[v1.x]/",
        "https://a b.example/",
        "https://a<b.example/",
        "https://a%00b.example/",
        "https://a.example／x/",
        "https://1.2.3.256/",
    ],
)
def test_what_is_no_web_address_is_not_linked(url: str) -> None:
    """Other schemes, relative addresses, an empty host and what no browser can read are never a link."""
    assert parse_address(url) is None


def test_an_address_of_2048_characters_is_the_longest() -> None:
    """One character more, and it is shown as text."""
    longest = "https://a.example/" + "x" * (2048 - len("https://a.example/"))
    address = parse_address(longest)
    assert address is not None
    assert address.href == longest
    assert parse_address(longest + "x") is None


@pytest.mark.parametrize("url", ["https://a.example/\ud800", "https://\ud800.example/", "\udfff", "https://a/\udc00x"])
def test_a_lone_surrogate_raises_nothing(url: str) -> None:
    """Half a character cannot be sent anywhere: such an address is no link."""
    assert parse_address(url) is None


# --- Hosts that cannot deceive ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        pytest.param("https://例え.jp/", "例え.jp", id="Japanese"),
        pytest.param("https://www.例え.jp/", "www.例え.jp", id="Japanese with www"),
        pytest.param("https://xn--r8jz45g.jp/", "例え.jp", id="Japanese in punycode"),
        pytest.param("https://中文.com/", "中文.com", id="Chinese"),
        pytest.param("https://한국.kr/", "한국.kr", id="Korean"),
        pytest.param("https://münchen.de/", "münchen.de", id="German"),
        pytest.param("https://MÜNCHEN.de/", "münchen.de", id="German capitals"),
        pytest.param("https://xn--mnchen-3ya.de/", "münchen.de", id="German in punycode"),
        pytest.param("https://mañana.com/", "mañana.com", id="Spanish"),
        pytest.param("https://пример.рф/", "пример.рф", id="Russian"),
        pytest.param("https://παράδειγμα.ελ/", "παράδειγμα.ελ", id="Greek"),
    ],
)
def test_a_host_that_cannot_be_mistaken_is_shown_in_its_script(url: str, shown: str) -> None:
    """Names of one script that is not taken for Latin, or whose ending is of that script too, are readable."""
    address = parse_address(url)
    assert address is not None
    assert address.host == shown


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        pytest.param("https://аррӏе.com/", "xn--80ak6aa92e.com", id="all Cyrillic, like apple"),
        pytest.param("https://pаypal.com/", "xn--pypal-4ve.com", id="one Cyrillic letter"),
        pytest.param("https://xn--pypal-4ve.com/", "xn--pypal-4ve.com", id="one Cyrillic letter, in punycode"),
        pytest.param("https://россия.com/", "xn--h1alffa9f.com", id="Cyrillic with a Latin ending"),
        pytest.param("https://παράδειγμα.gr/", "xn--hxajbheg2az3al.gr", id="Greek with a Latin ending"),
        pytest.param("https://中a.com/", "xn--a-kq6a.com", id="Chinese and Latin in one label"),
        pytest.param("https://ıcloud.com/", "xn--cloud-m4a.com", id="dotless i"),
        pytest.param("https://☃.com/", "xn--n3h.com", id="a sign"),
    ],
)
def test_a_host_that_could_be_mistaken_is_shown_in_punycode(url: str, shown: str) -> None:
    """Mixed scripts and look-alikes are shown as the letters that the name server gets."""
    address = parse_address(url)
    assert address is not None
    assert address.host == shown


@pytest.mark.parametrize(
    "host",
    [
        pytest.param("xn--google-.com", id="decodes to google.com"),
        pytest.param("xn--paypal-.evil.example", id="decodes to a label of another host"),
        pytest.param("xn--.com", id="decodes to an empty label"),
        pytest.param("xn--a", id="decodes to a control character"),
    ],
)
def test_punycode_that_decodes_to_no_name_of_its_own_is_shown_as_it_is(host: str) -> None:
    """A label that decodes to plain ASCII, to nothing or to a control character never looks like another host."""
    address = parse_address(f"https://{host}/")
    assert address is None or address.host == host


@pytest.mark.parametrize(
    ("url", "href"),
    [
        pytest.param("https://a.example/\u200bx", "https://a.example/%E2%80%8Bx", id="zero-width space"),
        pytest.param(
            "https://a.example/\u202egpj.exe", "https://a.example/%E2%80%AEgpj.exe", id="right-to-left override"
        ),
        pytest.param("https://a.example/\u2066x\u2069", "https://a.example/%E2%81%A6x%E2%81%A9", id="isolate"),
        pytest.param("https://a.example/\ufeffx", "https://a.example/%EF%BB%BFx", id="byte order mark"),
        pytest.param("https://a.example/x\u00ad", "https://a.example/x%C2%AD", id="soft hyphen"),
        pytest.param("https://a.example/x\u2028y", "https://a.example/x%E2%80%A8y", id="line separator"),
        pytest.param("https://a\u200b.example/", "https://a.example/", id="zero-width space in the host"),
        pytest.param("https://a\u00ad.example/", "https://a.example/", id="soft hyphen in the host"),
    ],
)
def test_nothing_invisible_is_left_in_an_address(url: str, href: str) -> None:
    """Zero-width and direction characters are percent-encoded in a path and gone from a host."""
    address = parse_address(url)
    assert address is not None
    assert address.href == href
    assert address.host == "a.example"
    assert address.path.isascii()


def test_a_direction_character_in_a_host_is_no_address() -> None:
    """A host that turns the reading direction is no host."""
    assert parse_address("https://a.\u202eexample/") is None


# --- Laws ------------------------------------------------------------------------------------------------------

_PIECES = st.lists(
    st.one_of(
        st.sampled_from(
            ["a", "evil", "xn--", "xn--80ak", "-", ".com", ".", "é", "а", "中", "@", ":", "/", "\\", "?", "#"]
        ),
        st.sampled_from(["%41", "%00", "[", "]", "1", "0x7f", " ", "\t", "\u200b", "\u202e", "。", "ß", "ı", "\ud800"]),
        st.characters(),
    ),
    max_size=8,
).map("".join)


@given(start=st.sampled_from(["https://", "http://", "https:", "//", ""]), rest=_PIECES)
def test_every_address_is_safe_to_link_and_show(start: str, rest: str) -> None:
    """Whatever the text, what is linked is http(s) without user name, and what is shown holds nothing invisible."""
    address = parse_address(start + rest)
    if address is None:
        return
    parsed = ada_url.URL(address.href)
    assert parsed.protocol in ("http:", "https:")
    assert (parsed.username, parsed.password) == ("", "")
    assert parsed.hostname
    assert not any(unicodedata.category(char) in ("Cc", "Cf", "Zs", "Zl", "Zp", "Cs") for char in shown(address))


@given(start=st.sampled_from(["https://", "http://"]), rest=_PIECES)
@example(start="https://", rest="xn--google-.com/")
@example(start="https://", rest="good.example\\@evil.example/")
def test_the_host_that_is_shown_is_the_one_that_is_linked(start: str, rest: str) -> None:
    """Typed into a browser, the shown host leads to where the link leads."""
    address = parse_address(start + rest)
    if address is not None:
        assert leads_to(f"https://{address.host}/") == leads_to(address.href)


def leads_to(url: str) -> str:
    """The host that a browser asks the name server for, or that there is none."""
    return ada_url.URL(url).hostname if ada_url.check_url(url) else "nowhere"


def shown(address: Address) -> str:
    """All of an address that a reader sees."""
    return address.host + address.path
