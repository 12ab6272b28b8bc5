"""What a memory states: which titles say something that the text does not."""

import pytest

from muninn_cli.core.likeness import Text, contradicts, says_something, stated

CYAN = "Ana's favourite colour is cyan"
LONG = "Backups of the accounts database are kept on the second machine for ninety days from today."


@pytest.mark.parametrize(
    ("title", "body"),
    [
        (CYAN, CYAN),
        (CYAN, f"**{CYAN}**.\n"),
        ("ana's favourite colour is CYAN", f"{CYAN}. She said so in March."),
        ("Backups of the accounts database are kept on the second machine…", LONG),
    ],
)
def test_a_title_that_repeats_the_first_sentence_says_nothing(title: str, body: str) -> None:
    assert stated(title, body) == Text("", body)


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("Colours", CYAN),
        ("Staging", "# Staging\n\nThe port is 5433."),
        ("Staging", "Staging\n\nThe port is 5433."),
        ("Ana's favourite colour is c", CYAN),
    ],
)
def test_a_title_that_names_what_the_text_is_about_stays(title: str, body: str) -> None:
    assert stated(title, body) == Text(title, body)


def test_memories_with_titles_of_their_own_words_contradict_as_their_texts_do() -> None:
    purple = CYAN.replace("cyan", "purple")
    assert contradicts(stated(CYAN, CYAN), stated(purple, purple))


@pytest.mark.parametrize(
    "body",
    [
        "",
        "🦉🦉",
        "Pendiente...",
        "# Task\n---\n\n\n# Solution\n---\n",
        "Task\n====\n\n<% tp.file.cursor() %>\n\n## Result\r\n\r\n",
        '```dataviewjs\nawait dv.view("stage", { stage: dv.current()?.stage });\n```\n# Summary\n',
        "![[Diagram of the whole thing]]\n![a picture of it](https://example.com/one.png)\n^diagram",
        "<!-- write down what went well -->\n%% and what did not go well %%\n- [ ] \n- [ ] \n",
        "{{date}} {{title of the note}}",
    ],
)
def test_a_page_that_nobody_filled_in_says_nothing(body: str) -> None:
    assert not says_something("Resumen", body)


def test_a_title_alone_says_nothing() -> None:
    assert not says_something("Exercises of the third week", "# Task\n")


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("", "Ana likes tea."),
        ("", "8123"),
        ("Port", "# Port\n\n- 8123\n"),
        ("", "端口是八千一百二十三"),
        ("", "See [[Taking notes in class]]"),
        ("Favourite colour", "Purple."),
        ("Use tabs", "Use tabs."),
    ],
)
def test_few_words_or_a_number_say_something(title: str, body: str) -> None:
    assert says_something(title, body)
