"""Conversations of the kinds that people share, to look at and to try: short and long, Chinese and English."""

from __future__ import annotations

from tests.pages.making import Hit, Row, answer, hit, open_page_rows, question, search
from tests.readers.making import encoded, header, jsonl
from tests.retrieval.making import CONTRACT

_MINUTES = 60


def _timed(rows: list[Row]) -> list[Row]:
    """The rows with a time each, 20 seconds apart."""
    for place, row in enumerate(rows):
        minute, second = divmod(20 * place, _MINUTES)
        row["createdAt"] = f"2026-10-{7 + minute // 600:02}T{9 + minute // 60 % 10:02}:{minute % 60:02}:{second:02}"
    return rows


def _export(title: str, *parts: Row | list[Row]) -> bytes:
    rows = _timed([row for part in parts for row in (part if isinstance(part, list) else [part])])
    return jsonl(header(title=title, agentName="Research agent", createdAt="2026-10-07T09:00:00"), *rows)


# --- One short answer ------------------------------------------------------------------------------------------

SHORT_EN = _export(
    "Grant deadline",
    question(1, "When is the application deadline this year?"),
    search(
        2,
        hit("https://grants.example.gov/notices/17", "Notice on the deadline", "Calls close on 30 November 2026."),
        hit("https://calendar.example.org/2026", "Grant calendar 2026", "The call of the fund ends in November."),
    ),
    answer(4, "Applications close on **30 November 2026**[^1^]; the calendar gives the month alone[^2^]."),
)

SHORT_ZH = _export(
    "申报截止时间",
    question(1, "今年的申报什么时候截止？"),
    search(
        2,
        hit("https://gov.example.cn/notice/17", "关于调整截止时间的通知", "申报截止时间调整为 11 月 30 日。"),
        hit("https://policy.example.cn/guide", "2026 年度申报指南（修订）", "一律通过系统提交，不再接收纸质件。"),
    ),
    answer(4, "截止时间是 **2026 年 11 月 30 日**[^1^]。材料须在系统内提交，**注意：**纸质件不再接收[^2^]。"),
)

# --- A long report with everything -----------------------------------------------------------------------------

_MATH_AND_CODE = r"""
The share of the fund is $s = \frac{g}{c}$, and over $n$ years it is worth

$$V = \sum_{t=1}^{n} \frac{s \cdot c}{(1 + r)^t}$$

```python
def days_left(today: date) -> int:
    "Days until the call closes."
    return (date(2026, 11, 30) - today).days  # [^1^] stays as written
```

```diff
- deadline: 15 November
+ deadline: 30 November
```
"""


def _hits(name: str) -> list[Hit]:
    return [
        hit(f"https://s{n}.example.org/{n}", f"{name} {n}", f"The fund pays {n} of 20 parts; see section {n}.")
        for n in range(1, 21)
    ]


def _cited(sentence: str) -> str:
    return " ".join(f"{sentence.format(n=n)}[^{n}^]." for n in range(1, 21))


def _table(heads: str, remark: str) -> str:
    lines = [f"| {heads} |", "| --- | ---: | ---: | :---: | --- |"]
    lines += [f"| {2016 + n} | {12.5 + n} | {300 + 7 * n} | {40 + n}% | {remark}[^{n + 1}^] |" for n in range(10)]
    return "\n".join(lines) + "\n"


REPORT_EN = _export(
    "How the research fund pays, and what changes in 2026",
    question(1, "Write a report on the fund: who is paid, how much, and what changes?\nKeep the numbers in tables."),
    search(2, *_hits("Report")),
    open_page_rows(4, "https://s1.example.org/1", "Report 1", content="The fund pays 1 of 20 parts. " * 20),
    answer(
        6,
        "## Summary\n\n"
        + _cited("Part {n} of the fund pays for travel, staff and machines")
        + "\n\n## Numbers\n\n"
        + _table("Year | Paid (million €) | Projects | Share of staff | Remarks", "as in the plan")
        + "\n### What changes\n\n1. The deadline moves.\n   - Two weeks later[^1^]\n   - At 17:00\n"
        + "2. Paper is gone[^2^].\n\n"
        + "> Names must match the passport exactly.\n\n- [x] budget\n- [ ] letters of support\n"
        + _MATH_AND_CODE
        + "\nA note on method[^m].\n\n[^m]: All amounts are in euros of 2026.\n",
    ),
    question(7, "And in one sentence?"),
    answer(8, "The fund pays later, and online only."),
)

REPORT_ZH = _export(
    "科研基金如何拨款，2026 年有哪些变化",
    question(1, "写一份关于基金的报告：拨给谁、拨多少、有什么变化？"),
    search(2, *_hits("报告")),
    answer(
        4,
        "## 摘要\n\n"
        + "".join(f"基金第 {n} 部分用于差旅、人员和 machines 设备[^{n}^]。" for n in range(1, 21))
        + "\n\n## 数据\n\n"
        + _table("年份 | 拨款（百万元） | 项目数 | 人员占比 | 备注", "与计划一致")
        + "\n### 有哪些变化\n\n1. 截止时间推迟。\n   - 推迟两周[^1^]\n   - 17:00 截止\n"
        + "2. **不再接收纸质件**[^2^]。\n\n> 姓名须与护照完全一致。\n"
        + _MATH_AND_CODE,
    ),
)

# --- A session of 300 messages ---------------------------------------------------------------------------------


def session(rounds: int) -> bytes:
    """A session of many short rounds; round `n` has the rows 10n, a search, and 10n + 3."""
    parts: list[Row | list[Row]] = []
    for n in range(1, rounds + 1):
        at = 10 * n
        said = f"Paragraph {n} asks for {n} copies."
        parts += [
            question(at, f"Step {n}: what does paragraph {n} of the guide say, and does the plan agree with it?"),
            search(at + 1, hit(f"https://guide.example.org/{n}", f"Guide, paragraph {n}", said)),
            answer(at + 3, f"{said[:-1]}[^1^].\n\n" + f"The plan agrees with it in point {n}. " * (n % 7)),
        ]
    return _export("Reading the guide paragraph by paragraph", *parts)


SESSION = session(75)

CONVERSATIONS: dict[str, bytes] = {
    "short-en": SHORT_EN,
    "short-zh": SHORT_ZH,
    "report-en": REPORT_EN,
    "report-zh": REPORT_ZH,
    "session": SESSION,
    "retrieval-zh": encoded(CONTRACT),
}
