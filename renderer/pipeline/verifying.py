"""A page → whether it is as it was made."""

from __future__ import annotations

from renderer.errors import RendererError
from renderer.output import MARK_WITHIN, is_ours_head
from renderer.proof.verify import PassageCheck, check_passages
from renderer.readers import Input


def verify(name: str) -> list[PassageCheck]:
    """Check the passages of the page `name`. Raises RendererError when it is no page of ours."""
    with Input(name) as source:
        if not is_ours_head(source.head(MARK_WITHIN)):
            raise RendererError(source.name, "this is no page that citepage made", "name a page that it made")
        text = b"".join(line for _, line in source.raw_lines()).decode("utf-8", "replace")
    checks = check_passages(text)
    # Passages that a cut page has lost cannot be checked, so the cut is said in their place.
    return checks if text.rstrip().endswith("</html>") else [*checks, PassageCheck("the page is cut off", False)]
