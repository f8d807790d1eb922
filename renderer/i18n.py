"""The words of a page, in the reader's language: one TOML file each, in `assets/locales/`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from renderer.errors import RendererError
from renderer.resources import asset_names, asset_text

DEFAULT_LANGUAGE = "en"
CHINESE = "zh-CN"


@dataclass(frozen=True, slots=True)
class Catalog:
    """One language's words. `lang` is its BCP 47 tag, `direction` "ltr" or "rtl"."""

    lang: str
    direction: str
    texts: Mapping[str, Any]

    def say(self, key: str, **values: object) -> str:
        """The text `key` with its `{names}` filled in. A text that counts has forms, chosen by the value `n`."""
        text = self.texts[key]
        if isinstance(text, Mapping):
            text = text["one"] if values.get("n") == 1 and "one" in text else text["other"]
        return str(text).format(**values)

    def date_time(self, moment: datetime) -> str:
        """A moment as people of the language write it, to the minute, with its offset from UTC."""
        return str(self.texts["date_time"]).format(
            year=moment.year,
            month=self.texts["months"][moment.month - 1],
            day=moment.day,
            time=f"{moment:%H:%M}",
            offset=_offset(moment),
        )

    def duration(self, span: timedelta) -> str:
        """A span as hours, minutes and seconds; the two greatest units of it."""
        seconds = max(0, round(span.total_seconds()))
        hours, minutes = divmod(seconds // 60, 60)
        parts = (("hours", hours), ("minutes", minutes), ("seconds", seconds % 60))
        first = next((index for index, (_, value) in enumerate(parts) if value), 2)
        shown = [self.say(key, n=value) for key, value in parts[first : first + 2] if value]
        return " ".join(shown) or self.say("seconds", n=0)


def languages() -> tuple[str, ...]:
    """The tags of all languages that there are, sorted."""
    return tuple(sorted(name.removesuffix(".toml") for name in asset_names("locales") if name.endswith(".toml")))


@lru_cache
def catalog(lang: str) -> Catalog:
    """The words of `lang`. Raises RendererError for a language that there is not."""
    if lang not in languages():
        raise RendererError("", f"there is no language {lang!r}", f"choose one of: {', '.join(languages())}")
    texts = tomllib.loads(asset_text(f"locales/{lang}.toml"))
    return Catalog(lang, texts["direction"], texts)


def _offset(moment: datetime) -> str:
    seconds = round((moment.utcoffset() or timedelta()).total_seconds())
    hours, minutes = divmod(abs(seconds) // 60, 60)
    if not seconds:
        return "UTC"
    return f"UTC{'-' if seconds < 0 else '+'}{hours}" + (f":{minutes:02}" if minutes else "")
