"""The architecture as data, and pure functions that say where source text departs from it.

Sources are given as {module name: text}; a package's own file is named in full, as `renderer.readers.__init__`.
Every function yields lines such as "renderer.pages.views:12: imports renderer.cli".
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

# From top to bottom. A part imports from itself and from lower layers. Parts of one layer may import each other too,
# but not where "|" stands between them.
LAYERS = (
    "__main__ __init__",
    "cli",
    "pipeline",
    "archive",
    "writers | proof",
    "pages",
    "markdown",
    "readers | citations",
    "i18n themes output staging file_names prompts",
    "resources options",
    "model errors version",
)

# The rooms of each library; no room: not in the program at all.
ROOMS = {
    "ada_url": ("renderer.citations.urls",),
    "rapidfuzz": ("renderer.citations.support",),
    "rcssmin": ("renderer.themes",),
    "rjsmin": ("renderer.themes",),
    "click": ("renderer.cli",),
    "jinja2": ("renderer.pages",),
    "latex2mathml": ("renderer.markdown.math",),
    "markupsafe": ("renderer.markdown", "renderer.pages"),
    "mistune": ("renderer.markdown",),
    "nh3": ("renderer.markdown",),
    "PIL": ("renderer.writers.fonts", "renderer.writers.picture"),
    "pygments": ("renderer.markdown.highlight",),
    "bs4": (),
}
MARKUP_ROOMS = ("renderer.markdown.sanitize", "renderer.pages")
READING_ROOMS = tuple(
    f"renderer.{part}"
    for part in ("cli", "readers", "resources", "themes", "i18n", "output", "staging", "archive.state")
)
# `readers._input` keeps what can be read only once, such as a pipe, in a temporary file; `archive.state` is a database.
WRITING_ROOMS = ("renderer.output", "renderer.staging", "renderer.archive.state", "renderer.readers._input")

_OPENING_FUNCTIONS = re.compile(
    r"tempfile\..*|((builtins|io|os|gzip|bz2|lzma|tarfile|codecs)\.)?open|os\.fdopen|io\.FileIO|gzip\.GzipFile|zipfile\.ZipFile"
)
_WRITING_FUNCTIONS = re.compile(
    r"sqlite3\.connect|shutil\..*|os\.(replace|rename|remove|unlink|mkdir|makedirs|rmdir|link|symlink)"
)
_OPENING_METHODS = frozenset({"open", "read_text", "read_bytes", "write_text", "write_bytes"})
_WRITING_METHODS = frozenset({"write_text", "write_bytes", "mkdir", "touch", "unlink", "rmdir", "rename"})
_UNSAFE_IN_TEMPLATES = re.compile(r"\|\s*safe\b|\bfilter\s+safe\b|\bautoescape\s+false\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Used:
    """A name as it is used somewhere: `name` with import aliases resolved, and the call's mode if it opens a file."""

    line: int
    name: str
    called: bool
    mode: str = ""


def violations(sources: Mapping[str, str]) -> list[str]:
    """Every departure of the program's sources, sorted."""
    found: set[str] = set()
    for module, text in sources.items():
        tree = ast.parse(text)
        for check in (_layers, _libraries, _markup, _files, _import_effects):
            found.update(f"{module}:{line}: {what}" for line, what in check(module, tree))
    return sorted(found)


def template_violations(templates: Mapping[str, str]) -> list[str]:
    """Every place where a template lets text through unescaped; `templates` is {name: text}."""
    return [
        f"{name}:{number}: lets text through unescaped"
        for name, text in templates.items()
        for number, line in enumerate(text.split("\n"), start=1)
        if _UNSAFE_IN_TEMPLATES.search(line)
    ]


def _layers(module: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    part = _part(module)
    if part not in _layer_of():
        yield 1, f"{part} is in no layer"
        return
    for line, target in _imports(module, tree):
        if target.split(".")[0] == "renderer" and not _may_import(part, _part(target)):
            yield line, f"imports {target}"
        if not target and part not in LAYERS[0]:
            yield line, "imports something that only a run can tell"


def _may_import(part: str, target: str) -> bool:
    layers = _layer_of()
    if target not in layers:
        return False
    if part == target or layers[part] < layers[target]:
        return True
    return layers[part] == layers[target] and "|" not in LAYERS[layers[part]]


def _layer_of() -> dict[str, int]:
    return {part: index for index, layer in enumerate(LAYERS) for part in layer.replace("|", " ").split()}


def _part(module: str) -> str:
    """The part of the program that a module belongs to: the second word of its name."""
    return [*module.split("."), "__init__"][1]


def _libraries(module: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    for line, target in _imports(module, tree):
        library = target.split(".")[0]
        if not library or library == "renderer" or library in sys.stdlib_module_names:
            continue
        if not _is_in(module, ROOMS.get(library, ())):
            yield line, f"imports {library}"


def _markup(module: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    if not _is_in(module, MARKUP_ROOMS):
        for used in _names(tree):
            if used.called and used.name.split(".")[-1] == "Markup":
                yield used.line, "makes Markup"


def _files(module: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    for used in _names(tree):
        if _opens(used) and not _is_in(module, READING_ROOMS):
            yield used.line, f"opens files: {used.name}"
        if _writes(used) and not _is_in(module, WRITING_ROOMS):
            yield used.line, f"writes to disk: {used.name}"


def _opens(used: _Used) -> bool:
    if _OPENING_FUNCTIONS.fullmatch(used.name):
        return used.called or "." in used.name
    return used.called and _method(used.name) in _OPENING_METHODS


def _writes(used: _Used) -> bool:
    if _WRITING_FUNCTIONS.fullmatch(used.name):
        return True
    if not used.called:
        return False
    return _method(used.name) in _WRITING_METHODS or (_opens(used) and not set(used.mode).isdisjoint("wax+"))


def _import_effects(module: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    for statement in tree.body:
        call = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
        if call or isinstance(statement, ast.For | ast.While | ast.With):
            yield statement.lineno, "does something on import"


def _is_in(module: str, rooms: tuple[str, ...]) -> bool:
    return any(module == room or module.startswith(f"{room}.") for room in rooms)


def _imports(module: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The line and full name of all that is imported, wherever it stands; "" for a name that only a run can tell."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(module, node.level, node.module or "")
            yield from ((node.lineno, _imported_from(base, alias.name)) for alias in node.names)
        elif isinstance(node, ast.Call) and _dotted(node.func, _aliases(tree)) in _IMPORT_CALLS:
            name = _leading_text(node.args[0]) if node.args else ""
            level = len(name) - len(name.lstrip("."))
            yield node.lineno, _absolute(module, level, name.lstrip("."))


_IMPORT_CALLS = frozenset({"importlib.import_module", "__import__"})


def _absolute(module: str, level: int, name: str) -> str:
    return f"{module.rsplit('.', level)[0]}.{name}".rstrip(".") if level else name


def _imported_from(base: str, name: str) -> str:
    """`from renderer import cli` imports a module, `from renderer import read` what `__init__` offers."""
    return f"{base}.{name}" if base == "renderer" and name in _layer_of() else base


def _leading_text(node: ast.expr) -> str:
    """The text that an expression begins with, as far as the source tells it."""
    if isinstance(node, ast.JoinedStr) and node.values:
        node = node.values[0]
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _names(tree: ast.Module) -> Iterator[_Used]:
    aliases = _aliases(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = _dotted(node.func, aliases)
            yield _Used(node.lineno, name, True, _mode(node, name))
        elif isinstance(node, ast.Name | ast.Attribute):
            yield _Used(node.lineno, _dotted(node, aliases), False)


def _aliases(tree: ast.Module) -> dict[str, str]:
    """The full names of what a module's imports bind."""
    aliases: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            aliases.update({alias.asname: alias.name for alias in node.names if alias.asname})
        elif isinstance(node, ast.ImportFrom) and not node.level:
            aliases.update({alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names})
    return aliases


def _dotted(node: ast.expr, aliases: Mapping[str, str]) -> str:
    """The name that an expression spells; "?" stands for a part that is no name."""
    if isinstance(node, ast.Name):
        return aliases.get(node.id, node.id)
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value, aliases)}.{node.attr}"
    return "?"


def _method(name: str) -> str:
    return name.rpartition(".")[2] if "." in name else ""


def _mode(call: ast.Call, name: str) -> str:
    """The mode of a call that opens a file: what follows the file, or comes first in the method of a path."""
    place = 1 if _OPENING_FUNCTIONS.fullmatch(name) else 0
    given = [*call.args[place : place + 1], *(word.value for word in call.keywords if word.arg == "mode")]
    return "".join(_leading_text(node) for node in given)
