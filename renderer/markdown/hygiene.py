"""Text that may go into a page: no lone surrogates, no control characters, none of our sentinels.

Run on every text before it is parsed, and again after every decoding of entities: `&#xFDD0;` is a sentinel too.
"""

from __future__ import annotations

import re

# C0 and C1 controls but tab and line feed, and the noncharacters that serve as sentinels.
_UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef]")
_LINE_END = re.compile("\r\n?")
_SURROGATE = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    """`text` without what no page may hold; a lone surrogate becomes U+FFFD, a carriage return a line feed."""
    if _SURROGATE.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if "\r" in text:
        text = _LINE_END.sub("\n", text)
    return _UNWANTED.sub("", text)
