"""The buttons that copy: a block of code, and an answer as Markdown whose numbers are footnotes."""

from __future__ import annotations

import pytest

from tests.opened_page import OpenedPage, OpenPage
from tests.pages.making import A, B, answer, hit, page, question, search
from tests.pictures import data_address, png

TEXT = """## Costs & *limits*

It pays **half**[^1^], see [the rules](https://rules.example/a_b) and `x | y`[^1^][^2^].
No: 2 * 3, a_b_c.

1. first
   - inner[^2^]
2. second

- [x] done
- [ ] open

| Name | Paid |
| --- | ---: |
| a \\| b | 5 |

> said
>
> twice

~~~python
print("```")

done()
~~~

Money[^m].

[^m]: In euros.
"""

COPIED = """## Costs & *limits*

It pays **half**[^1], see [the rules](<https://rules.example/a_b>) and `x | y`[^1][^2]. No: 2 \\* 3, a\\_b\\_c.

1. first
   - inner[^2]
2. second

- [x] done
- [ ] open

| Name | Paid |
| --- | --: |
| a \\| b | 5 |

> said
>
> twice

````python
print("```")

done()
````

Money[^note-1].

[^note-1]: In euros.

[^1]: [The \\[fund\\]](<https://a.example/one>) — a.example, returned by a search in this conversation
[^2]: [B](<https://b.example/two>) — b.example, returned by a search in this conversation
"""


@pytest.fixture
def opened(open_page: OpenPage) -> OpenedPage:
    found = search(2, hit(A, "The [fund]"), hit(B, "B"))
    made = page(question(1), found, answer(4, TEXT), question(5), answer(6, "No."), lang="en")
    return open_page(made.html, clipboard=True)


def _copied(opened: OpenedPage, button: str) -> str:
    opened.page.click(button)
    return str(opened.page.evaluate("navigator.clipboard.readText()"))


def test_an_answer_is_copied_as_markdown_with_footnotes(opened: OpenedPage) -> None:
    """The button gives the answer in Markdown, each number as a footnote with title and address."""
    assert _copied(opened, "#m-4 [data-copy=answer]") == COPIED


def test_an_answer_without_sources_can_be_copied_too(opened: OpenedPage) -> None:
    """The button of an answer without sources says so and copies the text alone."""
    assert opened.page.inner_text("#m-6 [data-copy=answer]") == "Copy as Markdown"
    assert _copied(opened, "#m-6 [data-copy=answer]") == "No.\n"


def _answer_copied(open_page: OpenPage, text: str) -> str:
    opened = open_page(page(question(1), answer(2, text), lang="en").html, clipboard=True)
    return _copied(opened, "[data-copy=answer]")


@pytest.mark.parametrize(
    ("info", "copied"),
    [
        ("mermaid", "mermaid"),
        ("mermaid x", "mermaid"),
        ("{.python}", "python"),
        ('py title="a.py"', "py"),
        ("Dot", "Dot"),
    ],
)
def test_a_fence_keeps_the_label_that_the_model_gave_it(open_page: OpenPage, info: str, copied: str) -> None:
    """A copied block of code is labelled with the model's first word, never with the words that the page shows."""
    assert _answer_copied(open_page, f"```{info}\nx\n```") == f"```{copied}\nx\n```\n"


def test_formulas_are_copied_as_they_stand(open_page: OpenPage) -> None:
    """A formula in a line is copied between single dollars, one that stands apart between double ones and apart."""
    text = "It is $a^2$: \\[b^2\\] and so on.\n\n$$c^2$$\n\n| f |\n| --- |\n| x $$d^2$$ y |"
    assert _answer_copied(open_page, text) == (
        "It is $a^2$:\n\n$$b^2$$\n\nand so on.\n\n$$c^2$$\n\n| f |\n| --- |\n| x $$d^2$$ y |\n"
    )


def test_pictures_are_copied_as_words(open_page: OpenPage) -> None:
    """Each picture, carried or not, is copied as words on a line of its own; its data is not."""
    text = f"See ![a *b*]({data_address(png())}) ![]({data_address(png())})\n![far](https://p.example/x.png) ![](y.png)"
    assert _answer_copied(open_page, text) == (
        "See\n\n*Picture: a b*\n\n*Picture without description*\n\n"
        "*Picture on p.example, not loaded: far [https://p.example/x.png](<https://p.example/x.png>)*\n\n"
        "*Picture that is not in this export: y.png*\n"
    )


def test_a_cut_title_is_copied_whole(open_page: OpenPage) -> None:
    """The footnote of a source has its whole title, though the page shows its beginning."""
    title = "Rain and *wind*, " * 6
    opened = open_page(
        page(question(1), search(2, hit(A, title)), answer(4, "Yes[^1^]."), lang="en").html, clipboard=True
    )
    whole = title.strip().replace("*", "\\*")
    assert f"[^1]: [{whole}](<{A}>) — a.example" in _copied(opened, "#m-4 [data-copy=answer]")


def test_a_block_of_code_is_copied_alone(opened: OpenedPage) -> None:
    """The button of a block of code copies that code to the last line end, without its language or any other word."""
    assert _copied(opened, ".code-copy") == 'print("```")\n\ndone()\n'
    assert opened.page.inner_text(".code-copy") == "Copied"
    assert _copied(opened, "#m-4 [data-copy=answer]") == COPIED


def test_a_page_that_may_not_write_to_the_clipboard_copies_all_the_same(open_page: OpenPage) -> None:
    """Where the browser refuses the modern way, as in a frame, the text is copied the old way and leaves no trace."""
    opened = open_page(page(question(1), answer(2, "No."), lang="en").html, clipboard=True)
    opened.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('refused')); }")
    assert _copied(opened, "[data-copy=answer]") == "No.\n"
    assert opened.page.locator("textarea").count() == 0


def test_the_button_says_that_it_is_done_and_keeps_the_focus(opened: OpenedPage) -> None:
    """After copying the button says so for a moment; the focus stays on it."""
    button = opened.page.locator("#m-4 [data-copy=answer]")
    button.click()
    assert button.inner_text() == "Copied"
    assert button.evaluate("tag => tag === document.activeElement")
    opened.settle(1800)
    assert button.inner_text() == "Copy with sources"


def test_a_selection_keeps_the_numbers(opened: OpenedPage) -> None:
    """Text that a reader selects and copies by hand holds the numbers as they are seen."""
    text = opened.page.evaluate(
        """() => {
            getSelection().selectAllChildren(document.querySelector("#m-4 .prose p"));
            return `${getSelection()}`;
        }"""
    )
    assert text.startswith("It pays half[1], see the rules")


def test_without_script_there_is_no_button(open_page: OpenPage) -> None:
    """Where no script runs no button is shown that could do nothing."""
    opened = open_page(page(question(1), answer(2, "No."), lang="en").html, javascript=False)
    assert opened.page.locator("[data-copy]:visible").count() == 0
