"""The commands, each a few lines: what to do is in `pipeline`, which is loaded when a command runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from renderer.cli.options import (
    beside_options,
    format_option,
    output_option,
    page_options,
    quiet_option,
    sources_option,
    strict_option,
    tools_in,
    wanted_beside,
)
from renderer.cli.saying import DONE, FAILED, FOUND, code_of, fail, printable, say, warn
from renderer.errors import RendererError
from renderer.options import Options
from renderer.version import VERSION

# Bytes. A browser takes half a minute for a page of 20 MB.
BIG_PAGE = 5_000_000


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
@format_option
@click.option("--select", metavar="ID", help="The conversation wanted, of a file that holds several.")
@page_options
@beside_options
@click.option("--open", "open_", is_flag=True, help="Open the page when it is written.")
@sources_option
@strict_option
@quiet_option
def render(
    inputs: tuple[str, ...],
    output: str | None,
    format_: str | None,
    select: str | None,
    open_: bool,
    formats: str,
    picture: bool,
    font: str | None,
    sources: str | None,
    strict: bool,
    quiet: bool,
    **choices: Any,
) -> int:
    """Render one conversation as one self-contained page.

    INPUT is a file, a zip with one export in it, or - for standard input. Several are the pages of one share. Without
    -o the page goes to the current folder, named by its title, and its path is printed.
    """
    from renderer.pipeline import rendering

    if open_ and output == "-":
        raise click.UsageError("--open needs a file, not standard output")
    options = Options(**choices, tools=tools_in(sources))
    wanted = wanted_beside(formats, picture, font, output)
    done = rendering.render(inputs, output, options, wanted, format=format_, select=select)
    warn(done.summary.problems, quiet=quiet)
    if done.summary.size > BIG_PAGE and not quiet:
        where = done.path or "standard output"
        say(f"citepage: warning: {where}: a page of {done.summary.size / 1e6:.0f} MB, which browsers open slowly")
    if output is None:
        click.echo(done.path)
    if open_ and done.path is not None:
        _open(done.path)
    return code_of(done.summary.problems, strict=strict)


def _open(path: Path) -> None:
    import webbrowser

    webbrowser.open(path.resolve().as_uri())


@cli.command(epilog="Example:  citepage audit exports/*.jsonl --strict")
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="JSON for programs in place of a table.")
@click.option("--support", is_flag=True, help="Compare the wording of cited claims and their passages.")
@click.option(
    "--threshold",
    type=click.FloatRange(0, 100),
    default=60.0,
    show_default=True,
    help="With --support, list claims (in JSON: mark as `listed`) that share less wording than this.",
)
@format_option
@sources_option
@strict_option
@quiet_option
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
    from renderer.pipeline import auditing
    from renderer.writers.audit import audit_json, audit_table

    options = Options(tools=tools_in(sources))
    audited = []
    failed = unread = False
    for name in inputs:
        try:
            report, problems = auditing.audit(name, options, format=format_, support=support)
        except RendererError as error:
            fail(str(error))
            failed = True
            continue
        audited.append(report)
        unread = unread or any(problem.left_out for problem in problems)
        warn(problems, quiet=quiet)
    if as_json:
        click.echo(json.dumps(audit_json(audited, threshold)))
    elif audited:
        click.echo(printable(audit_table(audited, threshold)), nl=False)
    found = unread or any(report.has_findings for item in audited for report in item.conversations)
    return FAILED if failed else FOUND if strict and found else DONE


@cli.command(epilog="Example:  citepage cite rows.jsonl -o cited.jsonl")
@click.argument("input_", metavar="INPUT")
@output_option
@format_option
@sources_option
@strict_option
@quiet_option
def cite(input_: str, output: str, format_: str | None, sources: str | None, strict: bool, quiet: bool) -> int:
    """Give the rows of an export their citations.

    The key metadata.citations is built anew from the tool results and the markers of each round's answer.

    Rows that do not change stay byte for byte; running it twice changes nothing. A share snapshot becomes JSONL rows.
    """
    from renderer.pipeline import citing

    problems = citing.cite(input_, output, Options(tools=tools_in(sources)), format=format_)
    warn(problems, quiet=quiet)
    return code_of(problems, strict=strict)


@cli.command(epilog="Example:  citepage strip answer.md -o message.txt")
@click.argument("textfile", metavar="[TEXTFILE]", default="-")
@output_option
def strip(textfile: str, output: str) -> int:
    """Take every citation marker out of a text.

    In code too: it is for chat channels, which show no page.
    """
    from renderer.pipeline import texts

    texts.strip(textfile, output)
    return DONE


@cli.command(epilog="Example:  citepage verify page.html")
@click.argument("pages", metavar="PAGE...", nargs=-1, required=True)
@quiet_option
def verify(pages: tuple[str, ...], quiet: bool) -> int:
    """Tell whether the passages and sources of a page are as they were.

    Each passage and each list of sources carries a digest. This finds accidents and careless edits, not forgers. Exits
    1 when one was changed, or the page is cut off.
    """
    from renderer.pipeline import verifying

    found = failed = False
    for name in pages:
        try:
            checks = verifying.verify(name)
        except RendererError as error:
            failed = bool(fail(str(error)))
            continue
        changed = [check.id for check in checks if not check.intact]
        found = found or bool(changed)
        for passage in changed:
            click.echo(printable(f"{name}: changed: {passage}"))
        if not changed and not quiet:
            click.echo(printable(f"{name}: {len(checks)} passages as they were made"))
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
    from renderer.pipeline import texts

    text, citations = texts.context(hits, limit, lang)
    result = json.dumps({"context": text, "citations": citations}, ensure_ascii=False) if as_json else text
    click.echo(result.encode("utf-8", "replace").decode("utf-8"))
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
