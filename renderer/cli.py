"""The command line: arguments → options, errors → exit codes and one line on standard error."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import FrameType
from typing import Literal, NoReturn

import click

from renderer.errors import Problem, RendererError
from renderer.model import SourceTool
from renderer.options import OnInvalid, Options, Steps
from renderer.version import VERSION

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

DONE, FOUND, FAILED, INTERRUPTED = 0, 1, 2, 130

# Bytes. A browser takes half a minute for a page of 20 MB.
BIG_PAGE = 5_000_000


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the program and exit: 0 done, 1 done but `--strict` found something, 2 wrong usage or nothing readable."""
    signal.signal(signal.SIGTERM, _terminate)
    sys.exit(_run(arguments))


def _run(arguments: Sequence[str] | None) -> int:
    try:
        code = _invoked(sys.argv[1:] if arguments is None else list(arguments))
        if sys.stdout is not None:  # a program can be started without
            sys.stdout.flush()
        return code
    except RendererError as error:
        return _fail(str(error))
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return FAILED
    except click.ClickException as error:
        hint = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "citepage"
        return _fail(f"{error.format_message().rstrip('.')}; see `{hint} --help`")
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        _silence_stdout()
        return DONE
    except MemoryError:
        return _fail("there is not enough memory for this input; split it, or use a bigger machine")
    except Exception as error:  # a defect of ours: one line for the user all the same
        return _fail(f"citepage itself failed ({type(error).__name__}: {error}); please report it with the input")


def _invoked(arguments: list[str]) -> int:
    # Not cli.main(), which has its own mind about closed pipes.
    try:
        with cli.make_context("citepage", arguments) as context:
            code = cli.invoke(context)
    except click.exceptions.Exit as done:  # after --help and --version
        return done.exit_code
    return code if isinstance(code, int) else DONE


def _fail(message: str) -> int:
    _say(f"citepage: error: {message}")
    return FAILED


def _say(line: str) -> None:
    """One line to standard error; nothing in it, such as a title, may steer the terminal."""
    click.echo(_printable(line).replace("\n", " "), err=True)


def _printable(text: str) -> str:
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def _silence_stdout() -> None:
    # What is left in the buffer would fail once more when Python closes it.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _terminate(number: int, _frame: FrameType | None) -> NoReturn:
    # Through the stack, so that a half-written file is taken away.
    sys.exit(128 + number)


def _warn(problems: Iterable[Problem], *, quiet: bool) -> None:
    if not quiet:
        for problem in problems:
            _say(f"citepage: warning: {problem}")


def _code(problems: Sequence[Problem], *, strict: bool) -> int:
    return FOUND if strict and problems else DONE


def _tools(path: str | None) -> tuple[SourceTool, ...] | None:
    """The tools that the file of `--sources` names."""
    from renderer.citations.tools import load_tools

    if path is None:
        return None
    try:
        return load_tools(Path(path).read_text("utf-8"), path)
    except OSError as error:
        raise RendererError(path, f"it cannot be read: {error.strerror}", "check the path") from None
    except UnicodeDecodeError:
        raise RendererError(path, "this is no TOML: it is not UTF-8", "correct the file") from None


# --- Options that several commands have ------------------------------------------------------------------------

_format_option = click.option(
    "--format", "format_", metavar="NAME", help="The input's format. Default: recognised from its content."
)
_output_option = click.option(
    "-o", "--output", default="-", metavar="PATH", help="Where the result goes. Default: - (standard output)."
)
_sources_option = click.option(
    "--sources", metavar="FILE", help="A TOML file that names the tools whose answers are sources."
)
_strict_option = click.option("--strict", is_flag=True, help="Exit 1 when anything was left out, removed or repaired.")
_quiet_option = click.option("--quiet", is_flag=True, help="No warnings.")


# --- Commands --------------------------------------------------------------------------------------------------


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example:  citepage render conversation.jsonl -o page.html",
)
@click.version_option(VERSION, prog_name="citepage", message="%(prog)s %(version)s")
def cli() -> None:
    """Turn a frozen AI conversation into one self-contained HTML page whose every source was checked.

    "Checked" means: against what the tools in the same file are recorded to have returned.
    """


@cli.command(epilog="Example:  citepage render conversation.jsonl -o page.html --lang zh-CN")
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    metavar="PATH",
    help="Where the page goes, - for standard output. Default: a file named by the title.",
)
@_format_option
@click.option("--select", metavar="ID", help="The conversation wanted, of a file that holds several.")
@click.option(
    "--lang",
    default="auto",
    show_default=True,
    metavar="TAG",
    help="Language of the page's own words: auto, en, zh-CN.",
)
@click.option("--theme", default="paper", show_default=True, metavar="NAME", help="The look of the page.")
@click.option("--title", metavar="TEXT", help="A title in place of the file's own.")
@click.option(
    "--time-zone", metavar="NAME", help="Zone that times are shown in, such as Europe/Berlin. Default: the file's."
)
@click.option(
    "--steps",
    type=click.Choice(["folded", "hidden", "full"]),
    default="folded",
    show_default=True,
    help="How tool calls are shown.",
)
@click.option("--show-thinking", is_flag=True, help="Show the model's reasoning where the file has it.")
@click.option("--indexable", is_flag=True, help="Let search engines list the page.")
@click.option(
    "--click",
    "click_",
    type=click.Choice(["list", "drawer"]),
    help="What a number does: go to its entry, or open its passage. Default: drawer in retrieval answers, else list.",
)
@click.option("--source-base", default="", metavar="URL", help="Address that relative ones are joined to.")
@click.option(
    "--on-invalid",
    type=click.Choice(["strip", "mark", "plain"]),
    default="strip",
    show_default=True,
    help="Markers of retrieval answers that name no source: removed, struck, or all citations of the answer dropped.",
)
@click.option(
    "--passage-limit", type=click.IntRange(0), default=2_000, show_default=True, help="Characters kept of a passage."
)
@click.option(
    "--passages-limit", type=click.IntRange(0), default=200_000, show_default=True, help="The same, of all in the page."
)
@click.option("--open", "open_", is_flag=True, help="Open the page when it is written.")
@_sources_option
@_strict_option
@_quiet_option
def render(
    inputs: tuple[str, ...],
    output: str | None,
    format_: str | None,
    select: str | None,
    lang: str,
    theme: str,
    title: str | None,
    time_zone: str | None,
    steps: Steps,
    show_thinking: bool,
    indexable: bool,
    open_: bool,
    click_: Literal["list", "drawer"] | None,
    source_base: str,
    on_invalid: OnInvalid,
    passage_limit: int,
    passages_limit: int,
    sources: str | None,
    strict: bool,
    quiet: bool,
) -> int:
    """Render one conversation as one self-contained page.

    INPUT is a file, or - for standard input. Several are the pages of one share. Without -o the page goes to the
    current folder, named by its title, and its path is printed.
    """
    from renderer import pipeline

    if open_ and output == "-":
        raise click.UsageError("--open needs a file, not standard output")
    options = Options(
        lang=lang,
        theme=theme,
        title=title,
        time_zone=time_zone,
        steps=steps,
        show_thinking=show_thinking,
        indexable=indexable,
        tools=_tools(sources),
        click=click_,
        source_base=source_base,
        on_invalid=on_invalid,
        passage_budget=passage_limit,
        page_budget=passages_limit,
    )
    done = pipeline.render(inputs, output, options, format=format_, select=select)
    _warn(done.summary.problems, quiet=quiet)
    if done.summary.size > BIG_PAGE and not quiet:
        where = done.path or "standard output"
        _say(f"citepage: warning: {where}: a page of {done.summary.size / 1e6:.0f} MB, which browsers open slowly")
    if output is None:
        click.echo(done.path)
    if open_ and done.path is not None:
        import webbrowser

        webbrowser.open(done.path.resolve().as_uri())
    return _code(done.summary.problems, strict=strict)


@cli.command(epilog="Example:  citepage audit exports/*.jsonl --strict")
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="JSON for programs in place of a table.")
@click.option("--support", is_flag=True, help="Compare the wording of cited claims and their passages.")
@click.option(
    "--threshold",
    type=click.FloatRange(0, 100),
    default=60.0,
    show_default=True,
    help="With --support, list claims that share less wording than this.",
)
@_format_option
@_sources_option
@_strict_option
@_quiet_option
def audit(
    inputs: tuple[str, ...],
    as_json: bool,
    support: bool,
    threshold: float,
    format_: str | None,
    sources: str | None,
    strict: bool,
    quiet: bool,
) -> int:
    """Say what holds of every citation.

    For each answer: markers kept, removed and why, sources never cited, and how many claims carry a citation. A claim
    is a sentence that says something: no question, no lead-in to a list, no refusal to answer.
    """
    from renderer import pipeline
    from renderer.writers.audit import audit_json, audit_table

    options = Options(tools=_tools(sources))
    audited = []
    failed = False
    for name in inputs:
        try:
            report, problems = pipeline.audit(name, options, format=format_, support=support)
        except RendererError as error:
            _fail(str(error))
            failed = True
            continue
        audited.append(report)
        _warn(problems, quiet=quiet)
    if audited or not failed:
        click.echo(
            json.dumps(audit_json(audited)) if as_json else _printable(audit_table(audited, threshold)), nl=as_json
        )
    found = any(report.has_findings for item in audited for report in item.conversations)
    return FAILED if failed else FOUND if strict and found else DONE


@cli.command(epilog="Example:  citepage cite rows.jsonl -o cited.jsonl")
@click.argument("input_", metavar="INPUT")
@_output_option
@_format_option
@_sources_option
@_strict_option
@_quiet_option
def cite(input_: str, output: str, format_: str | None, sources: str | None, strict: bool, quiet: bool) -> int:
    """Give the rows of an export their citations.

    The key metadata.citations is built anew from the tool results and the markers of each round's answer.

    Rows that do not change stay byte for byte; running it twice changes nothing. A share snapshot becomes JSONL rows.
    """
    from renderer import pipeline

    problems = pipeline.cite(input_, output, Options(tools=_tools(sources)), format=format_)
    _warn(problems, quiet=quiet)
    return _code(problems, strict=strict)


@cli.command(epilog="Example:  citepage strip answer.md -o message.txt")
@click.argument("textfile", metavar="[TEXTFILE]", default="-")
@_output_option
def strip(textfile: str, output: str) -> int:
    """Take every citation marker out of a text.

    In code too: it is for chat channels, which show no page.
    """
    from renderer import pipeline

    pipeline.strip(textfile, output)
    return DONE


@cli.command(epilog="Example:  citepage verify page.html")
@click.argument("pages", metavar="PAGE...", nargs=-1, required=True)
@_quiet_option
def verify(pages: tuple[str, ...], quiet: bool) -> int:
    """Tell whether the passages of a page are as they were.

    Each passage carries a digest. This finds accidents and careless edits, not forgers. Exits 1 when one was changed.
    """
    from renderer import pipeline

    found = failed = False
    for name in pages:
        try:
            checks = pipeline.verify(name)
        except RendererError as error:
            failed = bool(_fail(str(error)))
            continue
        changed = [check.id for check in checks if not check.intact]
        found = found or bool(changed)
        for passage in changed:
            click.echo(_printable(f"{name}: changed: {passage}"))
        if not changed and not quiet:
            click.echo(_printable(f"{name}: {len(checks)} passages as they were made"))
    return FAILED if failed else FOUND if found else DONE


@cli.command(epilog="Example:  citepage context hits.json > context.txt")
@click.argument("hits", metavar="HITS.json")
@click.option("--json", "as_json", is_flag=True, help="The context and the citations that go with it, as JSON.")
@click.option("--limit", type=click.IntRange(1), default=10, show_default=True, help="How many hits are taken at most.")
@click.option("--lang", default="zh-CN", show_default=True, metavar="TAG", help="zh-CN or en.")
def context(hits: str, as_json: bool, limit: int, lang: str) -> int:
    """Number retrieval hits into a context text.

    HITS.json is a list of {"text", "source", "doc_id"?, "metadata": {"section"?, "page"?, "url"?}}, best first.
    """
    from renderer import pipeline

    text, citations = pipeline.context(hits, limit, lang)
    click.echo(json.dumps({"context": text, "citations": citations}, ensure_ascii=False) if as_json else text)
    return DONE


@cli.command(epilog="Example:  citepage prompt agent --lang zh-CN")
@click.argument("name", metavar="{agent|rag}", type=click.Choice(["agent", "rag"]))
@click.option("--lang", default="en", show_default=True, metavar="TAG", help="en or zh-CN.")
@click.option("--tools", is_flag=True, help="The one sentence for the descriptions of the two tools (agent).")
def prompt(name: str, lang: str, tools: bool) -> int:
    """Print the citation rules to put into a system prompt.

    agent: for an agent that searches and opens pages. rag: for answers from retrieved passages; put the output of
    `citepage context` in place of {numbered_context}.
    """
    from renderer.prompts import prompt as text_of

    if tools and name != "agent":
        raise click.UsageError("--tools goes with agent")
    click.echo(text_of(f"{name}_tools" if tools else name, lang), nl=False)
    return DONE


@cli.command(epilog="Example:  citepage formats")
def formats() -> None:
    """List the input formats.

    A line each: name, what it is, how it is recognised.
    """
    from renderer.readers import READERS

    width = max(len(reader.name) for reader in READERS)
    for reader in READERS:
        click.echo(f"{reader.name:<{width}}  {reader.what} {reader.recognised_by}")
