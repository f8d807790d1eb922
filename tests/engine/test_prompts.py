"""The citation rules for a system prompt, in both languages (first design, §2.1 1 and §5.4; contract §1)."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from renderer import RendererError
from renderer.prompts import prompt
from tests.writers.running import ROOT, Citepage

LANGUAGES = ("en", "zh-CN")
NAMES = ("agent", "agent_tools")

# What the rules must say, and words by which each language says it.
RULES = {
    "where the marker goes": {"en": r"end of the sentence", "zh-CN": r"句(话)?(的)?末尾"},
    "numbers begin with one": {"en": r"starting at 1|from 1", "zh-CN": r"从 ?1 ?开始"},
    "numbers follow the results": {"en": r"order in which they came back", "zh-CN": r"返回的先后"},
    "nothing without a source": {"en": r"no source supports", "zh-CN": r"没有来源支撑"},
    "only this turn": {"en": r"this turn", "zh-CN": r"本轮"},
    "no earlier turn": {"en": r"earlier turn", "zh-CN": r"更早轮次"},
    "no history": {"en": r"history", "zh-CN": r"历史"},
    "no made-up address": {"en": r"[Nn]ever invent an address", "zh-CN": r"不得编造来源地址"},
    "no changed address": {"en": r"never change", "zh-CN": r"不得.*改写"},
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_the_rules_are_all_there(rule: dict[str, str], lang: str) -> None:
    """The text for an agent's system prompt says every rule of the design, in its own language."""
    assert re.search(rule[lang], prompt("agent", lang))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_rules_name_the_marker_and_both_tools(lang: str) -> None:
    """The text names the marker as it is to be written, and the two tools whose results count."""
    text = prompt("agent", lang)
    assert "[^n^]" in text
    assert "web_search" in text
    assert "open_web_page" in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_sentence_for_the_tools_is_one(lang: str) -> None:
    """The addition to a tool's description is one sentence that names the marker and points to the rules."""
    text = prompt("agent_tools", lang)
    heading = prompt("agent", lang).splitlines()[0].lstrip("# ")
    assert text.count("\n") == 1
    assert len(re.findall(r"[.。](?:\s|$)", text)) == 1
    assert "[^n^]" in text
    assert heading in text


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_a_prompt_is_clean_text(name: str, lang: str) -> None:
    """A prompt begins with a word, ends in one line feed and has no blank at any line's end."""
    text = prompt(name, lang)
    assert text == text.strip() + "\n"
    assert not re.search(r"[ \t\r]\n", text)


@pytest.mark.parametrize("name", NAMES)
def test_each_prompt_is_in_its_language(name: str) -> None:
    """The English text has no Chinese in it, and the Chinese one is mostly that."""
    assert not re.search(r"[\u3000-\u9fff]", prompt(name, "en"))
    assert len(re.findall(r"[\u4e00-\u9fff]", prompt(name, "zh-CN"))) >= 15


def test_the_texts_stand_in_one_place() -> None:
    """All texts are data in `assets/prompts.toml`, each in the same languages, and none is in the program."""
    texts = tomllib.loads((ROOT / "assets" / "prompts.toml").read_text("utf-8"))
    assert {name: sorted(by_lang) for name, by_lang in texts.items() if name in NAMES} == {
        name: sorted(LANGUAGES) for name in NAMES
    }
    sources = "".join(path.read_text("utf-8") for path in Path(ROOT / "renderer").rglob("*.py"))
    for name in NAMES:
        for lang in LANGUAGES:
            assert texts[name][lang].strip() + "\n" == prompt(name, lang)
            assert max(prompt(name, lang).splitlines(), key=len) not in sources


@pytest.mark.parametrize(
    ("name", "lang", "said"),
    [
        ("agent", "fr", "'fr'.* en, zh-CN"),
        ("agent", "zh", "'zh'.* en, zh-CN"),
        ("agent", "EN", "'EN'.* en, zh-CN"),
        ("agent", "", "''.* en, zh-CN"),
        ("robot", "en", "'robot'.* agent"),
    ],
)
def test_what_there_is_not_is_named_with_what_there_is(name: str, lang: str, said: str) -> None:
    """A prompt or a language that there is not is an error that lists those that there are."""
    with pytest.raises(RendererError, match=said):
        prompt(name, lang)


# --- The command -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "name", "lang"),
    [
        ((), "agent", "en"),
        (("--lang", "en"), "agent", "en"),
        (("--lang", "zh-CN"), "agent", "zh-CN"),
        (("--tools",), "agent_tools", "en"),
        (("--tools", "--lang", "zh-CN"), "agent_tools", "zh-CN"),
    ],
)
def test_the_command_prints_the_text(citepage: Citepage, arguments: tuple[str, ...], name: str, lang: str) -> None:
    """`citepage prompt agent` prints the text in UTF-8 and nothing else."""
    run = citepage("prompt", "agent", *arguments)
    assert (run.code, run.out.decode(), run.err) == (0, prompt(name, lang), "")


@pytest.mark.parametrize(
    "arguments", [("agent", "--lang", "fr"), ("agent", "--lang", ""), ("robot",), (), ("agent", "agent")]
)
def test_wrong_usage_of_the_command_is_one_line(citepage: Citepage, arguments: tuple[str, ...]) -> None:
    """A language or a prompt that there is not is one line on standard error and exit code 2."""
    assert citepage("prompt", *arguments).error
