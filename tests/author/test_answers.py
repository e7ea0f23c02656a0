"""What a model says becomes files: in whatever form it comes, as long as it is whole and was asked for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envfactory_gym.author.answers import AnswerError, data_of, edited, files_of, text_of
from envfactory_gym.author.behaviour_files import merged, unblamed
from envfactory_gym.llm import Exchange

WANTED = ("schema.sql", "server.py", "data/*.jsonl")
SQL = "CREATE TABLE a (b TEXT) STRICT;\n"


@pytest.mark.parametrize(
    "answer",
    [
        f"```sql schema.sql\n{SQL}```",
        f"```schema.sql\n{SQL}```",
        f"Sure!\n\n### schema.sql\n\n```sql\n{SQL}```\nThat is all.",
        f"**`schema.sql`**\n~~~sql\n{SQL}~~~",
        f"````sql title=\"schema.sql\"\n{SQL}````",
        '{"files": {"schema.sql": "CREATE TABLE a (b TEXT) STRICT;\\n"}}',
        '```json\n{"schema.sql": "CREATE TABLE a (b TEXT) STRICT;\\n"}\n```',
        '{"files": [{"path": "schema.sql", "content": "CREATE TABLE a (b TEXT) STRICT;\\n"}]}',
    ],
)  # fmt: skip
def test_a_file_is_found_in_whatever_form_it_comes(answer: str) -> None:
    assert files_of(answer, WANTED) == {"schema.sql": SQL}


def test_one_block_needs_no_name_where_one_file_was_asked_for() -> None:
    assert files_of("```yaml\na: 1\n```", ("language.yaml",)) == {"language.yaml": "a: 1\n"}


def test_a_first_comment_names_a_file() -> None:
    assert files_of("```python\n# server.py\nx = 1\n```", WANTED) == {"server.py": "# server.py\nx = 1\n"}


def test_code_that_only_mentions_a_file_is_no_file() -> None:
    with pytest.raises(AnswerError, match="there is no file in the answer"):
        files_of("Run this:\n\n```sh\nls\n```\n\n```\nwhatever\n```", WANTED)


@pytest.mark.parametrize(
    ("answer", "kind", "problem"),
    [
        ("```sql schema.sql\nCREATE TABLE", "truncated", "never closed"),
        ("```yaml other.yaml\na: 1\n```", "unusable", "other.yaml was not asked for"),
        ("```jsonl data/../../x.jsonl\n{}\n```", "unusable", "was not asked for"),
        ("```sql schema.sql\na\x00b\n```", "unusable", "NUL"),
        ("nothing", "unusable", "no file"),
        ("```sql schema.sql\n<<<<<<< old\nx\n=======\ny\n>>>>>>> new\n```", "unusable", "no such file yet"),
    ],
)
def test_what_is_not_whole_or_not_asked_for_is_sent_back(answer: str, kind: str, problem: str) -> None:
    with pytest.raises(AnswerError, match=problem) as met:
        files_of(answer, WANTED)
    assert met.value.kind == kind


def test_an_edit_changes_what_stands_there_once() -> None:
    answer = "```schema.sql\n<<<<<<< old\n  b TEXT\n=======\n  b INTEGER\n>>>>>>> new\n```"
    assert files_of(answer, WANTED, {"schema.sql": "a (\n  b TEXT\n)\n"}) == {"schema.sql": "a (\n  b INTEGER\n)\n"}
    for text in ("a\n", "  b TEXT\n  b TEXT\n"):
        with pytest.raises(AnswerError, match="not once"):
            files_of(answer, WANTED, {"schema.sql": text})


@given(st.lists(st.sampled_from(["a", "b", "c", "", "  d"]), min_size=1, max_size=8), st.integers(0, 7))
def test_an_edit_touches_nothing_else(lines: list[str], at: int) -> None:
    lines = [*lines, "here", "end"]
    text = "\n".join(lines) + "\n"
    done = edited("f", text, "<<<<<<< old\nhere\n=======\nthere\n>>>>>>> new\n")
    assert done == text.replace("here\n", "there\n")


def exchange(content: str | None, reason: str = "stop", **more: object) -> Exchange:
    message = {"role": "assistant", "content": content, **more}
    return Exchange({}, {"choices": [{"message": message, "finish_reason": reason}]})


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (exchange("```sql schema.sql\nx", "length"), "truncated"),
        (exchange(None), "empty"),
        (exchange("  \n"), "empty"),
        (exchange(None, refusal="no"), "refused"),
        (exchange("x", "content_filter"), "refused"),
        (exchange("I cannot help with that."), "refused"),
        (exchange("As an AI, I would rather not."), "refused"),
    ],
)
def test_what_kind_of_nothing_an_answer_is(answer: Exchange, kind: str) -> None:
    with pytest.raises(AnswerError) as met:
        text_of(answer)
    assert met.value.kind == kind


def test_thinking_aloud_is_no_answer_and_an_apology_before_a_file_is_one() -> None:
    assert text_of(exchange("<think>I can't do this? I can.</think>\nDone ```a```")) == "\nDone ```a```"
    assert "schema.sql" in text_of(exchange(f"I'm sorry for the mistake.\n```sql schema.sql\n{SQL}```"))


@pytest.mark.parametrize(
    "text", ['{"a": 1}', 'So: {"a": 1}.', '```json\n{"a": 1}\n```', "```yaml\na: 1\n```", "```\na: 1\n```"]
)
def test_data_is_found_in_whatever_form_it_comes(text: str) -> None:
    assert data_of(text) == {"a": 1}


@given(st.text(max_size=300))
def test_no_text_breaks_the_reader(text: str) -> None:
    for read in (lambda: files_of(text, WANTED), lambda: data_of(text), lambda: merged("", text)):
        try:
            read()
        except AnswerError as told:
            assert told.problem


# ---------------------------------------------------------------- examples put together

OLD = """# first
- name: one
  origin: {kind: policy, ref: a}
  calls: [{tool: t, expect: {result: {x: 1}}}]
# about two
- name: two
  origin: {kind: policy, ref: a}
  calls: [{tool: t, expect: {result: {x: 2}}}]
"""


def example(name: str, x: int) -> str:
    return (
        f"- name: {name}\n  origin: {{kind: policy, ref: a}}\n  calls: [{{tool: t, expect: {{result: {{x: {x}}}}}}}]\n"
    )


def test_an_example_replaces_its_namesake_and_others_stay() -> None:
    assert merged("", OLD) == OLD.removeprefix("# first\n")
    assert merged(OLD, example("three", 3)) == OLD.removeprefix("# first\n") + example("three", 3)
    assert merged(OLD, example("one", 9)) == example("two", 2) + example("one", 9)


def test_an_example_that_was_sent_back_does_not_stay() -> None:
    assert unblamed(OLD, ["one: it asserts nothing"]) == example("two", 2)
    assert unblamed(OLD, ["behaviours.yaml: 'two' calls the unknown tool 'x'", "no example expects a result of t"]) == (
        OLD.removeprefix("# first\n").removesuffix(example("two", 2))
    )


def test_examples_under_a_key_are_examples() -> None:
    body = "".join(f"  {line}\n" for line in example("three", 3).splitlines())
    assert "name: three" in merged(OLD, f"behaviours:\n{body}")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: [", "not valid YAML"),
        ("a: 1", "list of examples"),
        ("[]", "list of examples"),
        ("- name: x\n  origin: {kind: opinion}\n  calls: []", "x: origin.kind"),
        ("- name: x\n  origin: {kind: policy}\n  calls: [{tool: t}]", "x: "),
    ],
)
def test_what_is_no_list_of_examples_is_said(text: str, problem: str) -> None:
    with pytest.raises(AnswerError, match=problem):
        merged(OLD, text)
