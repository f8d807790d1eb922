"""The bytes of pictures in a text, set aside while it is parsed: they are long, and say nothing to a parser."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

from renderer.markdown.parse import Tokens

# A `data:` address in base64 (RFC 2397); a short one is no trouble.
_LONG_DATA = re.compile(r"(?<=;base64,)[A-Za-z0-9+/]{1000,}={0,2}")


def shortened(text: str) -> tuple[str, Mapping[str, str]]:
    """`text` with a key in place of each long piece of data, and the pieces by their keys."""
    if ";base64," not in text:
        return text, {}
    nonce = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
    long_data: dict[str, str] = {}

    def set_aside(found: re.Match[str]) -> str:
        key = f"{nonce}x{len(long_data)}x"
        long_data[key] = found[0]
        return key

    return _LONG_DATA.sub(set_aside, text), long_data


def restored(tokens: Tokens, long_data: Mapping[str, str]) -> Tokens:
    """`tokens` with the pieces back where their keys are: in addresses, in code, wherever they stood."""
    if not long_data:
        return tokens
    nonce = next(iter(long_data)).partition("x")[0]
    keys = re.compile(f"{nonce}x[0-9]+x")

    def back(value: Any) -> Any:
        match value:
            case str():
                return keys.sub(lambda found: long_data.get(found[0], found[0]), value) if nonce in value else value
            case list():
                return [back(item) for item in value]
            case dict():
                return {name: back(item) for name, item in value.items()}
        return value

    return Tokens(back(tokens.blocks), back(tokens.footnotes))
