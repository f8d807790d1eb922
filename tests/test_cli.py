"""The command line, as other programs rely on it: `contract.md` §1, and what broken input must lead to."""

from __future__ import annotations

import gzip
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from renderer import cli
from renderer.pipeline import rendering
from renderer.readers import READERS, _input
from renderer.version import VERSION
from tests.pages.making import A, answer, attribute, entry, one, question, search, words
from tests.pictures import data_address, png, zip_of
from tests.readers.making import encoded, header, jsonl
from tests.readers.making import page as share
from tests.writers.running import ROOT, Citepage, start

PLAIN = jsonl(header(), question(1, "Will it rain?"), answer(2, "It rains."))
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01"
FOREIGN = b"my thesis, third draft\n"


@pytest.fixture
def citepage(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Citepage:
    """Runs the program in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return Citepage(capfdbinary, monkeypatch)


# --- Where the page goes ---------------------------------------------------------------------------------------


def test_the_page_is_named_by_its_title_and_the_name_is_printed(citepage: Citepage, tmp_path: Path) -> None:
    """Without -o the page is in the current folder, and its path is all that is printed."""
    Path("in.jsonl").write_bytes(jsonl(header(title="Rain & snow: 2026/11"), question(1)))
    run = citepage("render", "in.jsonl")
    assert (run.code, run.err) == (0, "")
    (made,) = tmp_path.glob("*.html")
    assert run.out.decode() == f"{made.name}\n"
    assert re.fullmatch(r"Rain\W+snow\W+2026\W11\.html", made.name)
    assert b"Rain &amp; snow: 2026/11</title>" in made.read_bytes()


def test_a_page_without_title_is_named_by_the_conversation(citepage: Citepage) -> None:
    """Without a title the file is called by the conversation's id."""
    Path("in.jsonl").write_bytes(jsonl(header(title=None, id=4711), question(1)))
    assert citepage("render", "in.jsonl").out == b"conversation-4711.html\n"


@pytest.mark.parametrize(
    "title", ["../../etc/passwd", "/abs/olute", "a" * 500, "雨" * 500, "CON", ".hidden", "-o", "\x1b[31m"]
)
def test_no_title_leads_out_of_the_folder(citepage: Citepage, tmp_path: Path, title: str) -> None:
    """Whatever the title, the page is a visible file in the current folder with a name of at most 100 bytes."""
    Path("in.jsonl").write_bytes(jsonl(header(title=title), question(1)))
    run = citepage("render", "in.jsonl")
    assert run.code == 0
    assert sorted(os.listdir(tmp_path)) == sorted(["in.jsonl", run.out.decode().rstrip("\n")])
    stem = Path(run.out.decode().rstrip("\n")).stem
    assert 1 <= len(stem.encode()) <= 100
    assert stem[0] not in ".-"
    assert stem.isprintable()


def test_our_own_page_is_made_anew(citepage: Citepage, tmp_path: Path) -> None:
    """A page that citepage made before is replaced without being asked."""
    Path("in.jsonl").write_bytes(PLAIN)
    name = citepage("render", "in.jsonl").out.decode().strip()
    Path("in.jsonl").write_bytes(PLAIN.replace(b"It rains.", b"It snows."))
    assert citepage("render", "in.jsonl").code == 0
    assert b"It snows." in (tmp_path / name).read_bytes()


def test_a_foreign_file_is_left_alone(citepage: Citepage, tmp_path: Path) -> None:
    """A file of that name which we did not make stays as it is, and the run fails."""
    Path("in.jsonl").write_bytes(PLAIN)
    Path("Weather.html").write_bytes(FOREIGN)
    assert citepage("render", "in.jsonl").error.startswith("citepage: error: Weather.html: ")
    assert Path("Weather.html").read_bytes() == FOREIGN
    assert sorted(os.listdir(tmp_path)) == ["Weather.html", "in.jsonl"]


def test_a_file_that_is_named_is_replaced(citepage: Citepage, tmp_path: Path) -> None:
    """-o replaces the file that it names, whatever that was, and prints nothing."""
    Path("in.jsonl").write_bytes(PLAIN)
    Path("out.html").write_bytes(FOREIGN)
    run = citepage("render", "in.jsonl", "-o", "out.html")
    assert (run.code, run.out, run.err) == (0, b"", "")
    assert Path("out.html").read_bytes().startswith(b"<!doctype html>")
    assert sorted(os.listdir(tmp_path)) == ["in.jsonl", "out.html"]


def test_standard_input_and_output(citepage: Citepage, tmp_path: Path) -> None:
    """With - the conversation comes from standard input and the page, and nothing else, goes to standard output."""
    Path("in.jsonl").write_bytes(PLAIN)
    citepage("render", "in.jsonl", "-o", "out.html")
    run = citepage("render", "-", "-o", "-", stdin=PLAIN)
    assert (run.code, run.err) == (0, "")
    assert run.out == Path("out.html").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["in.jsonl", "out.html"]


def test_what_is_wrong_on_standard_input_has_a_name(citepage: Citepage) -> None:
    """A warning about standard input names it and its line."""
    (warning,) = citepage("render", "-", "-o", "-", stdin=PLAIN + b"oops\n").lines
    assert warning.startswith("citepage: warning: <stdin>:4: ")


def test_the_page_is_opened_when_asked_for(citepage: Citepage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """--open shows the page that was written, by its address as a file."""
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    assert citepage("render", "-", "-o", "a page.html", "--open", stdin=PLAIN).code == 0
    assert opened == [(tmp_path / "a page.html").as_uri()]
    assert citepage("render", "-", "-o", "-", "--open", stdin=PLAIN).code == 2
    assert len(opened) == 1


@pytest.mark.parametrize("place", ["missing/out.html", "."])
def test_a_place_that_cannot_be_written_is_an_error(citepage: Citepage, tmp_path: Path, place: str) -> None:
    """Where no file can be, one line says so and nothing is left behind."""
    assert citepage("render", "-", "-o", place, stdin=PLAIN).error.startswith(f"citepage: error: {place}: ")
    assert os.listdir(tmp_path) == []


def test_a_full_disk_is_an_error(citepage: Citepage) -> None:
    """No space left is one line, for a file and for standard output."""
    assert citepage("render", "-", "-o", "/dev/full", stdin=PLAIN).error.startswith(
        "citepage: error: /dev/full: no space"
    )
    with open("/dev/full", "wb") as full:
        process = start("render", "-", "-o", "-", cwd=ROOT, stdin=subprocess.PIPE, stdout=full)
        _, err = process.communicate(PLAIN, timeout=30)
    assert process.returncode == 2
    assert re.fullmatch(rb"citepage: error: standard output: no space left on the device; .+\n", err)


def test_a_failure_midway_leaves_the_old_page(tmp_path: Path) -> None:
    """When the disk is full before the page is whole, the old file is as it was and nothing lies beside it."""
    (tmp_path / "in.jsonl").write_bytes(jsonl(header(), question(1, "rain " * 20_000)))
    (tmp_path / "out.html").write_bytes(FOREIGN)
    small = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))"
    process = start("render", "in.jsonl", "-o", "out.html", cwd=tmp_path, before=small)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 2
    assert re.fullmatch(rb"citepage: error: out\.html: no space left on the device; .+\n", err)
    assert (tmp_path / "out.html").read_bytes() == FOREIGN
    assert sorted(os.listdir(tmp_path)) == ["in.jsonl", "out.html"]


def test_the_surroundings_do_not_matter(tmp_path: Path) -> None:
    """The same file gives the same bytes whatever the hash seed, zone, language and folder of the process."""
    case = ROOT / "tests" / "cases" / "chinese" / "input.jsonl"
    pages = []
    for seed, zone, language in (("1", "UTC", "C"), ("2", "America/New_York", "zh_CN.UTF-8")):
        surroundings = {
            "PYTHONHASHSEED": seed,
            "TZ": zone,
            "LANG": language,
            "LC_ALL": language,
            "PYTHONPATH": str(ROOT),
        }
        folder = tmp_path / zone.replace("/", "-")
        folder.mkdir()
        process = start("render", case, "-o", "page.html", cwd=folder, env=surroundings)
        assert process.communicate(timeout=60) == (b"", b"")
        pages.append((folder / "page.html").read_bytes())
    assert pages[0] == pages[1]


# --- Broken input ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Broken:
    """A file with something wrong in it. `lines` are those that a warning names, `left_out` the records lost.

    `shown` are words that must be on the page all the same.
    """

    data: bytes
    lines: tuple[int, ...]
    left_out: int
    shown: tuple[str, ...] = ("Will it rain?", "It rains.")


NESTED = b"[" * 100_000 + b"]" * 100_000
ROW = answer(2, "It rains.")
BROKEN: dict[str, Broken] = {
    "last line cut off": Broken(PLAIN + encoded(answer(3, "And it snows."))[:-20], (4,), 1),
    "a line that is not JSON": Broken(jsonl(header(), question(1, "Will it rain?"), b"<oops>", ROW), (3,), 1),
    "lines of another shape": Broken(
        jsonl(header(), question(1, "Will it rain?"), b"[1, 2]", b'"text"', b"7", b"null", b'{"a": 1}', ROW),
        (3, 4, 5, 6, 7),
        5,
    ),
    "a line of NUL bytes": Broken(PLAIN + b"\x00" * 5000 + b"\n", (4,), 1),
    "a line nested 100,000 deep": Broken(jsonl(header(), question(1, "Will it rain?"), NESTED, ROW), (3,), 1),
    "content nested 100,000 deep": Broken(
        jsonl(header(), question(1, "Will it rain?"), b'{"id":5,"role":"USER","content":' + NESTED + b"}", ROW), (3,), 1
    ),
    "a number of 5,000 digits": Broken(PLAIN + b'{"id":' + b"9" * 5000 + b',"role":"USER","content":"x"}\n', (4,), 1),
    "NaN": Broken(PLAIN + b'{"id":NaN,"role":"USER","content":"x"}\n', (4,), 1),
    "bytes that are no UTF-8": Broken(
        PLAIN + encoded(question(3, "caf@?")).replace(b"@", b"\xe9"), (4,), 0, ("caf\ufffd?",)
    ),
    "duplicate ids": Broken(PLAIN + jsonl(answer(2, "And it snows.")), (4,), 0, ("It rains.", "And it snows.")),
    "an unknown role": Broken(PLAIN + jsonl({**answer(3, "Snow."), "role": "ORACLE"}), (4,), 0, ("Snow.", "ORACLE")),
    "metadata that are no JSON": Broken(
        PLAIN + jsonl(answer(3, "And snow.", metadata="{oops")), (4,), 0, ("And snow.",)
    ),
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_a_broken_record_costs_that_record(citepage: Citepage, broken: Broken) -> None:
    """Each is one warning with file and line; the page shows the rest and says how many records were left out."""
    Path("in put.jsonl").write_bytes(broken.data)
    run = citepage("render", "in put.jsonl", "-o", "-", "--lang", "en")
    assert run.code == 0
    places = [re.match(r"citepage: warning: in put\.jsonl:(\d+): \S", line) for line in run.lines]
    assert tuple(int(place[1]) for place in places if place) == broken.lines
    assert len(places) == len(broken.lines)
    text = words(one(run.soup, "main"))
    assert all(part in text for part in broken.shown)
    said = [int(n) for note in run.soup.select('main [role="note"]') for n in re.findall(r"(\d+) record", words(note))]
    assert sum(said) == broken.left_out
    assert f"{broken.left_out} left out" in words(one(run.soup, "footer"))
    strict = citepage("render", "in put.jsonl", "-o", "-", "--lang", "en", "--strict")
    assert (strict.code, strict.out, strict.err) == (1, run.out, run.err)
    quiet = citepage("render", "in put.jsonl", "-o", "-", "--lang", "en", "--quiet")
    assert (quiet.code, quiet.out, quiet.err) == (0, run.out, "")


HARMLESS = {
    "byte order mark": b"\xef\xbb\xbf" + PLAIN,
    "CRLF": PLAIN.replace(b"\n", b"\r\n"),
    "no line end at the end": PLAIN.rstrip(b"\n"),
    "blank lines": b"\n" + PLAIN.replace(b"\n", b"\n \n\n"),
    "gzip": gzip.compress(PLAIN, mtime=0),
    "gzip, two members": gzip.compress(PLAIN[:100], mtime=0) + gzip.compress(PLAIN[100:], mtime=0),
    "UTF-16": PLAIN.decode().encode("utf-16"),
}


@pytest.mark.parametrize("data", HARMLESS.values(), ids=HARMLESS)
def test_the_outside_of_a_file_does_not_matter(citepage: Citepage, data: bytes) -> None:
    """The same records give the same page, but for the digest, however the file is packed and whatever it is called."""
    Path("in.whatever").write_bytes(data)
    run = citepage("render", "in.whatever", "-o", "-", "--strict")
    assert (run.code, run.err) == (0, "")
    expected = citepage("render", "-", "-o", "-", stdin=PLAIN).out
    assert _without_digest(run.out) == _without_digest(expected)


def test_odd_characters_do_no_harm(citepage: Citepage) -> None:
    """Lone surrogates, NUL and U+2028 inside a line are no reason to lose a line or a word."""
    line = b'{"id":3,"role":"USER","content":"a\\ud800b c\\u0000d e\\u2028f g\xe2\x80\xa8h i\x00j","toolCalls":null}\n'
    Path("in.jsonl").write_bytes(PLAIN + line)
    run = citepage("render", "in.jsonl", "-o", "-")
    assert (run.code, run.err) == (0, "")
    assert one(run.soup, 'article[data-message-id="3"] .as-written').get_text() == "a\ufffdb cd e\u2028f g\u2028h ij"


def test_duplicate_ids_are_told_apart(citepage: Citepage) -> None:
    """Messages that share an id are both there, under ids of their own."""
    run = citepage("render", "-", "-o", "-", stdin=PLAIN + jsonl(answer(2, "And it snows.")))
    ids = [attribute(article, "id") for article in run.soup.select("article")]
    assert len(ids) == len(set(ids)) == 3


def test_a_line_of_twenty_megabytes(citepage: Citepage) -> None:
    """A very long line is a line like any other, with its sources."""
    long = {"url": "https://b.example/", "title": "Rain", "content": "rain " * 4_000_000}
    data = jsonl(header(), question(1), *search(2, A, long), answer(4, "It rains[^1^]."))
    assert len(data) > 20_000_000
    run = citepage("render", "-", "-o", "-", "--strict", stdin=data)
    assert (run.code, run.err) == (0, "")
    assert len(run.soup.select("li.source")) == 1


@pytest.mark.parametrize("nested", [NESTED.decode(), '{"results":' * 100_000, '{"a":[' * 300 + "]}" * 300])
def test_values_inside_strings_may_be_nested_too(citepage: Citepage, nested: str) -> None:
    """Calls, metadata and answers of tools that are nested beyond reason do no harm."""
    rows = [
        question(1, "Will it rain?", metadata=nested),
        answer(2, None, toolCalls=nested),
        *search(3, A),
        {**answer(5, nested), "role": "TOOL", "toolCallId": "c1"},
        answer(6, "It rains[^1^]."),
    ]
    run = citepage("render", "-", "-o", "-", stdin=jsonl(header(), *rows))
    assert run.code == 0
    assert "It rains[1]." in words(one(run.soup, 'article[data-message-id="6"]'))


UNREADABLE: dict[str, tuple[bytes, str]] = {
    "an empty file": (b"", "empty"),
    "a PNG picture": (PNG, "PNG"),
    "a web page": (b"<!doctype html><title>x</title>", "HTML"),
    "plain text": (b"just some words\nand more\n", "text"),
    "JSON of the wrong shape": (b'{"name": "x", "items": []}', "JSON"),
    "JSON lines of the wrong shape": (b'{"a": 1}\n{"a": 2}\n', "JSON"),
    "a header and nothing else": (jsonl(header()), "no messages"),
    "a share without messages": (encoded(share()), "no messages"),
    "a share that is cut off": (encoded(share(question(1)))[:-30], "JSON"),
    "a share that is gone": (b'{"code":3041,"message":"share not found","data":null}', "no such share"),
    "JSON nested 100,000 deep": (NESTED, "nested too deep"),
    "nothing but NUL bytes": (b"\x00" * 100, ""),
    "gzip of nothing": (gzip.compress(b""), "empty"),
    "gzip cut off": (gzip.compress(PLAIN)[:12], "gzip"),
}


@pytest.mark.parametrize(("data", "said"), UNREADABLE.values(), ids=UNREADABLE)
def test_a_file_that_holds_no_conversation(citepage: Citepage, tmp_path: Path, data: bytes, said: str) -> None:
    """One line names the file, what it seems to be and what to do; nothing is written."""
    Path("in.jsonl").write_bytes(data)
    line = citepage("render", "in.jsonl").error
    assert re.match(r"citepage: error: in\.jsonl(:\d+)?: ", line)
    assert said in line
    assert os.listdir(tmp_path) == ["in.jsonl"]


def test_an_export_in_a_zip(citepage: Citepage) -> None:
    """A zip given as a file or through a pipe is read like the export in it, with the pictures beside it."""
    rows = jsonl(header(), question(1, "Look", images=["files/a.png", "b.png"]))
    Path("in.zip").write_bytes(zip_of({"s/e.jsonl": rows, "s/files/a.png": png()}))
    Path("media").mkdir()
    Path("media/b.png").write_bytes(png(5, 5))
    for run in (
        citepage("render", "in.zip", "-o", "-", "--media", "media"),
        citepage("render", "-", "-o", "-", "--media", "media", stdin=Path("in.zip").read_bytes()),
    ):
        assert (run.code, run.lines) == (0, [])
        shown = [attribute(img, "src") for img in run.soup.select("img")]
        assert shown == [data_address(png()), data_address(png(5, 5))]
    few = citepage("render", "in.zip", "-o", "-", "--media", "media", "--pictures-limit", str(len(png())))
    assert len(few.soup.select("img")) == 1
    assert len(citepage("render", "in.zip", "-o", "-", "--picture-limit", "5").soup.select("img")) == 0


def test_a_zip_or_a_folder_that_cannot_be_used(citepage: Citepage) -> None:
    """A zip with two exports, a zip that is cut off and a folder that is not there are one line each."""
    two = zip_of({"a.jsonl": PLAIN, "b.jsonl": PLAIN})
    Path("in.zip").write_bytes(two)
    Path("cut.zip").write_bytes(two[:-9])
    Path("in.jsonl").write_bytes(PLAIN)
    for command in ("render", "audit", "cite"):
        assert "in.zip: the zip file holds several exports: a.jsonl, b.jsonl;" in citepage(command, "in.zip").error
        assert "cut.zip: the zip file is broken or cut off;" in citepage(command, "cut.zip").error
    assert "none: the folder cannot be read" in citepage("render", "in.jsonl", "-o", "-", "--media", "none").error


def test_other_commands_read_an_export_in_a_zip(citepage: Citepage) -> None:
    """`audit` and `cite` say of an export in a zip what they say of the export, under the zip's name."""
    Path("in.zip").write_bytes(zip_of({"e.jsonl": PLAIN}))
    Path("in.jsonl").write_bytes(PLAIN)
    assert citepage("cite", "in.zip").out == citepage("cite", "in.jsonl").out != b""
    zipped, bare = (json.loads(citepage("audit", name, "--json").out) for name in ("in.zip", "in.jsonl"))
    assert zipped["inputs"][0].pop("path") == "in.zip"
    assert bare["inputs"][0].pop("path") == "in.jsonl"
    assert zipped == bare


@pytest.mark.parametrize(
    ("name", "said"), [(".", "folder"), ("missing.jsonl", "no such file"), ("in.jsonl/x", ""), ("", "")]
)
def test_a_file_that_is_none(citepage: Citepage, name: str, said: str) -> None:
    """A folder, a file that is not there, a path through a file, no name at all: one line each."""
    Path("in.jsonl").write_bytes(PLAIN)
    assert said in citepage("render", name, "-o", "-").error


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (PermissionError(13, "Permission denied"), "no permission"),
        (OSError(5, "Input/output error"), "Input/output error"),
    ],
)
def test_a_file_that_cannot_be_read(
    citepage: Citepage, monkeypatch: pytest.MonkeyPatch, error: OSError, said: str
) -> None:
    """What the system has against reading is said in one line."""
    Path("in.jsonl").write_bytes(PLAIN)

    def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr(_input, "open", refuse, raising=False)
    line = citepage("render", "in.jsonl", "-o", "-").error
    assert line.startswith("citepage: error: in.jsonl: ")
    assert said in line


# --- Options ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--theme", "neon"), "paper"),
        (("--lang", "tlh"), "zh-CN"),
        (("--time-zone", "Mars/Olympus"), "zone"),
        (("--format", "docx"), "upstream-jsonl"),
        (("--steps", "sideways"), "folded"),
        (("--no-such-option",), "--no-such-option"),
        (("--select", "99"), "99"),
        (("another.jsonl",), "another.jsonl"),
    ],
)
def test_a_wrong_option_is_one_line(citepage: Citepage, tmp_path: Path, options: tuple[str, ...], said: str) -> None:
    """A name that there is not is refused with what may stand there, and nothing is written."""
    Path("in.jsonl").write_bytes(PLAIN)
    assert said in citepage("render", "in.jsonl", "-o", "out.html", *options).error
    assert os.listdir(tmp_path) == ["in.jsonl"]


@pytest.mark.parametrize(
    "arguments", [("render",), ("rendr", "x"), ("--nope",), ("render", "x", "-o"), ("formats", "x")]
)
def test_wrong_usage_is_one_line(citepage: Citepage, arguments: tuple[str, ...]) -> None:
    """Wrong usage is one line that points to the help."""
    assert "--help" in citepage(*arguments).error


def test_without_a_command_the_help_is_shown(citepage: Citepage) -> None:
    """The bare name of the program is wrong usage, and says how to use it."""
    run = citepage()
    assert (run.code, run.out) == (2, b"")
    assert "render" in run.err
    assert "Traceback" not in run.err


def test_title_and_language_are_the_ones_given(citepage: Citepage) -> None:
    """--title and --lang are what the page is called and written in."""
    run = citepage("render", "-", "-o", "-", "--title", "<b>Mine</b>", "--lang", "zh-CN", stdin=PLAIN)
    assert one(run.soup, "title").get_text() == "<b>Mine</b>"
    assert attribute(one(run.soup, "html"), "lang") == "zh-CN"


def test_the_other_options_reach_the_page(citepage: Citepage) -> None:
    """Zone, steps, thinking and being found are the user's choice."""
    rows = [{**question(1), "createdAt": None}, *search(2, A), {**answer(4, "x[^1^]"), "thinkingContent": "Hm, rain."}]
    session = {"id": 1, "title": "T", "createdAt": "2026-10-07T09:00:00"}
    data = encoded(share(*rows, session=session))
    usual = citepage("render", "-", "-o", "-", stdin=data).soup
    other = citepage(
        *("render", "-", "-o", "-", "--time-zone", "UTC", "--steps", "full", "--show-thinking", "--indexable"),
        stdin=data,
    ).soup
    assert [attribute(one(soup, "body > header time"), "datetime")[11:16] for soup in (usual, other)] == [
        "09:00",
        "01:00",
    ]
    assert [one(soup, "details.steps").has_attr("open") for soup in (usual, other)] == [False, True]
    assert ["Hm, rain." in soup.get_text() for soup in (usual, other)] == [False, True]
    assert [len(soup.select("meta[name=robots]")) for soup in (usual, other)] == [1, 0]


def test_strict_finds_removed_markers(citepage: Citepage) -> None:
    """A marker that was removed is a warning with the line of its message, and --strict exits 1 with the page made."""
    data = jsonl(
        header(), question(1), *search(2, A), answer(4, "x[^1^] y[^2^]", [entry(1, A), entry(2, "https://no/")])
    )
    run = citepage("render", "-", "-o", "out.html", "--strict", stdin=data)
    assert run.code == 1
    (warning,) = run.lines
    assert warning.startswith("citepage: warning: <stdin>:5: ")
    assert Path("out.html").is_file()
    assert citepage("render", "-", "-o", "out.html", stdin=data).code == 0


def test_a_very_big_page_is_made_and_warned_of(citepage: Citepage) -> None:
    """One page is always made; above 5 MB there is a warning."""
    big = jsonl(header(), *(question(n, "rain and more rain " * 13_000) for n in range(1, 24)))
    run = citepage("render", "-", "-o", "-", stdin=big)
    assert run.code == 0
    assert len(run.out) > 5_000_000
    assert [line for line in run.lines if "MB" in line] != []
    assert citepage("render", "-", "-o", "-", stdin=PLAIN).err == ""


# --- Several pages of a share ----------------------------------------------------------------------------------


def test_share_pages_in_any_order_give_one_page(citepage: Citepage) -> None:
    """The pages of a share are one conversation, whatever order they are named in."""
    rows = [[question(n, f"Question {n}"), answer(n + 1, f"Answer {n + 1}.")] for n in (1, 3, 5)]
    more = [(False, None), (True, 3), (True, 5)]
    names = ["a.json", "b.json", "c.json"]
    for name, part, (has_more, before) in zip(names, rows, more, strict=True):
        Path(name).write_bytes(encoded({"code": 0, "data": share(*part, hasMore=has_more, nextBeforeMessageId=before)}))
    runs = [citepage("render", *order, "-o", "-", "--strict") for order in itertools.permutations(names)]
    assert {(run.code, run.err) for run in runs} == {(0, "")}
    assert len({run.out for run in runs}) == 1
    text = words(one(runs[0].soup, "main"))
    assert [text.index(f"Question {n}") for n in (1, 3, 5)] == sorted(text.index(f"Question {n}") for n in (1, 3, 5))


def test_what_is_missing_of_a_share_is_said(citepage: Citepage) -> None:
    """A page of a share whose older pages were not given is a warning, and a notice to its readers."""
    data = encoded(share(question(5), answer(6, "Yes."), hasMore=True, nextBeforeMessageId=5))
    run = citepage("render", "-", "-o", "-", stdin=data)
    (warning,) = run.lines
    assert "missing" in warning
    (notice,) = run.soup.select('main [role="note"]')
    assert "earlier" in words(notice).lower()


def test_what_does_not_belong_together_is_refused(citepage: Citepage) -> None:
    """Pages of two shares, two exports, or an export and a share are no conversation."""
    Path("a.json").write_bytes(encoded(share(question(1))))
    Path("b.json").write_bytes(encoded(share(question(1), session={"id": 12, "title": "Other"})))
    Path("c.jsonl").write_bytes(PLAIN)
    for names in (("a.json", "b.json"), ("c.jsonl", "c.jsonl"), ("a.json", "c.jsonl"), ("c.jsonl", "a.json")):
        assert citepage("render", *names, "-o", "-").error


# --- Help, version, formats ------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [(), *((name,) for name in cli.cli.commands)])
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_every_command_has_help_with_an_example(citepage: Citepage, command: tuple[str, ...], option: str) -> None:
    """The help of each command ends in an example that begins with its name."""
    run = citepage(*command, option)
    assert (run.code, run.err) == (0, "")
    text = run.out.decode()
    assert text.startswith(f"Usage: {' '.join(('citepage', *command))} ")
    _, found, example = text.partition("Example")
    assert found
    assert f"citepage {command[0] if command else 'render'} " in f"{' '.join(example.split())} "


def test_the_version_is_told(citepage: Citepage) -> None:
    """--version prints the name and the version."""
    run = citepage("--version")
    assert (run.code, run.out.decode(), run.err) == (0, f"citepage {VERSION}\n", "")


def test_the_formats_are_one_a_line(citepage: Citepage) -> None:
    """Each format is a line with its name, what it is, and how it is recognised."""
    run = citepage("formats")
    assert (run.code, run.err) == (0, "")
    lines = run.out.decode().splitlines()
    assert [line.split()[0] for line in lines] == [reader.name for reader in READERS]
    assert {"upstream-jsonl", "upstream-share"} <= {line.split()[0] for line in lines}
    assert all(len(line.split()) > 10 for line in lines)


def test_a_format_can_be_named(citepage: Citepage) -> None:
    """--format takes a name that `formats` lists, and refuses a file of another format."""
    assert citepage("render", "-", "-o", "-", "--format", "upstream-jsonl", stdin=PLAIN).code == 0
    assert "upstream-share" in citepage("render", "-", "-o", "-", "--format", "upstream-share", stdin=PLAIN).error


def test_both_names_are_one_program(tmp_path: Path) -> None:
    """`python -m renderer` does what `citepage` does, and calls itself so."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        assert tomllib.load(file)["project"]["scripts"]["citepage"] == "renderer.cli:main"
    run = subprocess.run(
        [sys.executable, "-m", "renderer", "render", "--nope"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert re.fullmatch(r"citepage: error: .*--nope.*`citepage render --help`\n", run.stderr)


# --- Never a traceback -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "defect", [ValueError("boom\nboom"), RecursionError(), AssertionError(), KeyError("x"), MemoryError()]
)
def test_a_defect_of_ours_is_one_line(
    citepage: Citepage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, defect: Exception
) -> None:
    """Even an error that nobody thought of is one line, exit code 2, and no file."""
    monkeypatch.setattr(rendering, "write_page", _raising(defect))
    assert citepage("render", "-", "-o", "out.html", stdin=PLAIN).error
    assert os.listdir(tmp_path) == []


def test_an_interruption_is_silent(citepage: Citepage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Control-C exits 130, says nothing that looks like an error of ours, and leaves no file."""
    monkeypatch.setattr(rendering, "write_page", _raising(KeyboardInterrupt()))
    run = citepage("render", "-", "-o", "out.html", stdin=PLAIN)
    assert (run.code, run.out) == (130, b"")
    assert "Traceback" not in run.err
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_writing_leaves_no_trace(tmp_path: Path, number: signal.Signals) -> None:
    """A process that is stopped midway leaves the old page and nothing beside it; after SIGINT it exits 130."""
    text = "Rain *and* snow, **again** and again `code`.\n\n" * 4000
    (tmp_path / "in.jsonl").write_bytes(jsonl(header(), question(1), *(answer(n, text) for n in range(2, 40))))
    (tmp_path / "out.html").write_bytes(FOREIGN)
    # A shell may have started the tests with SIGINT ignored, which processes inherit.
    usual = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    process = start("render", "in.jsonl", "-o", "out.html", cwd=tmp_path, before=usual)
    _wait_for(lambda: any(tmp_path.glob(".citepage-*")), process)
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert (process.returncode == 130) is (number is signal.SIGINT)
    assert process.returncode != 0
    assert (out, err.strip()) == (b"", b"")
    assert (tmp_path / "out.html").read_bytes() == FOREIGN
    assert sorted(os.listdir(tmp_path)) == ["in.jsonl", "out.html"]


def test_a_closed_pipe_is_silent(tmp_path: Path) -> None:
    """A reader that has seen enough, such as `head`, is no error."""
    (tmp_path / "in.jsonl").write_bytes(jsonl(header(), question(1, "rain " * 100_000)))
    process = start("render", "in.jsonl", "-o", "-", cwd=tmp_path)
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.read(10) == b"<!doctype "
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=30) == 0


def test_a_page_can_be_made_without_standard_output(tmp_path: Path) -> None:
    """Where standard output is closed, as under some schedulers, -o FILE works all the same."""
    (tmp_path / "in.jsonl").write_bytes(PLAIN)
    closed = "import sys; sys.stdout.close(); sys.stdout = None"
    process = start("render", "in.jsonl", "-o", "out.html", cwd=tmp_path, before=closed)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, b"")
    assert (tmp_path / "out.html").is_file()


ESCAPES = "\x1b[31mred\x1b]0;title\x07\x9b2J\r\x08\u202e"


def test_nothing_steers_the_terminal(citepage: Citepage) -> None:
    """Control characters of titles, names, ids and files reach neither standard error nor a printed path."""
    rows = [question(1), *search(2, A), answer(ESCAPES, "x[^9^]"), {**answer(5, "y"), "role": ESCAPES}]
    Path("in.jsonl").write_bytes(jsonl(header(title=ESCAPES, id=ESCAPES), *rows, b"\x1b[31m"))
    runs = [
        citepage("render", "in.jsonl"),
        citepage("render", "in.jsonl", "--title", ESCAPES),
        citepage("render", f"{ESCAPES}.jsonl"),
        citepage("render", "in.jsonl", "--select", f"no {ESCAPES}"),
        citepage("render", "in.jsonl", "--theme", ESCAPES),
        citepage("render", "in.jsonl", "-o", f"{ESCAPES}/out.html"),
        citepage(ESCAPES),
    ]
    assert [run.code for run in runs] == [0, 0, 2, 2, 2, 2, 2]
    for run in runs:
        said = run.err + run.out.decode()
        assert said != ""
        assert re.sub(r"[^\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", "", said.replace("\n", "")) == ""
        assert run.lines is not None


def _raising(error: BaseException) -> Callable[..., None]:
    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


def _without_digest(page: bytes) -> str:
    return re.sub("[0-9a-f]{64}|[0-9a-f]{8}…[0-9a-f]{8}", "", page.decode())


def _wait_for(condition: Callable[[], bool], process: subprocess.Popen[bytes], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, "the process ended before what was waited for"
        assert time.monotonic() < end, "what was waited for did not come"
        time.sleep(0.01)
