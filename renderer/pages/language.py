"""Which language a conversation is in, for `--lang auto`."""

from __future__ import annotations

import re

from renderer.i18n import CHINESE, DEFAULT_LANGUAGE
from renderer.model import Conversation, Message, Role

_HAN = re.compile("[\u2e80-\u2fdf\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
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


def _count(message: Message) -> tuple[int, int]:
    text = message.text
    return len(_HAN.findall(text)), len(_LETTER.findall(text))
