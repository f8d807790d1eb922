"""Whole conversations, what must come out of them, and laws that hold for every page.

A folder of `cases/` holds an `input.*`, what is read from it (`model.txt`) and the page (`page.html`). In `page.html`
the style and the script, their hashes and the version stand as "…": they are the same in all pages, change often, and
are looked at by other tests.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag

from renderer import Conversation, Options, read, render_page
from renderer.model import Role, Round, Text
from renderer.options import Steps
from renderer.version import VERSION
from tests.pages.making import attribute, one, words

CASES = Path(__file__).parent / "cases"
NAMES = sorted(folder.name for folder in CASES.iterdir() if folder.is_dir())
LANGUAGES = ("en", "zh-CN")
STEPS: tuple[Steps, ...] = ("folded", "hidden", "full")

EVERY_PAGE = [
    pytest.param((name, lang, steps), id=f"{name}-{lang}-{steps}")
    for name in NAMES
    for lang in LANGUAGES
    for steps in STEPS
]
PageKey = tuple[str, str, Steps]

MARKER = re.compile(r"\[\^[0-9]+\^\]")
# Signs that have letters in them but are no words: exact tags that are honoured, and ticked boxes.
SIGN = re.compile(r"</?(?:br|sub|sup|kbd)>|^- \[x\]", re.MULTILINE)
WORD = re.compile(r"[^\W_]+")
VERDICT_WORDS = {
    ("returned", "en"): ("returned by a search in this conversation", "page opened in this conversation"),
    ("returned", "zh-CN"): ("搜索返回", "打开的网页"),
    ("unchecked", "en"): ("not checked",),
    ("unchecked", "zh-CN"): ("未核对",),
}


# --- Snapshots -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_page_is_the_one_that_was_read_and_accepted(name: str, check_snapshot: Callable[[Path, str], None]) -> None:
    """A page with the usual options is, but for style, script and version, the one in the case's folder."""
    check_snapshot(CASES / name / "page.html", _without_common_parts(render_page(_conversation(name))))


@pytest.mark.parametrize("name", NAMES)
def test_the_model_is_the_one_that_was_read_and_accepted(
    name: str, check_snapshot: Callable[[Path, str], None]
) -> None:
    """What a reader makes of a file is what stands in the case's folder."""
    check_snapshot(CASES / name / "model.txt", "\n".join(_described(_conversation(name))) + "\n")


@pytest.mark.parametrize("name", NAMES)
def test_a_page_carries_the_style_of_its_notices(name: str) -> None:
    """A page whose head, round or answer says a notice brings the style of notices, wherever it stands."""
    soup = BeautifulSoup(render_page(_conversation(name)), "html.parser")
    said = soup.select(".notice, .removed-note")
    assert not said or ".notice" in one(soup, "style").get_text()


def test_there_are_cases() -> None:
    """The laws are tried on conversations: a folder without an input, or no folder at all, would prove nothing."""
    assert len(NAMES) >= 9
    assert all(len(list((CASES / name).glob("input.*"))) == 1 for name in NAMES)


# --- Laws ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", EVERY_PAGE)
def test_nothing_is_loaded_from_anywhere(key: PageKey) -> None:
    """No address in a page is fetched: there are links for people to follow, places in the page, and data."""
    for tag in _soup(key).find_all(True):
        assert isinstance(tag, Tag)
        assert tag.name not in ("iframe", "frame", "object", "embed", "form", "base", "video", "audio", "source", "svg")
        for name in tag.attrs:
            assert _may_stand(tag, name, attribute(tag, name)), f"<{tag.name} {name}={attribute(tag, name)!r}>"
    style = _soup(key).select("style")[0].get_text()
    assert all(address.strip("\"' ").startswith("data:") for address in re.findall(r"url\((.*?)\)", style))
    assert "@import" not in style


@pytest.mark.parametrize("key", EVERY_PAGE)
def test_no_id_is_given_twice(key: PageKey) -> None:
    """Every id in a page is its own, is not empty, and holds no blank."""
    counts = Counter(attribute(tag, "id") for tag in _soup(key).select("[id]"))
    assert {id_: count for id_, count in counts.items() if count > 1 or not id_ or " " in id_} == {}


@pytest.mark.parametrize("key", EVERY_PAGE)
def test_every_link_inside_the_page_lands(key: PageKey) -> None:
    """Each link to a place in the page, and each reference by id, names an id that is there."""
    soup = _soup(key)
    ids = {attribute(tag, "id") for tag in soup.select("[id]")}
    named = [attribute(a, "href")[1:] for a in soup.select('[href^="#"]')]
    for reference in ("aria-labelledby", "aria-describedby", "aria-controls", "for"):
        named += [id_ for tag in soup.select(f"[{reference}]") for id_ in attribute(tag, reference).split()]
    assert set(named) <= ids


@pytest.mark.parametrize("key", EVERY_PAGE)
def test_numbers_and_ways_back_are_pairs(key: PageKey) -> None:
    """Each number leads to an entry of its own message that leads back to it, in the order of the text."""
    for article in _soup(key).select("article.message"):
        there = [(attribute(a, "href"), f"#{attribute(a, 'id')}") for a in article.select(".cite-ref > a")]
        back = [
            (f"#{attribute(item, 'id')}", attribute(a, "href"))
            for item in article.select("li.source")
            for a in item.select("a.source-back")
        ]
        assert sorted(there, key=lambda pair: pair[0]) == sorted(back, key=lambda pair: pair[0])
        shown = [attribute(item, "data-k") for item in article.select("li.source")]
        assert shown == [str(k) for k in range(1, len(shown) + 1)]


@pytest.mark.parametrize("key", EVERY_PAGE)
def test_the_same_conversation_gives_the_same_bytes(key: PageKey) -> None:
    """A page made anew from the file is the same page."""
    assert _rendered(key) == _page(key)


@pytest.mark.parametrize("key", EVERY_PAGE)
def test_no_word_is_lost(key: PageKey) -> None:
    """Every word of each question and answer, but for the markers, is in the article of that message."""
    for number, (id_, text) in enumerate(_written(key[0])):
        articles = _soup(key).select(f'article[data-message-id="{id_}"]')
        assert articles, f"message {id_} (number {number}) is not on the page"
        shown = Counter(word for article in articles for word in WORD.findall(_all_text(article)))
        wanted = Counter(WORD.findall(SIGN.sub(" ", MARKER.sub(" ", text))))
        assert {word: count for word, count in wanted.items() if shown[word] < count} == {}


@pytest.mark.parametrize("key", EVERY_PAGE)
def test_verdicts_are_said_in_words(key: PageKey) -> None:
    """An entry says its verdict in the page's language, in text that is no tooltip and no colour."""
    for item in _soup(key).select("li.source"):
        said = words(item)
        assert any(phrase in said for phrase in VERDICT_WORDS[attribute(item, "data-verdict"), key[1]]), said


@pytest.mark.parametrize("key", EVERY_PAGE)
def test_removals_are_said_with_their_number(key: PageKey) -> None:
    """An article that lost markers says so in a note that is not folded away."""
    for article in _soup(key).select("article[data-removed]"):
        count = int(attribute(article, "data-removed"))
        notes = [note for note in article.select('[role="note"]') if note.find_parent("details") is None]
        assert sum(int(n) for note in notes for n in re.findall(r"\d+", words(note))) >= count


@pytest.mark.parametrize("key", EVERY_PAGE)
def test_the_policy_fits_the_page(key: PageKey) -> None:
    """A page has one style and one script that runs; its policy names their hashes and allows nothing else."""
    soup = _soup(key)
    script, style = (one(soup, name) for name in ("script:not([type])", "style"))
    assert (script.attrs, style.attrs) == ({}, {})
    assert "</" not in script.get_text() + style.get_text()
    hashes = [_hash(tag.get_text()) for tag in (script, style)]
    policy = attribute(one(soup, "meta[http-equiv=Content-Security-Policy]"), "content")
    assert [part.strip() for part in policy.split(";")] == [
        "default-src 'none'",
        f"script-src '{hashes[0]}'",
        f"style-src '{hashes[1]}'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ]


@pytest.mark.parametrize("key", EVERY_PAGE)
def test_nothing_of_the_workshop_shows(key: PageKey) -> None:
    """No template syntax, no Python value and no sentinel is left in what a reader sees or hears."""
    soup = BeautifulSoup(_page(key), "html.parser")
    for tag in soup.select("script, style"):
        tag.decompose()
    seen = [soup.get_text(), *(attribute(tag, name) for tag in soup.find_all(True) for name in tag.attrs)]
    written = " ".join(text for _, text in _written(key[0]))
    for sign in ("None", "{{", "{%", "undefined", "Markup(", "<bdi", "&amp;", "&lt;"):
        assert sign in written or not any(sign in text for text in seen), sign
    assert not re.search("[\ufdd0-\ufdef\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", _page(key))
    assert {name for text in seen for name in re.findall(r"\{[a-z_]+\}", text)} <= set(re.findall(r"\{\w+\}", written))


@pytest.mark.parametrize("name", NAMES)
def test_marking_citations_changes_nothing_else(name: str) -> None:
    """Without its markers a text is laid out as with them, but for the numbers."""
    with_markers = BeautifulSoup(render_page(_conversation(name)), "html.parser")
    for number in with_markers.select("sup.cite-ref"):
        number.decompose()
    plain = BeautifulSoup(render_page(_without_markers(_conversation(name))), "html.parser")
    texts = [["".join(str(prose).split()) for prose in soup.select(".prose")] for soup in (with_markers, plain)]
    assert texts[0] == texts[1]
    assert texts[0] != []


@pytest.mark.parametrize("name", NAMES)
def test_the_steps_option_changes_only_the_steps(name: str) -> None:
    """However steps are shown, questions, answers and sources stay the same."""
    pages = [_soup((name, "en", steps)) for steps in STEPS]
    assert len({"".join(str(article) for article in soup.select("article.message")) for soup in pages}) == 1


# --- Cases -----------------------------------------------------------------------------------------------------


def _input(name: str) -> Path:
    (path,) = (CASES / name).glob("input.*")
    return path


def _conversation(name: str) -> Conversation:
    (conversation,) = read(_input(name))
    return conversation


def _rendered(key: PageKey) -> str:
    name, lang, steps = key
    return render_page(_conversation(name), options=Options(lang=lang, steps=steps))


@cache
def _page(key: PageKey) -> str:
    return _rendered(key)


@cache
def _soup(key: PageKey) -> BeautifulSoup:
    """Shared by the laws: to be looked at, never changed."""
    return BeautifulSoup(_page(key), "html.parser")


def _written(name: str) -> Iterator[tuple[str, str]]:
    """Id and text of each question and answer, taken from the file itself without any code of the program."""
    for row in _rows(_input(name)):
        role = row.get("role") if isinstance(row, dict) else None
        if role in ("USER", "ASSISTANT") and row.get("content"):
            yield row["id"], "\n".join(_texts(row["content"]))


def _rows(path: Path) -> Iterator[Any]:
    data = path.read_bytes()
    if path.suffix == ".json":
        yield from json.loads(data)["data"]["messages"]
        return
    for line in data.split(b"\n"):
        try:
            yield json.loads(line)
        except ValueError:
            continue


def _texts(content: Any) -> Iterator[str]:
    if isinstance(content, str) and content.startswith('[{"type"'):
        content = json.loads(content)
    if isinstance(content, str):
        yield content
    else:
        yield from (part["text"] for part in content if part["type"] == "text")


def _all_text(article: Tag) -> str:
    """What is read in an article, where its links lead, and what its formulas were written as."""
    links = [attribute(a, "href") for a in article.select("[href]")]
    formulas = [attribute(formula, "alttext") for formula in article.select("math")]
    return " ".join([article.get_text(" "), *links, *formulas, words(article)])


def _without_markers(conversation: Conversation) -> Conversation:
    return replace(conversation, rounds=tuple(_round_without_markers(round_) for round_ in conversation.rounds))


def _round_without_markers(round_: Round) -> Round:
    messages = [
        replace(
            message,
            blocks=tuple(
                replace(b, text=_strip(b.text)) if isinstance(b, Text) and message.role is Role.ASSISTANT else b
                for b in message.blocks
            ),
        )
        for message in round_.messages
    ]
    return replace(round_, messages=tuple(messages))


def _strip(text: str) -> str:
    """A text without its markers, but for those in code."""
    parts = re.split(r"(```.*?```|`[^`]*`)", text, flags=re.DOTALL)
    return "".join(part if index % 2 else MARKER.sub("", part) for index, part in enumerate(parts))


def _described(conversation: Conversation) -> Iterator[str]:
    origin = conversation.origin
    yield f"{origin.format} {conversation.id} {conversation.title!r} {conversation.created_at}"
    yield f"agent {conversation.agent!r} owner {conversation.owner!r} zone {conversation.time_zone}"
    yield from (f"changed {_value(change)}" for change in conversation.file_changes)
    yield from (f"problem {_at(problem.line)} {problem.what} ({problem.left_out})" for problem in conversation.problems)
    for round_ in conversation.rounds:
        yield f"\nround {round_.index}"
        yield from (f"  problem {_at(problem.line)} {problem.what} ({problem.left_out})" for problem in round_.problems)
        for message in ((round_.question,) if round_.question else ()) + round_.messages:
            role = f"{message.role.value} {message.role_name}".strip()
            yield f"  {role} {message.id} {_at(message.line)} {message.created_at}"
            yield from (f"    {_value(block)}" for block in message.blocks)
            yield from (f"    {_value(citation)}" for citation in message.citations or ())


def _value(value: object) -> str:
    """A value of the model with its fields, but for those that hold nothing."""
    if isinstance(value, tuple):
        return ", ".join(_value(item) for item in value)
    if not is_dataclass(value):
        return repr(value)
    held = ((field.name, getattr(value, field.name)) for field in fields(value))
    return f"{type(value).__name__}({', '.join(f'{name}={_value(one)}' for name, one in held if _holds(one))})"


def _holds(value: object) -> bool:
    return not (value is None or value is False or value in ("", ()))


def _at(line: int | None) -> str:
    return "" if line is None else f"line {line}"


def _without_common_parts(html: str) -> str:
    html = re.sub(r"(<(style|script)>).*?(</\2>)", r"\1…\3", html, flags=re.DOTALL)
    html = re.sub(r"'sha256-[^']*'", "'sha256-…'", html)
    return html.replace(f"citepage {VERSION}", "citepage …")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


# --- What may stand in an attribute ----------------------------------------------------------------------------

_ADDRESS = re.compile("https?://[^/]")
_LOADING = {"src", "srcset", "poster", "data", "action", "formaction", "background", "ping", "manifest", "cite"}


def _may_stand(tag: Tag, name: str, value: str) -> bool:
    if name.startswith("on") or (name in ("style", "srcdoc", "is", "name") and tag.name != "meta"):
        return False
    if name in _LOADING:
        return tag.name == "img" and name == "src" and value.startswith("data:image/")
    if name == "href" and tag.name == "a":
        return bool(value.startswith("#") or _ADDRESS.match(value))
    if "href" in name:
        return tag.name == "link" and value == "data:,"
    if name == "http-equiv":
        return value in ("Content-Security-Policy", "x-dns-prefetch-control")
    return True
