"""Which language a conversation is in, for `--lang auto`, and what the script of a quote tells of its language."""

from __future__ import annotations

import re

from renderer.i18n import CHINESE, DEFAULT_LANGUAGE
from renderer.model import Conversation, Message, Role

_HAN = re.compile("[\u2e80-\u2fdf\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_KANA = re.compile("[\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f]")
_HANGUL = re.compile("[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]")
_LETTER = re.compile(r"[^\W\d_]")


def language_of(conversation: Conversation) -> str:
    """Chinese when Han characters are a fifth or more of the letters of questions and answers, English otherwise."""
    han = letters = 0
    for round_ in conversation.rounds:
        for message in (round_.question, *round_.messages):
            if message is not None and message.role in (Role.USER, Role.ASSISTANT):
                message_han, message_letters = _count(message)
                han += message_han
                letters += message_letters
    return CHINESE if letters and han * 5 >= letters else DEFAULT_LANGUAGE


def language_of_quote(text: str, page_lang: str) -> str:
    """The BCP 47 tag to set on a quoted text, "" where its script tells none or only that of the page."""
    lang = _language_by_script(text)
    return lang if lang.split("-")[0] != page_lang.split("-")[0] else ""


def _language_by_script(text: str) -> str:
    han, kana, hangul = (len(script.findall(text)) for script in (_HAN, _KANA, _HANGUL))
    letters = _LETTER.findall(text)
    if not han + kana + hangul:
        # Words of A to Z alone; one word is as well the name of a host or a file, in no language.
        return "en" if len(text.split()) > 1 and letters and "".join(letters).isascii() else ""
    if (han + kana + hangul) * 5 < len(letters):
        return ""
    if hangul > han + kana:
        return "ko"
    # A single の is an ornament in Chinese.
    return "ja" if kana * 10 > han else CHINESE


def _count(message: Message) -> tuple[int, int]:
    text = message.text
    return len(_HAN.findall(text)), len(_LETTER.findall(text))
