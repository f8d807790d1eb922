"""Decoding never fails but in the one way that it promises, and changes no string."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from renderer.readers._records import (
    BadJson,
    Decoded,
    as_count,
    as_id,
    as_list,
    as_many,
    as_object,
    as_text,
    decode_json,
    parse_time,
    shown,
)

SHANGHAI = timezone(timedelta(hours=8))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "it is empty"),
        (b"  \t", "it is empty"),
        (b"\0\0\0", "it holds nothing but NUL bytes"),
        (b"hello", "it is no JSON (column 1)"),
        (b'{"a":1} {"b":2}', "it is no JSON (column 9)"),
        (b'{"a":"b', "its JSON is cut off"),
        (b'{"a":1', "its JSON is cut off"),
        (b'{"a":', "its JSON is cut off"),
        (b"[NaN]", "it holds NaN, which is no JSON number"),
        (b"[-Infinity]", "it holds -Infinity, which is no JSON number"),
        (b"1e999", "it holds a number that is too large"),
        (b"9" * 5000, "it holds a number of too many digits"),
        (b"[" * 100_000, "its lists and objects are nested too deep"),
        (b"[" * 100_000 + b"]" * 100_000, "its lists and objects are nested too deep"),
        (b'{"a":' * 100_000, "its lists and objects are nested too deep"),
        (b"[" * 201 + b"]" * 201, "its lists and objects are nested too deep"),
        (b'{"a":' * 201 + b"1" + b"}" * 201, "its lists and objects are nested too deep"),
    ],
)
def test_what_is_no_json_says_why(data: bytes, why: str) -> None:
    """Everything that is no JSON is a BadJson with a reason for people."""
    with pytest.raises(BadJson) as error:
        decode_json(data)
    assert str(error.value) == why


def test_bad_json_knows_its_place() -> None:
    """Broken JSON is told by line and column."""
    with pytest.raises(BadJson) as error:
        decode_json('{\n "a": x}')
    assert (error.value.line, error.value.column) == (2, 7)


def test_nesting_up_to_two_hundred_is_read() -> None:
    """A value of 200 levels is read, and brackets inside strings count for nothing."""
    decode_json("[" * 200 + "]" * 200)
    assert decode_json('["' + "[" * 1000 + '"]').value == ["[" * 1000]


def test_bytes_that_are_no_utf_8_are_repaired_and_flagged() -> None:
    """Bytes that are no UTF-8 become the replacement character, and the caller is told."""
    assert decode_json(b'"a\xff"') == Decoded("a�", repaired=True)
    assert decode_json('"a�"'.encode()) == Decoded("a�", repaired=False)


def test_strings_are_kept_as_they_are() -> None:
    """Control characters, lone surrogates, noncharacters and spaces come out as they went in."""
    assert decode_json(b'" \\ud800\\u0000\\ufdd0 \x01\t "').value == " \ud800\x00\ufdd0 \x01\t "


def test_a_byte_order_mark_is_no_fault() -> None:
    """A byte order mark before JSON is passed over."""
    assert decode_json(b"\xef\xbb\xbf[1]").value == decode_json("\ufeff[1]").value == [1]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"a": 1}, {"a": 1}),
        ('{"a": 1}', {"a": 1}),
        (' {"a": 1} ', {"a": 1}),
        ("[1]", None),
        ("{broken", None),
        ("text", None),
        ("", None),
        (None, None),
        ([1], None),
        (7, None),
        ('"{}"', None),
    ],
)
def test_an_object_or_a_string_that_holds_one(value: object, expected: object) -> None:
    """An object is found as it is or as a string of JSON, one level deep."""
    assert as_object(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([1], [1]),
        ("[1]", [1]),
        ("[]", []),
        ("{}", None),
        ("[oops", None),
        ("[" * 100_000, None),
        ("text", None),
        (None, None),
        (True, None),
    ],
)
def test_a_list_or_a_string_that_holds_one(value: object, expected: object) -> None:
    """A list is found as it is or as a string of JSON."""
    assert as_list(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, []),
        ("", []),
        ("[1]", [1]),
        ([1], [1]),
        ('{"a":1}', [{"a": 1}]),
        ({}, [{}]),
        ("text", ["text"]),
        (0, [0]),
    ],
)
def test_one_thing_counts_as_a_list_of_one(value: object, expected: object) -> None:
    """What should be a list and is not is one item, so that it is not lost."""
    assert as_many(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1001, "1001"),
        ("1001", "1001"),
        (1001.0, "1001"),
        (1.5, "1.5"),
        (-3, "-3"),
        (0, "0"),
        ("a b", "a b"),
        ("", None),
        (True, None),
        (False, None),
        (None, None),
        ([], None),
        ({}, None),
    ],
)
def test_ids_are_strings(value: object, expected: str | None) -> None:
    """Numbers and strings are ids; true, false, null, lists and objects are none."""
    assert as_id(value) == expected


def test_counts_are_whole_numbers() -> None:
    """Only whole numbers count, and true is no number."""
    assert [as_count(value) for value in (3, True, 3.0, "3", None)] == [3, None, None, None, None]


def test_any_value_has_a_text() -> None:
    """A value that is no string is shown as JSON, null as nothing."""
    assert [as_text(value) for value in ("a", None, 1, {"ä": ["\ud800"]})] == ["a", "", "1", '{"ä": ["\ud800"]}']


NINE = datetime(2026, 10, 7, 9, 0, 17, tzinfo=SHANGHAI)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-10-07T09:00:17", NINE),
        ("2026-10-07 09:00:17", NINE),
        (" 2026-10-07 09:00:17\n", NINE),
        ("2026-10-07T09:00", NINE.replace(second=0)),
        ("2026-10-07T09:00:17.5", NINE.replace(microsecond=500_000)),
        ("2026-10-07T09:00:17.123456789", NINE.replace(microsecond=123_456)),
        ("2026-10-07T09:00:17Z", datetime(2026, 10, 7, 9, 0, 17, tzinfo=UTC)),
        ("2026-10-07T01:00:17+00:00", NINE),
        ("2026-10-06 23:30:17 -0130", NINE),
        (1_791_334_817, NINE),
        (1_791_334_817_000, NINE),
        (1_791_334_817.5, NINE.replace(microsecond=500_000)),
        (-1, datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)),
        (0, datetime(1970, 1, 1, tzinfo=UTC)),
    ],
)
def test_times_are_read(value: object, expected: datetime) -> None:
    """Clock times are those of the zone, offsets are honoured, numbers are seconds or milliseconds."""
    moment = parse_time(value, SHANGHAI)
    assert moment == expected
    assert moment is not None
    assert moment.tzinfo is not None


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        False,
        "",
        "yesterday",
        "2026-10-07",
        "2026-13-01T00:00:00",
        "2026-10-07T24:61:00",
        "2026-10-07T09:00:17+99:99",
        "10000-01-01T00:00:00",
        "9999-12-31T23:59:59",
        "0001-01-01T00:00:00+14:00",
        "٢٠٢٦-10-07T09:00:17",
        float("nan"),
        float("inf"),
        float("-inf"),
        1e18,
        -1e18,
        10**400,
        253_402_300_800_000,
        [],
        {},
        ["2026-10-07T09:00:17"],
    ],
)
def test_what_is_no_time_is_none(value: object) -> None:
    """Nothing that is no time raises, and none of it becomes a time that a page could not show."""
    assert parse_time(value, ZoneInfo("Asia/Shanghai")) is None


def test_values_in_messages_are_one_short_line() -> None:
    """What a file holds is cut and stripped of control characters before it stands in a message."""
    assert shown("a\nb\x1b[31m\ud800") == "a�b�[31m�"
    assert shown("x" * 70) == "x" * 60 + "…"
    assert shown({"a": 1}) == '{"a": 1}'
