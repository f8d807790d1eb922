"""Addresses as browsers read them, and hosts that cannot deceive.

What a browser would open is decided by the WHATWG URL standard (https://url.spec.whatwg.org/), so an address goes
through a parser of that standard: `https://good.example\\@evil.example/` leads to good.example.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

import ada_url

# Longer addresses are shown as text: a link of that size is an attack or a mistake.
MAX_ADDRESS = 2048

# An address that every parser reads alike is linked to the letter; any other one as the browser would rewrite it.
_PLAIN = re.compile(r"https?://[A-Za-z0-9.\-]+(?::[0-9]+)?(?:[/?#][^\s\\<>\"^`{|}\x00-\x20\x7f-\xa0\u2028\u2029]*)?")
_INVISIBLE = re.compile(
    r"[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
)


@dataclass(frozen=True, slots=True)
class Address:
    """An http(s) address: `href` to link, `host` to show, `path` (with the query) to show after it, "" for the root."""

    href: str
    host: str
    path: str


@lru_cache(maxsize=4096)
def parse_address(url: str) -> Address | None:
    """Read `url` as a browser does; None when it is no http(s) address, has no host or is over 2,048 characters.

    User names and passwords are dropped: they are no part of where a link leads, and only serve to deceive.
    """
    if len(url) > MAX_ADDRESS:
        return None
    try:
        parsed = ada_url.URL(url)
    except (ValueError, UnicodeError):
        return None
    if parsed.protocol not in ("http:", "https:") or not parsed.hostname:
        return None
    plain = _PLAIN.fullmatch(url) is not None and not _INVISIBLE.search(url)
    parsed.username = ""
    parsed.password = ""
    path = parsed.pathname + parsed.search
    return Address(
        href=url if plain else parsed.href,
        host=shown_host(parsed.hostname),
        path="" if path == "/" else path,
    )


def joined(url: str, base: str) -> str:
    """`url`, or where it leads from `base` when it is relative and there is a base."""
    if not base or not url:
        return url
    try:
        return str(ada_url.join_url(base, url))
    except (ValueError, UnicodeError):
        return url


def shown_host(ascii_host: str) -> str:
    """The host as a reader may see it: in its own script where that cannot be mistaken, in punycode otherwise."""
    if "xn--" not in ascii_host:
        return ascii_host
    labels = ascii_host.split(".")
    unicode_labels = [_decoded(label) for label in labels]
    top_script = _scripts(unicode_labels[-1])
    honest = all(label.isascii() or _is_honest(label, top_script) for label in unicode_labels)
    return ".".join(unicode_labels) if honest else ascii_host


def _decoded(label: str) -> str:
    if not label.startswith("xn--"):
        return label
    try:
        decoded = label[4:].encode("ascii").decode("punycode")
    except UnicodeError:
        return label
    # xn--google-.com would read google.com: only what needs punycode is shown without it.
    return label if decoded.isascii() else decoded


# Scripts that a browser shows together, and scripts whose letters are not taken for Latin ones.
# https://chromium.googlesource.com/chromium/src/+/main/docs/idn.md
_CJK = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"})
_LATIN_LOOKALIKES = frozenset("\u0131\u0138\u0149\u017f")


def _is_honest(label: str, top_script: frozenset[str]) -> bool:
    scripts = _scripts(label)
    if "?" in scripts:
        return False
    if scripts <= _CJK:
        return True
    if scripts == {"LATIN"}:
        return max(label) <= "\u017f" and not _LATIN_LOOKALIKES & set(label)
    # One other script: аррӏе.com is all Cyrillic, so the ending must be of that script too.
    return len(scripts) == 1 and scripts == top_script


def _scripts(label: str) -> frozenset[str]:
    """The scripts of a label's letters, by the first word of their Unicode names; "?" for what is no letter."""
    return frozenset(
        unicodedata.name(char, "?").split()[0].split("-")[0] if char.isalpha() else "?"
        for char in label
        if not (char.isascii() and (char.isdigit() or char == "-")) and char != "\u30fc"
    )
