"""Sources become passages that can be quoted, found by their words, and told from words that nobody wrote."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envfactory_gym.author import AuthorError, Document, Sources, read_sources

RULES = """# Lending rules

Members borrow tools for a week.

## Renewals

- A loan is renewed **once**, for seven days.
- An overdue loan isn’t renewed.

| fee | when |
|---|---|
| $2 | a day late |
"""

PAGE = """<html><head><title>Lending &amp; rules</title><style>p {color: red}</style></head>
<body><nav>Home | About</nav>
<h1>Lending</h1>
<p>Members borrow tools
for a week.</p>
<h2>Renewals</h2>
<ul><li>A loan is renewed <b>once</b>.</li>
<li>An overdue loan is not renewed.</li></ul>
<table><tr><th>fee</th><th>when</th></tr><tr><td>$2</td><td>a day late</td></tr></table>
<script>alert("no passage")</script>
<footer>Imprint</footer></body></html>
"""


def read(folder: Path, name: str, text: str) -> Sources:
    (folder / name).write_text(text, encoding="utf-8")
    return read_sources([folder / name])


def test_a_document_is_paragraphs_items_and_tables_with_their_places(tmp_path: Path) -> None:
    sources = read(tmp_path, "rules.md", RULES)
    found = [(one.id, one.place, one.heading, one.text.split("\n")[0]) for one in sources.passages]
    assert found == [
        ("S1", "rules.md:3", "Lending rules", "Members borrow tools for a week."),
        ("S2", "rules.md:7", "Lending rules > Renewals", "- A loan is renewed **once**, for seven days."),
        ("S3", "rules.md:8", "Lending rules > Renewals", "- An overdue loan isn’t renewed."),
        ("S4", "rules.md:10", "Lending rules > Renewals", "| fee | when |"),
    ]
    assert sources.documents[0].title == "Lending rules"


def test_a_page_is_its_words_without_its_furniture(tmp_path: Path) -> None:
    sources = read(tmp_path, "rules.html", PAGE)
    assert sources.documents[0].title == "Lending & rules"
    found = [(one.place, one.heading, one.text) for one in sources.passages]
    assert found == [
        ("rules.html:4", "Lending", "Members borrow tools for a week."),
        ("rules.html:7", "Lending > Renewals", "- A loan is renewed once."),
        ("rules.html:8", "Lending > Renewals", "- An overdue loan is not renewed."),
        ("rules.html:9", "Lending > Renewals", "fee | when\n$2 | a day late"),
    ]


def test_a_folder_is_all_its_documents_in_order(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "b.txt").write_text("Second.")
    (tmp_path / "deep" / "a.md").write_text("Third.")
    (tmp_path / "a.md").write_text("First.")
    (tmp_path / ".hidden.md").write_text("Never.")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    assert [one.text for one in read_sources([tmp_path]).passages] == ["First.", "Second.", "Third."]


def test_a_sentence_is_a_source_of_one_passage() -> None:
    (passage,) = read_sources(["A neighbourhood tool library, open on Saturdays."]).passages
    assert (passage.id, passage.text) == ("S1", "A neighbourhood tool library, open on Saturdays.")


@pytest.mark.parametrize(
    ("quotation", "passage"),
    [
        ("S3", "S3"),
        ("[S3]", "S3"),
        ("an overdue loan isn't renewed", "S3"),
        ("A loan is renewed once, for   seven days.", "S2"),
        ("An overdue loan is renewed", None),
        ("a loan is renewed once for seven days", None),
        ("S9", None),
        ("loan", None),
        ("", None),
    ],
)
def test_a_quotation_counts_only_where_it_stands(tmp_path: Path, quotation: str, passage: str | None) -> None:
    found = read(tmp_path, "rules.md", RULES).find(quotation)
    assert (found.id if found else None) == passage


def test_search_finds_what_is_about_the_words_and_nothing_else(tmp_path: Path) -> None:
    sources = read(tmp_path, "rules.md", RULES)
    assert next(one.id for one in sources.search("Is an overdue loan renewed?")) == "S3"
    assert sources.search("daily fees for late days")[0].id == "S4"
    assert sources.search("helicopters") == []


@given(st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=400), max_size=6))
def test_every_passage_can_be_quoted_as_it_stands(paragraphs: list[str]) -> None:
    sources = Sources((Document("d", "\n\n".join(paragraphs)),))
    for passage in sources.passages:
        if (
            len(passage.text.split()) >= 3
            and len(passage.text.replace("*", "").replace("_", "").replace("`", "").split()) >= 3
        ):
            assert sources.find(passage.text) is not None


def test_a_long_paragraph_is_cut_at_the_ends_of_sentences() -> None:
    text = " ".join(f"This is the sentence with number {n}." for n in range(200))
    passages = Sources((Document("d", text),)).passages
    assert len(passages) > 4 and all(len(one.text) <= 1200 and one.text.endswith(".") for one in passages)
    assert " ".join(one.text for one in passages) == text


@pytest.mark.parametrize("given", ["no/such/file.md", "", "   "])
def test_nothing_to_read_is_said(given: str) -> None:
    with pytest.raises(AuthorError):
        read_sources([given])


def test_a_document_for_the_compiler_is_sent_there(tmp_path: Path) -> None:
    (tmp_path / "api.json").write_text("{}")
    with pytest.raises(AuthorError, match="compiled"):
        read_sources([tmp_path / "api.json"])
