"""What templates may see. A view holds only what may be shown: an address that was not checked is in none."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from renderer.citations.urls import Address


@dataclass(frozen=True, slots=True)
class BackView:
    """A link back to one place that cites a source: `sign` is what is shown, `label` its accessible name."""

    href: str
    sign: str
    label: str


@dataclass(frozen=True, slots=True)
class PassageView:
    """The passage of a source: its `paragraphs`, each in parts that are marked or not.

    `cut_text` says that it was cut, `retrieved_text` and `retrieved_iso` when it was retrieved; all "" when there is
    nothing to say. `href` leads to the place in the original, None when there is no way; `link_text` names it.
    `digest` is that of its text. `lang` is its language where that is not the page's, "" otherwise.
    """

    id: str
    paragraphs: tuple[tuple[tuple[str, bool], ...], ...]
    cut_text: str
    retrieved_text: str
    retrieved_iso: str
    href: str | None
    link_text: str
    digest: str
    lang: str


@dataclass(frozen=True, slots=True)
class SourceView:
    """One entry of a sources list. `href` is None when it is not linked; `full_title` None when `title` is whole.

    `url` is the address of the document itself, to print and to name it by; `href` may lead further in; "" without one.
    `title_lang` is the title's language where that is not the page's. `missing_text` says that its passage found no
    room. Both are "" otherwise.
    """

    id: str
    k: int
    n: int
    verdict: str
    title: str
    full_title: str | None
    href: str | None
    domain: str
    verdict_text: str
    backs: tuple[BackView, ...]
    place: str = ""
    status: str = ""
    status_text: str = ""
    passage: PassageView | None = None
    missing_text: str = ""
    title_lang: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class SourcesView:
    """The sources under an answer. `note` is "" unless one sentence holds of them all."""

    id: str
    message_id: str
    label: str
    summary: str
    note: str
    is_open: bool
    items: tuple[SourceView, ...]


@dataclass(frozen=True, slots=True)
class PictureView:
    """A picture that the page carries (`src` is a `data:` address), or, with `src` "", what stands in its place.

    `alt` says what it is, "" when nobody does. `note` says why it is not shown; `address` is where it can be seen.
    `width` and `height` are pixels, 0 where they are not known.
    """

    src: str
    alt: str
    note: str = ""
    address: Address | None = None
    width: int = 0
    height: int = 0


@dataclass(frozen=True, slots=True)
class AttachmentView:
    """A file that came with a message; what is not known of it is ""."""

    name: str
    media_type: str
    size: str


@dataclass(frozen=True, slots=True)
class QuestionView:
    """A user's words. `heading` is all of them, or their beginning: then `rest_label` and `whole` hold the fold."""

    id: str
    speaker: str
    heading: str
    rest_label: str
    whole: str


@dataclass(frozen=True, slots=True)
class MomentView:
    """A moment: in few words (`text`), in full with its offset, and for machines."""

    text: str
    full: str
    iso: str


@dataclass(frozen=True, slots=True)
class ArticleView:
    """One message. `parts` are its blocks as HTML; `removed` counts the markers taken out, `removed_note` says why.

    `name` is the accessible name, unlike that of any other message; `moment` is None when the file records none.
    `copy_key` is the word on the button that copies the text, "" when there is none to copy.
    `sources` is the list of sources, `sources_html` the same as HTML, and `sources_digest` binds that to the page.
    """

    id: str
    message_id: str
    role: str
    label: str
    name: str
    moment: MomentView | None
    copy_key: str
    interim: bool
    question: QuestionView | None
    parts: tuple[Markup, ...]
    sources: SourcesView | None
    sources_html: Markup | None
    sources_digest: str | None
    removed: int
    removed_note: str


@dataclass(frozen=True, slots=True)
class ResultView:
    """An address that a step returned first, by its number in the registry. `title_lang` as in a `SourceView`."""

    n: int
    title: str
    href: str | None
    domain: str
    title_lang: str


@dataclass(frozen=True, slots=True)
class StepView:
    """One tool call: `what` was done, with which `argument`, and what came of it (`note`)."""

    what: str
    argument: str
    note: str
    failed: bool
    results: tuple[ResultView, ...]
    arguments: str


@dataclass(frozen=True, slots=True)
class StepsView:
    """The tool calls of a round, in one line that unfolds."""

    summary: str
    is_open: bool
    items: tuple[StepView, ...]


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round as it is laid out: its question, its steps, and the other messages in their order."""

    id: str
    question: ArticleView | None
    steps: StepsView | None
    articles: tuple[ArticleView, ...]
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EntryView:
    """A question in the contents: where it is, and its first words."""

    href: str
    words: str


@dataclass(frozen=True, slots=True)
class ShareView:
    """What a head tells other programs. `published` and the addresses are "" for what there is not."""

    title: str
    description: str
    site: str
    locale: str
    published: str
    address: str
    markdown: str
    data: str
    picture: str
    linked_data: Markup


@dataclass(frozen=True, slots=True)
class HeadView:
    """All that stands before the first round."""

    lang: str
    direction: str
    title: str
    generator: str
    share: ShareView
    policy: Markup
    style: Markup
    click: str
    indexable: bool
    skip_label: str
    facts: tuple[str, ...]
    counts: str
    date_text: str
    date_iso: str
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FootView:
    """All that stands after the last round."""

    facts: tuple[str, ...]
    digest: str
    close_label: str


@dataclass(frozen=True, slots=True)
class PageRefView:
    """A page of a conversation in the list of its pages: which questions it holds, and how the first one begins.

    `hashes` are those of the ids of its messages, 8 hex digits each.
    """

    href: str
    words: str
    beginning: str
    hashes: str


@dataclass(frozen=True, slots=True)
class SeriesView:
    """The ways from a page: to the `index` of its site, and to the other pages of its conversation; "" for no way.

    `number` counts the pages of a conversation from 1; 0 is a page that stands alone. `pages` are all of them, told on
    the first page.
    """

    index: str
    number: int
    first: str
    previous: str
    next: str
    pages: tuple[PageRefView, ...]
