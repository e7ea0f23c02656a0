"""What every format keeps: everything of a transcript; and what none may hold: anything graded but the reward."""

import json

import pytest

from envfactory_gym import load_package
from envfactory_gym.environment import EnvFactoryError
from envfactory_gym.export import FORMATS, Mask, export, gold_samples, prompts, sample_of
from envfactory_gym.export.chat import chat_rows
from envfactory_gym.export.messages import as_text, canonical, read_arguments
from envfactory_gym.export.parquet import packed, unpacked, write_parquet
from envfactory_gym.export.sharegpt import messages_of, sharegpt_row
from envfactory_gym.export.write import Choices

from .trajectories import trajectory

COUNT = 1000


@pytest.fixture(scope="module")
def samples():
    return [sample_of(trajectory(seed)) for seed in range(COUNT)]


@pytest.fixture(scope="module")
def airline():
    return load_package("airline")


def plain(messages):
    """What a transcript says, with arguments read as JSON wherever they are an object."""
    said = []
    for message in messages:
        calls = [(c["id"], c["function"]["name"], c["function"]["arguments"]) for c in message.get("tool_calls", ())]
        calls = [(i, n, json.dumps(read_arguments(a) if isinstance(a, str) else a)) for i, n, a in calls]
        said.append((message["role"], message.get("content"), message.get("tool_call_id"), message.get("name"), calls))
    return said


def test_canonical_messages_say_what_the_transcript_says(samples):
    for seed, sample in enumerate(samples):
        assert plain(sample.messages) == plain(trajectory(seed).messages)
        assert canonical(sample.messages) == sample.messages


def test_what_an_object_would_change_stays_text():
    for text in ('{"a": 1, "a": 2}', '{"a": NaN}', '{"a": 1e999}', "[1]", '{"a": 1', "", "null", '"x"', "[" * 5000,
                 r'{"a": "\ud83d"}', r'{"\udc00": 1}'):  # fmt: skip
        assert read_arguments(text) == text
    assert read_arguments(r'{"a": "\ud83d\ude00"}') == {"a": "😀"}
    assert read_arguments('{"b": 9007199254740993, "a": {"c": [1.5, null]}}') == {
        "b": 2**53 + 1,
        "a": {"c": [1.5, None]},
    }


@pytest.mark.parametrize("arguments", ["object", "text"])
def test_chat_rows_of_a_thousand_trajectories_lose_nothing(samples, arguments):
    for sample in samples:
        (row,) = chat_rows(sample, per_step=False, mask=Mask.ALL, arguments=arguments)
        row = json.loads(json.dumps(row, ensure_ascii=False))
        assert plain(row["messages"]) == plain(sample.messages)
        assert canonical(row["messages"]) == sample.messages
        assert row["tools"] == sample.tools


def test_steps_of_a_thousand_trajectories_put_together_are_the_transcript(samples):
    for sample in samples:
        rows = list(chat_rows(sample, per_step=True, mask=Mask.ALL))
        assert len(rows) == sample.steps
        for row in rows:
            assert sample.messages[: len(row["prompt"]) + 1] == row["prompt"] + row["completion"]


def test_sharegpt_rows_of_a_thousand_trajectories_lose_nothing_and_alternate(samples):
    for sample in samples:
        row = json.loads(json.dumps(sharegpt_row(sample), ensure_ascii=False))
        assert messages_of(row) == sample.messages
        odd = {turn["from"] for turn in row["conversations"][::2]}
        even = {turn["from"] for turn in row["conversations"][1::2]}
        assert odd <= {"human", "observation"} and even <= {"gpt", "function_call"}
        assert len(row["conversations"]) % 2 == 0


def test_parquet_rows_of_a_thousand_trajectories_lose_nothing(samples, tmp_path):
    import pyarrow.parquet

    rows = [row for sample in samples for row in chat_rows(sample, per_step=False, mask=Mask.ALL)]
    write_parquet(tmp_path / "x.parquet", [packed(row) for row in rows])
    assert [unpacked(row) for row in pyarrow.parquet.read_table(tmp_path / "x.parquet").to_pylist()] == rows


def test_arguments_as_text_are_json_text(samples):
    for sample in samples[:100]:
        for message in as_text(sample.messages):
            assert all(isinstance(call["function"]["arguments"], str) for call in message.get("tool_calls", ()))


def test_masks_choose_assistant_messages_only(samples):
    for sample in samples:
        masks = {mask: next(iter(chat_rows(sample, per_step=False, mask=mask)))["loss"] for mask in Mask}
        spoken = [int(message["role"] == "assistant") for message in sample.messages]
        assert masks[Mask.ALL] == spoken
        assert [a + b for a, b in zip(masks[Mask.CALLS], masks[Mask.TEXT], strict=True)] == spoken
        assert sum(masks[Mask.LAST]) == 1 and all(
            one <= all_ for one, all_ in zip(masks[Mask.CLEAN], spoken, strict=True)
        )


def test_the_clean_mask_leaves_out_exactly_the_refused_steps():
    run = trajectory(5)
    sample = sample_of(run)
    (row,) = chat_rows(sample, per_step=False, mask=Mask.CLEAN)
    refused = {call.step for call in run.calls if call.error}
    spoken = [index for index, message in enumerate(sample.messages) if message["role"] == "assistant"]
    assert refused
    assert [row["loss"][index] for index in spoken] == [int(n + 1 not in refused) for n in range(len(spoken))]


@pytest.mark.parametrize("to", sorted(FORMATS))
def test_no_file_of_any_format_holds_what_was_expected(samples, airline, tmp_path, to):
    import pyarrow.parquet

    asked = [] if to == "sharegpt" else list(prompts(airline, airline.tasks[:5]))
    export(samples[:60], tmp_path, to, prompts=asked, packages=[airline], plots=False)
    for path in sorted(path for path in tmp_path.rglob("*") if path.is_file()):
        text = (
            json.dumps(pyarrow.parquet.read_table(path).to_pylist())
            if path.suffix == ".parquet"
            else path.read_text(encoding="utf-8")
        )
        assert "SECRET" not in text and '"gold"' not in text and '"goal"' not in text, path


def test_rl_rows_show_the_public_face_of_the_task_and_begin_like_its_episode(airline, tmp_path):
    from envfactory_gym import Episode

    export([], tmp_path, "trl", prompts=prompts(airline, airline.tasks), plots=False)
    rows = [json.loads(line) for path in tmp_path.glob("rl/*.jsonl") for line in path.read_text().splitlines()]
    assert {row["task"] for row in rows} == {task.id for task in airline.tasks if task.solo}
    for row in rows[:10]:
        assert set(json.loads(row["public"])) == set(type(airline.tasks[0].public()).model_fields)
        with Episode(airline, row["task"], user="solo") as episode:
            assert row["prompt"] == canonical(episode.reset())


def test_gold_is_played_and_succeeds_in_every_form(airline):
    for user in ("scripted", "solo"):
        for answer in ("text", "tool"):
            made = list(gold_samples(airline, airline.tasks[:4], user=user, answer=answer))
            assert made and all(sample.success for sample in made)


def test_splits_become_files_and_equal_episodes_one_row(airline, tmp_path):
    once = list(gold_samples(airline, airline.tasks[:6]))
    made = export(once + once, tmp_path / "x", "chat", packages=[airline], plots=False)
    assert sum(made.rows.values()) == len(once)
    for name in made.rows:
        rows = [json.loads(line) for line in (tmp_path / "x" / name).read_text().splitlines()]
        assert {row["split"] for row in rows} == {name.removeprefix("sft/").removesuffix(".jsonl")}


@pytest.mark.parametrize(
    ("to", "choices", "said"),
    [
        ("trl", Choices(mask=Mask.CLEAN), "--steps"),
        ("sharegpt", Choices(per_step=True), "without masks"),
        ("verl", Choices(per_step=True), "whole transcripts"),
        ("csv", Choices(), "no format 'csv'"),
    ],
)
def test_what_a_format_cannot_do_is_said_and_nothing_is_written(samples, tmp_path, to, choices, said):
    with pytest.raises(EnvFactoryError, match=said):
        export(samples[:3], tmp_path / "x", to, choices=choices, plots=False)
    assert not (tmp_path / "x").exists()


def test_a_folder_with_files_is_left_alone(samples, tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(EnvFactoryError, match="holds files"):
        export(samples[:3], tmp_path, "chat", plots=False)
