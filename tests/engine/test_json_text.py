"""One member of a JSON object changed, and every other byte left as it was."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.writers.json_text import member_text, with_member


@pytest.mark.parametrize(
    ("text", "after"),
    [
        pytest.param("{}", '{"k":7}', id="an empty object"),
        pytest.param(" {  } ", ' {  "k":7} ', id="an empty object with blanks"),
        pytest.param('{"a":1}', '{"a":1,"k":7}', id="a new member goes to the end"),
        pytest.param('{ "a" : 1.50 }\r\n', '{ "a" : 1.50,"k":7 }\r\n', id="numbers and blanks stay"),
        pytest.param('{"k":1}', '{"k":7}', id="the only member"),
        pytest.param('{"k" : {"k":1} , "b":2}', '{"k" : 7 , "b":2}', id="the first member"),
        pytest.param('{"a":1,"k":[1,[2]]}', '{"a":1,"k":7}', id="the last member"),
        pytest.param('{"k":1,"k":2}', '{"k":1,"k":7}', id="of two the last one, which counts"),
        pytest.param('{"a":{"k":1}}', '{"a":{"k":1},"k":7}', id="a member deeper down is another one"),
        pytest.param('{"a":"\\"k\\":1"}', '{"a":"\\"k\\":1","k":7}', id="a string that looks like one"),
        pytest.param('{"\\u006b":1}', '{"\\u006b":7}', id="a key written with an escape"),
        pytest.param('{"a":"x\ty\u2028"}', '{"a":"x\ty\u2028","k":7}', id="control characters in a string"),
        pytest.param('{"a":1}{"k":1}', '{"a":1,"k":7}{"k":1}', id="what follows the object stays"),
    ],
)
def test_a_member_is_set(text: str, after: str) -> None:
    """The member is set where it stands, else at the end; nothing else is written anew."""
    assert with_member(text, "k", "7") == after


@pytest.mark.parametrize(
    ("text", "after"),
    [
        pytest.param("{}", "{}", id="an empty object"),
        pytest.param('{ "a" : 1.50 }', '{ "a" : 1.50 }', id="a member that is not there"),
        pytest.param('{"k":1}', "{}", id="the only member"),
        pytest.param('{ "k" : 1 }', "{  }", id="the only member, with blanks"),
        pytest.param('{"k":1,"b":2}', '{"b":2}', id="the first member"),
        pytest.param('{"k":1 , "b":2}', '{"b":2}', id="the first member, with blanks"),
        pytest.param('{"a":1,"k":[1,{"k":2}]}', '{"a":1}', id="the last member"),
        pytest.param('{"a":1 , "k":2 , "b":1.50}', '{"a":1  , "b":1.50}', id="a member between, with blanks"),
        pytest.param('{"k":1,"k":2}', "{}", id="both of two"),
        pytest.param('{"k":1,"a":2,"k":3,"b":4,"k":5}', '{"a":2,"b":4}', id="every one of three"),
        pytest.param('{"a":{"k":1}}', '{"a":{"k":1}}', id="not the one deeper down"),
    ],
)
def test_a_member_is_taken_away(text: str, after: str) -> None:
    """The member goes with one comma, every time that it is there; the rest stays."""
    assert with_member(text, "k", None) == after


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param('{"a":1,"k":1.50}', "1.50", id="a number as written"),
        pytest.param('{"k" :  [ 1 ] , "b":2}', "[ 1 ]", id="blanks inside, none around"),
        pytest.param('{"k":"\\u00e9"}', '"\\u00e9"', id="an escape as written"),
        pytest.param('{"k":1,"k":2}', "2", id="of two the last one, which counts"),
    ],
)
def test_a_member_is_found_as_it_is_written(text: str, value: str) -> None:
    """The text of a member is a piece of the object's text, not a new one."""
    assert member_text(text, "k") == value


def test_a_member_that_is_not_there_has_no_text() -> None:
    """Asking for a member that there is not raises KeyError."""
    with pytest.raises(KeyError):
        member_text('{"a":{"k":1}}', "k")


@pytest.mark.parametrize("text", ["", "  ", "[]", "1", "null", '"k"', "{", '{"a"}', '{"a":1', '{"a":1 "b":2}', "{1:2}"])
def test_what_is_no_object_is_refused(text: str) -> None:
    """Text that is no JSON object raises ValueError and is not guessed at."""
    with pytest.raises(ValueError, match=r"."):
        with_member(text, "k", "7")
    with pytest.raises(ValueError, match=r"."):
        member_text(text, "k")


# --- Any object ------------------------------------------------------------------------------------------------

_BLANKS = st.sampled_from(["", " ", "\n", "\t ", "  "])
_VALUES = st.sampled_from(
    ["1.50", "-0", "1E+2", "true", "null", '""', '"\\u00e9\\/"', '"é, \\"k\\": {"', '[ 1,{"k":2} ]', '{"k" : 1}', "{}"]
)
_KEYS = st.sampled_from(['"k"', '"a"', '"b"', '"\\u006b"', '""', '"k "'])


@dataclass(frozen=True)
class Member:
    """A member as it is written: key, colon and value, with the blanks around them."""

    key: str
    colon: str
    value: str

    @property
    def is_ours(self) -> bool:
        return bool(json.loads(self.key) == "k")

    def __str__(self) -> str:
        return self.key + self.colon + self.value


_MEMBERS = st.lists(
    st.builds(Member, _KEYS, st.builds("{}:{}".format, _BLANKS, _BLANKS), _VALUES),
    max_size=5,
)


@given(_MEMBERS, _BLANKS, _BLANKS, _BLANKS)
def test_any_object_keeps_its_other_bytes(members: list[Member], before: str, inside: str, after: str) -> None:
    """In an object put together from written members, setting the last `k` puts one value in the place of another."""
    written = [inside + str(member) + inside for member in members]
    text = before + "{" + ",".join(written) + "}" + after
    places = [place for place, member in enumerate(members) if member.is_ours]
    if places:
        last = members[places[-1]]
        assert member_text(text, "k") == last.value
        written[places[-1]] = inside + last.key + last.colon + "7" + inside
        assert with_member(text, "k", "7") == before + "{" + ",".join(written) + "}" + after
    else:
        changed = with_member(text, "k", "7")
        assert "".join(changed.rsplit('"k":7' if not members else ',"k":7', 1)) == text
        assert json.loads(changed, object_pairs_hook=list)[-1] == ("k", 7)


@given(_MEMBERS, _BLANKS)
def test_any_object_loses_one_member_only(members: list[Member], inside: str) -> None:
    """Taking `k` away leaves an object with the other members, in their order and as they were written."""
    text = "{" + ",".join(inside + str(member) + inside for member in members) + "}"
    others = [member for member in members if not member.is_ours]
    left = with_member(text, "k", None)
    assert json.loads(left, object_pairs_hook=list) == json.loads(
        "{" + ",".join(map(str, others)) + "}", object_pairs_hook=list
    )
    assert "".join(left.split()) == "{" + ",".join("".join(str(member).split()) for member in others) + "}"
    for member in others:
        assert str(member) in left
