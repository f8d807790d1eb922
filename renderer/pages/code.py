"""What stands around a block of code: its label, the button that copies it, and the fold of a long one."""

from __future__ import annotations

from markupsafe import Markup

from renderer.i18n import Catalog
from renderer.markdown.highlight import language_of
from renderer.pages.environment import render

# A block of more lines is folded.
MAX_LINES = 40

# Languages that describe a picture, by their labels: it is not drawn, and the label says so.
DIAGRAMS = {
    "blockdiag": "BlockDiag",
    "d2": "D2",
    "dot": "Graphviz",
    "graphviz": "Graphviz",
    "mermaid": "Mermaid",
    "nomnoml": "Nomnoml",
    "plantuml": "PlantUML",
    "puml": "PlantUML",
    "vega": "Vega",
    "vega-lite": "Vega-Lite",
    "wavedrom": "WaveDrom",
}


def code_start(info: str, lines: int, catalog: Catalog) -> Markup:
    """What comes before the code. `info` is what stands after its fence; all of it is shown."""
    folded = lines > MAX_LINES
    label = _label(info, catalog)
    parts = (catalog.say("code"), label, catalog.say("code_lines", n=lines))
    summary = " · ".join(part for part in parts if part)
    return render("inline/code-start", label=label, name=_name(info), folded=folded, summary=summary, say=catalog.say)


def code_end(lines: int) -> Markup:
    """What comes after the code of so many lines."""
    return Markup("</details></div>") if lines > MAX_LINES else Markup("</div>")


def _name(info: str) -> str:
    """The first word of `info`, for whoever copies the block: no name that we gave it, nor what would end a fence."""
    language = language_of(info)
    word = language if _is_language_alone(info, language) else info.partition(" ")[0]
    return word.replace("`", "")


def _is_language_alone(info: str, language: str) -> bool:
    """`{.python}` and `{python}` name nothing but a language."""
    return info.lower() in (f"{{.{language}}}", f"{{{language}}}")


def _label(info: str, catalog: Catalog) -> str:
    language = language_of(info)
    label = language if _is_language_alone(info, language) else info
    if language in DIAGRAMS:
        name = catalog.say("diagram_source", name=DIAGRAMS[language])
        return name if label.lower() == language else f"{name} · {label}"
    return label
