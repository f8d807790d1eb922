"""The audit of retrieval answers: rates, unused sources and shared wording (second design, §4 and §8)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from renderer import audit, validate_citations
from tests.readers.making import encoded, the_one
from tests.retrieval.making import (
    CONTRACT,
    CONTRACT_JSON,
    Record,
    cited,
    lines_of,
    page,
    removed,
    saved,
    source,
    sources,
)
from tests.writers.running import Citepage

CLAUSE = "任何一方违约，应支付合同总额 5% 的违约金。"
RIGHT = cited("违约方应支付合同总额 5% 的违约金[1]。", source(1, CLAUSE))
WRONG_NUMBER = cited("违约方应支付合同总额 6% 的违约金[1]。", source(1, CLAUSE))
UNRELATED = cited("天气预报说明天下雨[1]。", source(1, CLAUSE))
NO_PASSAGE = cited("违约金比例是 5%[1]。", source(1, ""))
REFUSAL = cited("资料中未提及。", source(1, CLAUSE))


@pytest.fixture
def audited(citepage: Citepage) -> Any:
    """Runs the audit over one file of these answers and gives the JSON."""

    def run(*records: Record, options: tuple[str, ...] = ()) -> Any:
        result = citepage("audit", "-", "--json", *options, stdin=lines_of(*records))
        assert (result.code, result.err) == (0, "")
        return json.loads(result.out)

    return run


def only(report: Any) -> Any:
    """The one answer of a report."""
    (item,) = report["inputs"]
    (conversation,) = item["conversations"]
    (answer,) = conversation["answers"]
    return answer


# --- The metrics -----------------------------------------------------------------------------------------------


def test_the_documents_example(citepage: Citepage) -> None:
    """Both markers of the example are kept, both sources stand with it, and its one sentence is a cited claim."""
    report = json.loads(citepage("audit", "-", "--json", stdin=CONTRACT_JSON.encode()).out)
    assert report["version"] == 1
    assert report["inputs"][0]["format"] == "rag-answer"
    answer = only(report)
    assert (answer["markers"], answer["removed"], answer["unused"]) == (2, [], [])
    assert (answer["claims"], answer["cited_claims"]) == (1, 1)
    assert answer["citations"] == [
        {"n": 1, "k": 1, "url": "/docs/doc_123?page=7#sec-3.2", "title": "采购合同_v3.pdf", "verdict": "returned"},
        {"n": 2, "k": 2, "url": "/docs/doc_123?page=12#sec-8.1", "title": "采购合同_v3.pdf", "verdict": "returned"},
    ]
    assert report["totals"] == {
        "answers": 1,
        "answers_with_citations": 1,
        "markers": 2,
        "kept": 2,
        "removed": 0,
        "validity_rate": 1.0,
        "citation_rate": 1.0,
    }


def test_made_up_numbers_lower_the_validity(audited: Any) -> None:
    """The rate of valid numbers is kept by all: here two of four; each removed one is listed with its reason."""
    report = audited(cited("a[1] b[7] c[8] d[2]", *sources(2)))
    assert report["totals"]["validity_rate"] == 0.5
    assert only(report)["removed"] == [
        {"marker": "[7]", "reason": "no-source"},
        {"marker": "[8]", "reason": "no-source"},
    ]


@pytest.mark.parametrize(
    ("text", "markers", "lost"),
    [
        ("a[5-9]", 1, ["[5-9]"]),
        ("a[1-3]", 1, []),
        ("a[1,2] b[3]", 2, []),
        ("a[1,9] b[2]", 2, ["[1,9]"]),
        ("a[5-9] b[5-9] c[1][2]", 4, ["[5-9]", "[5-9]"]),
        ("a[1-999]", 1, ["[1-999]"]),
    ],
)
def test_a_marker_is_what_the_model_wrote(audited: Any, text: str, markers: int, lost: list[str]) -> None:
    """`[5-9]` is one marker; it is removed when any of its numbers is, listed once, and counted so on the page too."""
    answer = cited(text, *sources(3))
    report = audited(answer)
    assert only(report)["markers"] == markers
    assert [removal["marker"] for removal in only(report)["removed"]] == lost
    assert report["totals"]["validity_rate"] == (markers - len(lost)) / markers
    assert removed(page(answer)) == len(lost)
    assert validate_citations(text, 3).valid == (not lost)


def test_the_citation_rate_counts_claims(audited: Any) -> None:
    """Of three sentences that claim something two carry a citation."""
    report = audited(cited("违约金比例是 5%[1]。交付期限为三十日[1]。天气很好。", source(1, CLAUSE)))
    assert (only(report)["claims"], only(report)["cited_claims"]) == (3, 2)
    assert report["totals"]["citation_rate"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    "refusal",
    ["资料中未提及。", "资料中未提及交付期限。", "The material does not mention this.", "上下文中没有相关信息。"],
)
def test_a_refusal_is_no_claim(audited: Any, refusal: str) -> None:
    """Who says that the material has no answer claims nothing, and is not blamed for citing nothing."""
    report = audited(cited(refusal, source(1, CLAUSE)))
    assert only(report)["claims"] == 0
    assert report["totals"]["citation_rate"] is None


def test_rates_of_nothing_are_null(audited: Any) -> None:
    """Without a marker there is no rate of valid ones."""
    assert audited(REFUSAL)["totals"]["validity_rate"] is None


@pytest.mark.parametrize(
    ("text", "unused"),
    [("a[1] b[2] c[3]", []), ("a[2]", [1, 3]), ("nothing", [1, 2, 3]), ("a[1-3]", []), ("a[1,3]", [2])],
)
def test_unused_sources_are_listed(audited: Any, text: str, unused: list[int]) -> None:
    """A source that was given and that nothing cites is listed by its number, as the document's check does."""
    assert only(audited(cited(text, *sources(3))))["unused"] == unused


def test_many_files_are_one_report(citepage: Citepage, tmp_path: Path) -> None:
    """Totals are over all answers of all files."""
    names = [saved(tmp_path, f"{n}.jsonl", lines_of(CONTRACT, REFUSAL)).name for n in range(30)]
    report = json.loads(citepage("audit", *names, "--json").out)
    assert [item["path"] for item in report["inputs"]] == names
    assert report["totals"]["answers"] == 60
    assert report["totals"]["markers"] == 60
    assert report["totals"]["citation_rate"] == 1.0


def test_strict_fails_where_a_number_was_made_up(citepage: Citepage) -> None:
    """--strict exits 1 when any marker was removed, and 0 when none was."""
    assert citepage("audit", "-", "--strict", stdin=encoded(CONTRACT)).code == 0
    assert citepage("audit", "-", "--strict", stdin=encoded(cited("a[7]", *sources(2)))).code == 1


def test_python_gives_the_same_report() -> None:
    """`audit(conversation)` counts as the command does."""
    totals = audit(the_one(lines_of(CONTRACT, cited("a[7] b[1]", *sources(2))))).totals
    assert (totals.answers, totals.markers, totals.kept, totals.removed) == (2, 4, 3, 1)
    assert totals.validity_rate == 0.75


# --- Shared wording --------------------------------------------------------------------------------------------


def test_support_names_a_number_of_the_claims_own(audited: Any) -> None:
    """A claim with a number that the cited passage has not is found by that number."""
    (support,) = only(audited(WRONG_NUMBER, options=("--support",)))["support"]
    assert support["numbers"] == ["6%"]
    assert support["claim"] == "违约方应支付合同总额 6% 的违约金"
    assert support["k"] == [1]


def test_support_is_a_score_of_wording(audited: Any) -> None:
    """What rests on its passage scores higher than what has nothing of it; without a passage there is no score."""
    scores = [
        only(audited(record, options=("--support",)))["support"][0]["shared_wording"]
        for record in (RIGHT, UNRELATED, NO_PASSAGE)
    ]
    assert 60 <= scores[0] <= 100
    assert scores[1] == 0
    assert scores[2] is None


def test_each_citation_of_a_sentence_is_compared_for_itself(audited: Any) -> None:
    """A sentence that cites two sources for its two halves is two claims."""
    support = only(audited(CONTRACT, options=("--support",)))["support"]
    assert [(claim["claim"], claim["k"]) for claim in support] == [
        ("违约金比例是 5%", [1]),
        ("争议解决地为上海", [2]),
    ]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("| what | rate | source |\n|---|---|---|\n| penalty[1] | 5% | [1] |", [("penalty", [1]), ("5%", [1])]),
        ("| source | what |\n|---|---|\n| [1] | penalty of 5% |", [("penalty of 5%", [1])]),
        ("| what | source |\n|---|---|\n| penalty[1] | [2] |", [("penalty", [1]), ("penalty", [2])]),
        ("The penalty is 5% [1] [2].", [("The penalty is 5%", [1]), ("The penalty is 5%", [2])]),
        ("[1] The penalty is 5%.", [("The penalty is 5%.", [1])]),
        ("[1]", []),
    ],
)
def test_citations_without_words_share_those_around(audited: Any, text: str, claims: list[Any]) -> None:
    """No claim is empty: a cell that holds only a marker is for the words of its row."""
    support = only(audited(cited(text, source(1, CLAUSE), source(2, CLAUSE)), options=("--support",)))["support"]
    assert [(claim["claim"], claim["k"]) for claim in support] == claims


def test_numbers_in_formulas_are_not_compared(audited: Any) -> None:
    """A formula is no wording: what is computed in it need not stand in a passage."""
    record = cited("The penalty is 5%, by $x^{2} = 144$[1].", source(1, "The penalty is 5%."))
    (support,) = only(audited(record, options=("--support",)))["support"]
    assert support["numbers"] == []


def test_support_is_only_given_when_asked_for(audited: Any) -> None:
    """Without --support the report is what the contract says, and nothing is compared."""
    assert "support" not in only(audited(RIGHT))


@pytest.mark.parametrize("record", [REFUSAL, cited("天气很好。", source(1, CLAUSE)), cited("x[7]", source(1, CLAUSE))])
def test_support_of_no_claim_is_an_empty_list(audited: Any, record: Record) -> None:
    """Whoever asks for it finds the key, also where no sentence cites a source."""
    assert only(audited(record, options=("--support",)))["support"] == []


@pytest.mark.parametrize(
    ("threshold", "listed"),
    [
        ("0", [[], ["numbers"], [], ["no-passage"]]),
        ("1", [[], ["numbers"], ["shared-wording"], ["no-passage"]]),
        ("60", [[], ["numbers"], ["shared-wording"], ["no-passage"]]),
        ("100", [["shared-wording"], ["shared-wording", "numbers"], ["shared-wording"], ["no-passage"]]),
    ],
)
def test_the_json_says_what_the_table_lists(audited: Any, threshold: str, listed: list[list[str]]) -> None:
    """--threshold chooses in the JSON too: each claim has the reasons for which the table lists it."""
    records = (RIGHT, WRONG_NUMBER, UNRELATED, NO_PASSAGE)
    report = audited(*records, options=("--support", "--threshold", threshold))
    (conversation,) = report["inputs"][0]["conversations"]
    assert [claim["listed"] for answer in conversation["answers"] for claim in answer["support"]] == listed


def test_the_table_lists_what_shares_little(citepage: Citepage) -> None:
    """The table names claims under the threshold and numbers of their own, and says nothing of the others."""
    data = lines_of(RIGHT, WRONG_NUMBER, UNRELATED, NO_PASSAGE)
    lines = citepage("audit", "-", "--support", stdin=data).out.decode().splitlines()
    about = [line.strip() for line in lines if line.startswith("    ")]
    assert len(about) == 3
    assert re.fullmatch(r"shared wording \d+; in no cited passage: 6%: 违约方应支付合同总额 6% 的违约金", about[0])
    assert about[1] == "shared wording 0: 天气预报说明天下雨"
    assert about[2] == "no passage to compare: 违约金比例是 5%"


def test_the_threshold_can_be_chosen(citepage: Citepage) -> None:
    """--threshold 0 lists only numbers and what cannot be compared, --threshold 100 whatever is not word for word."""

    def listed(threshold: str) -> int:
        data = lines_of(CONTRACT, UNRELATED)
        run = citepage("audit", "-", "--support", "--threshold", threshold, stdin=data)
        return run.out.decode().count("shared wording")

    assert listed("0") == 0
    assert listed("1") == 1
    assert listed("100") == 3
    assert citepage("audit", "-", "--support", "--threshold", "101", stdin=lines_of(CONTRACT)).code == 2


def test_it_is_never_called_truth(citepage: Citepage) -> None:
    """It is shared wording: no word of the table, of the JSON or of the help says that a claim is true or proved."""
    data = lines_of(RIGHT, WRONG_NUMBER, UNRELATED, NO_PASSAGE)
    said = [
        citepage("audit", "--help").out,
        citepage("audit", "-", "--support", "--threshold", "100", stdin=data).out,
        citepage("audit", "-", "--support", "--json", stdin=data).out,
    ]
    text = b"\n".join(said).decode().lower()
    assert "shared wording" in text
    assert (
        re.findall(r"\b(?:true|truth|truthful|correct|proven|proved|proof|verified|facts?|supported by)\b", text) == []
    )
