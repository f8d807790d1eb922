"""The files that a conversation changed, as HTML: their list at the end of the page, and the diffs in it."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from renderer.i18n import Catalog
from renderer.model import FileChange
from renderer.pages.diffs import MAX_DIFF, counts, cut, diff_text, parts_of
from renderer.pages.environment import render


@dataclass(frozen=True, slots=True)
class Diff:
    """A diff that was laid out: its HTML, the code points taken, and the lines added and deleted (None when cut)."""

    html: Markup
    size: int
    added: int | None
    deleted: int | None


def diff_html(change: FileChange, room: int, catalog: Catalog) -> Diff | None:
    """The diff of a change, cut to `room` code points of the page's and to `MAX_DIFF`; None when there is none."""
    whole = diff_text(change)
    if not whole:
        return None
    kept = cut(whole, min(room, MAX_DIFF))
    parts = parts_of(kept)
    is_whole = kept == whole
    notices = [] if is_whole else [catalog.say("diff_cut", kept=len(kept), whole=len(whole))]
    if change.patch_truncated:
        notices.append(catalog.say("diff_truncated"))
    added, deleted = counts(parts) if is_whole and not change.patch_truncated else (None, None)
    return Diff(render("changes/diff", parts=parts, notices=notices), len(kept), added, deleted)


def changes_start(files: int, catalog: Catalog) -> Markup:
    """What comes before the first of so many files."""
    return render("changes/start", label=catalog.say("files_changed", n=files))


def file_start(change: FileChange, *, folds: bool, catalog: Catalog) -> Markup:
    """The line of a file. With `folds` its diffs follow and `file_end`."""
    kind = catalog.texts["file_kinds"].get(change.kind, change.kind)
    return render("changes/file", kind=kind, change=change, folds=folds)


def file_end(*, folds: bool) -> Markup:
    """What comes after a file and its diffs."""
    return Markup("</details></li>\n") if folds else Markup("</li>\n")


CHANGES_END = Markup("</ul>\n</section>\n")
