"""The tool calls of a round: one line that says how many, which and how long, and the list behind it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from datetime import timedelta

from renderer.citations.registry import results_of_call
from renderer.citations.tools import Tools, tools_of
from renderer.citations.urls import parse_address
from renderer.i18n import Catalog
from renderer.model import Registry, RegistryEntry, Round, ToolCall, ToolResult
from renderer.options import Options
from renderer.pages.language import language_of_quote
from renderer.pages.views import ResultView, StepsView, StepView

# Tools that the upstream platform keeps to itself: its own page does not list them either.
INTERNAL_TOOLS = frozenset({"todo", "task_create", "task_update", "task_list", "task_delete"})

# Arguments that say what a search looked for or which page was opened, and how many other tools are named.
_TELLING = ("query", "q", "url")
_NAMED = 3


def steps_view(round_: Round, registry: Registry, options: Options, catalog: Catalog) -> StepsView | None:
    """The steps of a round; None when there are none to show or they are not wanted."""
    blocks = [block for message in round_.messages for block in message.blocks]
    calls = [b for b in blocks if isinstance(b, ToolCall) and b.name not in INTERNAL_TOOLS]
    if not calls or options.steps == "hidden":
        return None
    tools = tools_of(round_.messages, options.tools)
    results = {b.call_id: b for b in blocks if isinstance(b, ToolResult) and b.call_id is not None}
    first = {call.id: call for call in reversed(calls) if call.id is not None}
    shown = {call_id: [e for e in registry if e.call_id == call_id] for call_id in first}
    full = options.steps == "full"
    items = tuple(
        # A result is listed once, at the first call of its id.
        _step(
            call,
            _outcome(call, results.get(call.id or ""), tools, catalog),
            shown[call.id] if call.id and first[call.id] is call else [],
            _arguments_text(call) if full else "",
            tools,
            catalog,
        )
        for call in calls
    )
    return StepsView(_summary(calls, tools, _duration(round_), catalog), full, items)


def _summary(calls: list[ToolCall], tools: Tools, duration: timedelta | None, catalog: Catalog) -> str:
    opens = sum(call.name in tools and tools[call.name].opens for call in calls)
    searches = sum(call.name in tools for call in calls) - opens
    others = Counter(call.name for call in calls if call.name not in tools).most_common()
    phrases: list[tuple[str, int, dict[str, str]]] = [("searched", searches, {}), ("opened", opens, {})]
    phrases += [("used", count, {"tools": name}) for name, count in others[:_NAMED]]
    phrases.append(("used", sum(count for _, count in others[_NAMED:]), {"tools": "…"}))
    said: list[str] = []
    for key, count, names in phrases:
        if count:
            said.append(catalog.say(f"{key}_inside" if said else key, n=count, **names))
    line = catalog.say("list_comma").join(said)
    return f"{line} · {catalog.duration(duration)}" if duration is not None else line


def _duration(round_: Round) -> timedelta | None:
    """From the question to the last message of the round that has a time."""
    start = round_.question.created_at if round_.question else None
    ends = [message.created_at for message in round_.messages if message.created_at is not None]
    if start is None or not ends or ends[-1] < start:
        return None
    return ends[-1] - start


def _step(
    call: ToolCall,
    outcome: tuple[str, bool],
    entries: list[RegistryEntry],
    arguments: str,
    tools: Tools,
    catalog: Catalog,
) -> StepView:
    tool = tools.get(call.name)
    what = "step_other" if tool is None else "step_open" if tool.opens else "step_search"
    note, failed = outcome
    return StepView(
        what=catalog.say(what, tool=call.name),
        argument=_argument(call) if tool else call.summary,
        note=note,
        failed=failed,
        results=tuple(_result(entry, catalog) for entry in entries),
        arguments=arguments,
    )


def _argument(call: ToolCall) -> str:
    """What a search looked for or which page was opened. Arguments of other tools are not for everyone to see."""
    arguments = call.arguments if isinstance(call.arguments, Mapping) else {}
    return next((value for key in _TELLING if isinstance(value := arguments.get(key), str) and value), call.summary)


def _outcome(call: ToolCall, result: ToolResult | None, tools: Tools, catalog: Catalog) -> tuple[str, bool]:
    if result is None:
        return catalog.say("step_no_answer"), False
    if call.name not in tools:
        return "", False
    found = results_of_call(call, result, tools)
    if found is None:
        return catalog.say("step_failed"), True
    return ("" if tools[call.name].opens else catalog.say("step_results", n=len(found))), False


def _result(entry: RegistryEntry, catalog: Catalog) -> ResultView:
    address = parse_address(entry.url)
    title = " ".join(entry.title.split()) or (address.host + address.path if address else entry.url)
    href, host = (address.href, address.host) if address else (None, "")
    return ResultView(entry.n, title, href, host, language_of_quote(title, catalog.lang))


def _arguments_text(call: ToolCall) -> str:
    if isinstance(call.arguments, str):
        return call.arguments
    return json.dumps(call.arguments, ensure_ascii=False, indent=2, default=str) if call.arguments else ""
