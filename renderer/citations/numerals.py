"""Numerals in Chinese characters: 十五, 三点五, 二〇二四, 一亿二千万."""

from __future__ import annotations

HAN_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "○": 0, "两": 2}
# Powers of ten. The first three multiply one digit, the others all that stands before them.
HAN_SCALES = {"十": 1, "百": 2, "千": 3, "万": 4, "萬": 4, "亿": 8, "億": 8}

# A numeral as a part of a regular expression; longer ones say nothing, or are an attack.
HAN_NUMERAL = rf"[{''.join(HAN_DIGITS)}{''.join(HAN_SCALES)}点]{{1,16}}"


def han_number(text: str) -> str:
    """A numeral in digits: 十五 → 15, 一百零五 → 105, 三点五 → 3.5, 二〇二四 → 2024."""
    whole, _, fraction = text.partition("点")
    decimals = "".join(str(HAN_DIGITS[char]) for char in fraction if char in HAN_DIGITS).rstrip("0")
    return f"{_whole(whole)}.{decimals}" if decimals else str(_whole(whole))


def _whole(text: str) -> int:
    if text and all(char in HAN_DIGITS for char in text):
        return int("".join(str(HAN_DIGITS[char]) for char in text))
    total = section = digit = 0
    for char in text:
        scale = HAN_SCALES.get(char, 0)
        if not scale:
            digit = HAN_DIGITS[char]
            continue
        if scale < 4:
            section += (digit or 1) * 10**scale
        elif scale == 4:  # 一亿二千万: the part before 万 only
            total, section = total + (section + digit) * 10**scale, 0
        else:
            total, section = (total + section + digit) * 10**scale, 0
        digit = 0
    return total + section + digit
