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

_SUBJECTS_EN = [
    ("Field trial of 41 heat pumps", "In 41 old houses the pumps gave 3.1 units of heat for one of electricity."),
    ("Radiators and flow temperature", "With larger radiators a flow of 50 °C was enough on all but nine days."),
    ("Prices of installation 2026", "Installation cost between 14,000 and 23,000 euros, the median was 18,400."),
    ("What neighbours hear", "At three metres the fans were as loud as a quiet conversation, 42 decibels."),
    ("Subsidies in five countries", "Between a quarter and a half of the cost is paid back in four of the five."),
]
_SUBJECTS_ZH = [
    ("41 台热泵的实地测试", "在 41 栋旧住宅中，热泵每消耗一份电平均产生 3.1 份热。"),
    ("散热器与供水温度", "换用更大的散热器后，除九天外，50 °C 的供水温度已经足够。"),
    ("2026 年安装价格", "安装费用在 14,000 到 23,000 欧元之间，中位数为 18,400。"),
    ("邻居听到什么", "在三米处，风机的声音相当于轻声交谈，约 42 分贝。"),
    ("五国补贴", "五国中有四国返还四分之一到一半的费用。"),
]

_REPORT_EN = r"""## In short

Heat pumps work in older houses more often than is said: in the largest trial they gave **3.1 units of heat for each
unit of electricity**[^1^], and the coldest week was no exception[^6^]. What decides is the temperature of the water in
the radiators[^2^][^7^], not the age of the walls. Half of the houses needed two or three new radiators[^12^], few
needed more[^17^].

## What it costs

| House | Installed (€) | Heat per year | Saved a year (€) | Source |
| --- | ---: | ---: | ---: | :---: |
| Terrace, 1925 | 16,900 | 14,200 kWh | 610 | [^3^] |
| Detached, 1958 | 21,300 | 22,800 kWh | 940 | [^8^] |
| Flat roof, 1971 | 18,400 | 17,500 kWh | 780 | [^13^][^18^] |

Subsidies pay back between a quarter and a half[^5^][^10^]; two countries ask for an energy adviser first[^15^][^20^].

### What to ask before buying

1. Which flow temperature do the radiators need at −10 °C?
   - up to 50 °C: nothing else has to change[^2^]
   - above 55 °C: change the two worst rooms first[^12^]
2. Where will the fan stand? At three metres it is about as loud as a quiet conversation[^4^][^9^].

> The quiet surprise of the trial: nobody went back to gas[^11^].

- [x] heat load of each room
- [ ] offer from a second installer[^16^]

The efficiency is $\mathrm{COP} = \frac{Q}{W}$, and the payback of an investment $I$ that saves $s_t$ in year $t$ is the
smallest $n$ with

$$\sum_{t=1}^{n} \frac{s_t}{(1 + r)^t} \ge I$$

```python
def payback(cost: float, saved: float, rate: float = 0.03) -> int:
    "Years until the savings have paid for the pump."
    year, rest = 0, cost
    while rest > 0:
        year += 1
        rest -= saved / (1 + rate) ** year  # [^3^] in code stays as written
    return year
```

Prices are those of autumn 2026[^14^][^19^], without the loan[^m].

[^m]: With a loan at 4 % the payback is about three years longer.
"""

_REPORT_ZH = r"""## 结论

旧住宅装热泵，比通常所说的更可行：在规模最大的测试中，热泵**每消耗一份电产生 3.1 份热**[^1^]，最冷的
一周也不例外[^6^]。起决定作用的是散热器里的水温[^2^][^7^]，而不是墙的年龄。一半的住宅换了两三组
散热器[^12^]，**很少需要更多：**其余保持原样[^17^]。

## 费用

| 住宅 | 安装费（欧元） | 年供热量 | 每年节省 | 来源 |
| --- | ---: | ---: | ---: | :---: |
| 联排，1925 年 | 16,900 | 14,200 kWh | 610 | [^3^] |
| 独栋，1958 年 | 21,300 | 22,800 kWh | 940 | [^8^] |
| 平顶，1971 年 | 18,400 | 17,500 kWh | 780 | [^13^][^18^] |

补贴返还四分之一到一半[^5^][^10^]；其中两国要求先请能源顾问（energy adviser）[^15^][^20^]。

### 购买前要问的问题

1. 室外 −10 °C 时，散热器需要多高的供水温度？
   - 不超过 50 °C：其他都不用改[^2^]
   - 超过 55 °C：先改最冷的两个房间[^12^]
2. 风机放在哪里？三米外的声音相当于轻声交谈[^4^][^9^]。

> 测试中一个安静的意外：没有人换回燃气[^11^]。

能效为 $\mathrm{COP} = \frac{Q}{W}$；投资 $I$ 每年节省 $s_t$，回收期是满足下式的最小 $n$：

$$\sum_{t=1}^{n} \frac{s_t}{(1 + r)^t} \ge I$$

```python
def payback(cost: float, saved: float, rate: float = 0.03) -> int:
    "节省的钱多少年抵回成本"
    year, rest = 0, cost
    while rest > 0:
        year += 1
        rest -= saved / (1 + rate) ** year  # 代码里的 [^3^] 不变
    return year
```

价格为 2026 年秋季[^14^][^19^]，另一家安装商的报价见[^16^]。
"""


def _hits(subjects: list[tuple[str, str]]) -> list[Hit]:
    """Twenty results: each subject four times, from another host each time."""
    hosts = ("energy.example.org", "houses.example.net", "trial.example.edu", "prices.example.com")
    return [
        hit(f"https://{hosts[n // 5]}/{n + 1}", f"{title} ({n // 5 + 1})", text)
        for n in range(20)
        for title, text in [subjects[n % 5]]
    ]


REPORT_EN = _export(
    "Heat pumps in older houses: what they cost and what they save",
    question(1, "Do heat pumps work in older houses?\nI want costs in a table, and what to ask before buying."),
    search(2, *_hits(_SUBJECTS_EN), query="heat pumps older houses costs"),
    open_page_rows(4, "https://energy.example.org/1", "Field trial of 41 heat pumps", content=_SUBJECTS_EN[0][1]),
    answer(6, _REPORT_EN),
    question(7, "And in one sentence?"),
    answer(8, "Lower the water in the radiators to 50 °C, and an old house is as good as a new one."),
)

REPORT_ZH = _export(
    "旧住宅装热泵：花多少钱，省多少钱",
    question(1, "旧住宅适合装热泵吗？请把费用列成表，并说明购买前要问什么。"),
    search(2, *_hits(_SUBJECTS_ZH), query="旧住宅 热泵 费用"),
    answer(4, _REPORT_ZH),
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
