"""Files are written whole or not at all, and what stands in the way is said in one line."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NoReturn, TextIO

import pytest

from renderer import output
from renderer.errors import RendererError
from renderer.output import copy_spool, is_ours, refuse_foreign, replacing, replacing_bytes, spool, target_of

OUR_PAGE = '<!doctype html><html><head><meta charset="utf-8"><meta name="generator" content="citepage 0.1.0">'


@pytest.fixture
def umask() -> Iterator[None]:
    """A umask that differs from the usual one."""
    before = os.umask(0o027)
    yield
    os.umask(before)


def test_a_file_gets_its_text_as_it_is(tmp_path: Path) -> None:
    """Text is written as UTF-8 without a mark, and line ends stay as they are."""
    with replacing(tmp_path / "page.html") as file:
        file.write("汉字\r\nline\n\u2028")
    assert (tmp_path / "page.html").read_bytes() == b"\xe6\xb1\x89\xe5\xad\x97\r\nline\n\xe2\x80\xa8"


def test_bytes_get_through_untouched(tmp_path: Path) -> None:
    """Bytes that are no text at all can be written too."""
    with replacing_bytes(tmp_path / "rows.jsonl") as file:
        file.write(b"\xff\x00\r\n")
    assert (tmp_path / "rows.jsonl").read_bytes() == b"\xff\x00\r\n"


def test_a_lone_surrogate_does_not_stop_a_page(tmp_path: Path) -> None:
    """What UTF-8 cannot hold is written as a question mark."""
    with replacing(tmp_path / "page.html") as file:
        file.write("a\ud800b")
    assert (tmp_path / "page.html").read_bytes() == b"a?b"


def test_an_old_file_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    """While a file is written the old one is there in full; then the new one is."""
    target = tmp_path / "page.html"
    target.write_text("old")
    with replacing(target) as file:
        file.write("new")
        file.flush()
        assert target.read_text() == "old"
    assert target.read_text() == "new"
    assert os.listdir(tmp_path) == ["page.html"]


def test_what_is_being_written_is_hidden(tmp_path: Path) -> None:
    """The file being written is beside its target, under a name that listings leave out."""
    with replacing(tmp_path / "page.html"):
        (name,) = os.listdir(tmp_path)
    assert name.startswith(".citepage-")


def test_a_planted_link_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even one who guesses the hidden name cannot have another file overwritten through a link of that name."""
    (tmp_path / "victim").write_text("precious")
    (tmp_path / ".citepage-guessed").symlink_to("victim")
    monkeypatch.setattr("secrets.token_hex", lambda _: "guessed")
    with pytest.raises(RendererError, match="cannot be written"), replacing(tmp_path / "page.html") as file:
        file.write("text")
    assert (tmp_path / "victim").read_text() == "precious"
    assert not (tmp_path / "page.html").exists()


def test_a_file_is_on_the_disk_before_it_takes_the_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a power cut there is the old file or the new one, not an empty one: the content is synced first."""
    target = tmp_path / "page.html"
    target.write_text("old")
    seen_at_sync: list[str] = []
    monkeypatch.setattr("os.fsync", lambda _: seen_at_sync.append(target.read_text()))
    with replacing(target) as file:
        file.write("new")
    assert seen_at_sync == ["old"]


@pytest.mark.parametrize("interruption", [ValueError, KeyboardInterrupt, SystemExit, GeneratorExit])
def test_a_failure_leaves_no_trace(tmp_path: Path, interruption: type[BaseException]) -> None:
    """When writing is broken off, the old file is as it was and nothing lies beside it."""
    target = tmp_path / "page.html"
    target.write_text("old")
    with pytest.raises(interruption), replacing(target) as file:
        _break_off(file, interruption)
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["page.html"]


@pytest.mark.usefixtures("umask")
def test_a_new_file_has_the_permissions_that_the_user_gives_all_files(tmp_path: Path) -> None:
    """The umask decides who may read a new file."""
    with replacing(tmp_path / "page.html"):
        pass
    assert (tmp_path / "page.html").stat().st_mode & 0o777 == 0o640


def test_a_private_file_stays_private(tmp_path: Path) -> None:
    """A file that is replaced keeps its permissions, and nobody else may read it while it is written."""
    target = tmp_path / "page.html"
    target.touch(0o600)
    with replacing(target) as file:
        file.write("secret")
        (beside,) = tmp_path.glob(".citepage-*")
        assert beside.stat().st_mode & 0o777 == 0o600
    assert target.stat().st_mode & 0o777 == 0o600


def test_a_link_keeps_pointing_where_it_did(tmp_path: Path) -> None:
    """A symbolic link named by the user stays one: the file that it leads to is replaced."""
    (tmp_path / "there").mkdir()
    (tmp_path / "link.html").symlink_to(tmp_path / "there" / "page.html")
    with replacing(tmp_path / "link.html") as file:
        file.write("new")
    assert (tmp_path / "link.html").is_symlink()
    assert (tmp_path / "there" / "page.html").read_text() == "new"


def test_a_device_is_written_to_and_not_replaced() -> None:
    """A device, such as a terminal, gets the text and is still one afterwards."""
    keyboard, screen = os.openpty()
    device = Path(os.ttyname(screen))
    with replacing(device) as file:
        file.write("text")
    assert os.read(keyboard, 100) == b"text"
    assert device.is_char_device()
    os.close(keyboard)
    os.close(screen)


def test_a_pipe_is_written_to_directly(tmp_path: Path) -> None:
    """A named pipe gets the text, and stays a pipe."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with replacing(pipe) as file:
        file.write("text")
    assert os.read(reader, 100) == b"text"
    os.close(reader)
    assert pipe.is_fifo()


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (".", "{}: this is a folder; name a file with -o"),
        ("no/page.html", "{}: there is no such folder; make the folder first, or choose another place with -o"),
        ("file/page.html", "{}: a part of this path is not a folder; choose another place with -o"),
        (f"{'n' * 300}.html", "{}: the name is too long; choose a shorter one with -o"),
    ],
)
def test_a_target_that_cannot_be_is_one_line(tmp_path: Path, target: str, message: str) -> None:
    """A place where no file can be written is named, with what to do."""
    (tmp_path / "file").touch()
    with pytest.raises(RendererError) as raised, replacing(tmp_path / target):
        pass
    assert str(raised.value) == message.format(tmp_path / target)
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (errno.EACCES, "no permission to write here; choose another place with -o"),
        (errno.EROFS, "this file system is read-only; choose another place with -o"),
        (errno.EIO, "cannot be written (Input/output error); choose another place with -o"),
    ],
)
def test_a_refusal_of_the_system_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, message: str
) -> None:
    """Whatever the system has against a new file is said in one line."""

    def refuse(path: Path) -> BinaryIO:
        raise OSError(number, os.strerror(number), str(path))

    monkeypatch.setattr(output, "_created", refuse)
    with pytest.raises(RendererError) as raised, replacing(tmp_path / "page.html"):
        pass
    assert str(raised.value) == f"{tmp_path / 'page.html'}: {message}"


@pytest.mark.parametrize("size", [10, 1_000_000])
def test_a_full_device_is_one_line(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """No space left is said in one line, whether it shows while writing or at the end."""
    # Should the code be broken and the tests run as root, the machine must keep its device.
    monkeypatch.delattr("pathlib.Path.replace")
    with pytest.raises(RendererError) as raised, replacing(Path("/dev/full")) as file:
        file.write("x" * size)
    assert str(raised.value) == (
        "/dev/full: no space left on the device; free some space, or choose another place with -o"
    )


@pytest.mark.parametrize("size", [10_000, 1_000_000])
def test_a_file_that_may_not_grow_leaves_no_trace(tmp_path: Path, size: int) -> None:
    """When the system stops a file from growing, the old one stays and nothing lies beside it."""
    (tmp_path / "page.html").write_text("old")
    program = f"""
import resource, signal, sys
from pathlib import Path
from renderer.errors import RendererError
from renderer.output import replacing
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    with replacing(Path("page.html")) as file:
        file.write("x" * {size})
except RendererError as error:
    sys.stdout.write(str(error))
"""
    run = _python(program, tmp_path)
    assert run.stdout == "page.html: no space left on the device; free some space, or choose another place with -o"
    assert run.stderr == ""
    assert os.listdir(tmp_path) == ["page.html"]
    assert (tmp_path / "page.html").read_text() == "old"


def test_an_error_of_the_input_stays_its_own(tmp_path: Path) -> None:
    """An error that is not about writing goes through as it is."""
    with pytest.raises(FileNotFoundError), replacing(tmp_path / "page.html"):
        (tmp_path / "input.jsonl").read_bytes()
    assert os.listdir(tmp_path) == []


def test_a_dash_is_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """Text for "-" goes to standard output, after what was printed before, with its line ends as they are."""
    print("before")
    with replacing(target_of("-")) as file:
        file.write("汉\r\n")
    print("after")
    assert capfdbinary.readouterr().out == "before\n汉\r\nafter\n".encode()


def test_a_name_is_a_file(tmp_path: Path) -> None:
    """Any other argument of -o names a file."""
    assert target_of("./-") == Path("./-")
    assert target_of(str(tmp_path / "a.html")) == tmp_path / "a.html"


def test_a_stand_in_for_standard_output_gets_the_text(capsys: pytest.CaptureFixture[str]) -> None:
    """Standard output may be an object in memory."""
    with replacing(None) as file:
        file.write("text")
    print(" and more")
    assert capsys.readouterr().out == "text and more\n"


@pytest.mark.parametrize("size", [10, 1_000_000])
def test_full_standard_output_is_one_line(tmp_path: Path, size: int) -> None:
    """A full device behind standard output is one line, and Python adds nothing when it exits."""
    program = f"""
import sys
from renderer.errors import RendererError
from renderer.output import replacing
try:
    with replacing(None) as file:
        file.write("x" * {size})
except RendererError as error:
    sys.stderr.write(str(error))
"""
    with open("/dev/full", "wb") as full:
        run = _python(program, tmp_path, stdout=full.fileno())
    assert (run.returncode, run.stderr) == (
        0,
        "standard output: no space left on the device; free some space, or choose another place with -o",
    )


@pytest.mark.parametrize("size", [10, 1_000_000])
def test_a_closed_pipe_is_left_to_the_command_line(tmp_path: Path, size: int) -> None:
    """When the reader of a pipe has gone, BrokenPipeError goes through and Python adds nothing when it exits."""
    program = f"""
import sys
from renderer.output import replacing
try:
    with replacing(None) as file:
        file.write("x" * {size})
except BrokenPipeError:
    sys.stderr.write("broken pipe")
"""
    reader, writer = os.pipe()
    os.close(reader)
    run = _python(program, tmp_path, stdout=writer)
    os.close(writer)
    assert (run.returncode, run.stderr) == (0, "broken pipe")


@pytest.mark.parametrize("size", [0, 1000, 3_000_000])
def test_a_spool_gives_back_what_was_put_in(tmp_path: Path, size: int) -> None:
    """A spool holds a text of any size until its place is known, line ends as they are."""
    text = "汉\r\n" * (size // 3)
    with replacing(tmp_path / "page.html") as page, spool() as body:
        body.write(text)
        page.write("head\n")
        copy_spool(body, page)
        page.write("foot\n")
    assert (tmp_path / "page.html").read_bytes() == f"head\n{text}foot\n".encode()


def test_a_spool_without_space_names_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the temporary folder is full, it is the folder that is named, with what to do."""

    def refuse(*_: object, **__: object) -> NoReturn:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    with pytest.raises(RendererError) as raised, replacing(tmp_path / "page.html"), spool() as body:
        body.write("x" * 2_000_000)
    assert str(raised.value) == (
        f"{tmp_path}: no space left on the device; free some space, or name another folder in TMPDIR"
    )
    assert os.listdir(tmp_path) == []


def test_a_full_target_is_not_blamed_on_the_spool(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the target is full while a spool is open, it is the target that is named."""
    monkeypatch.delattr("pathlib.Path.replace")
    with pytest.raises(RendererError, match=r"^/dev/full: no space left"), replacing(Path("/dev/full")) as page:
        _copy_through_spool("x" * 2_000_000, page)


@pytest.mark.parametrize(
    ("content", "ours"),
    [
        (OUR_PAGE, True),
        (OUR_PAGE.replace(" 0.1.0", ""), True),
        ("x" * 5000 + OUR_PAGE, False),
        (OUR_PAGE.replace("citepage", "citepages"), False),
        (OUR_PAGE.replace("citepage", "another"), False),
        ("", False),
    ],
)
def test_our_pages_are_known_by_their_mark(tmp_path: Path, content: str, ours: bool) -> None:
    """A file is ours when the generator's mark is in its first 4 KiB."""
    (tmp_path / "page.html").write_text(content)
    assert is_ours(tmp_path / "page.html") is ours


def test_what_is_no_file_is_not_ours(tmp_path: Path) -> None:
    """Folders, pipes, nothing at all, and links (to a page of ours too) are not ours."""
    (tmp_path / "page.html").write_text(OUR_PAGE)
    (tmp_path / "link").symlink_to("page.html")
    os.mkfifo(tmp_path / "pipe")
    assert [is_ours(tmp_path / name) for name in (".", "pipe", "nothing", "link")] == [False] * 4


def test_only_foreign_files_are_refused(tmp_path: Path) -> None:
    """A page of ours and a free name may be written; anything else is left alone, a dangling link too."""
    (tmp_path / "ours.html").write_text(OUR_PAGE)
    (tmp_path / "foreign.html").write_text("my thesis")
    (tmp_path / "dangling.html").symlink_to("nothing")
    refuse_foreign(tmp_path / "ours.html")
    refuse_foreign(tmp_path / "free.html")
    for name in ("foreign.html", "dangling.html"):
        with pytest.raises(RendererError) as raised:
            refuse_foreign(tmp_path / name)
        assert str(raised.value) == (
            f"{tmp_path / name}: a file of this name is there, and citepage did not make it; "
            "move it away, or choose a name with -o"
        )


def _break_off(file: TextIO, interruption: type[BaseException]) -> None:
    file.write("half of the new one")
    raise interruption


def _copy_through_spool(text: str, page: TextIO) -> None:
    with spool() as body:
        body.write(text)
        copy_spool(body, page)


def _python(program: str, folder: Path, stdout: int = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
    root = str(Path(output.__file__).parent.parent)
    return subprocess.run(
        [sys.executable, "-X", "dev", "-c", program],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": root},
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
