"""Rows that survive the end of the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from slashgrammar.cli.journal import Journal

WORK = {"model": "m", "prompts": ["a", "é", "\ud800"]}
ROWS = [{"prompt": "a", "name": "f"}, {"prompt": "é\n"}, {"prompt": "\ud800"}]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "journal"
    with Journal(path, WORK) as journal:
        for row in ROWS:
            journal.add(row)
    return path


def test_rows_are_there_again(path: Path) -> None:
    with Journal(path, WORK) as journal:
        assert journal.rows == ROWS
        journal.add(ROWS[0])
    with Journal(path, WORK) as journal:
        assert journal.rows == [*ROWS, ROWS[0]]


def test_cut_anywhere_no_whole_row_is_lost(path: Path) -> None:
    data = path.read_bytes()
    for end in range(len(data)):
        path.write_bytes(data[:end])
        whole = max(0, data.count(b"\n", 0, end) - 1)
        with Journal(path, WORK) as journal:
            assert journal.rows == ROWS[:whole]
            journal.add(ROWS[2])
        with Journal(path, WORK) as journal:
            assert journal.rows == [*ROWS[:whole], ROWS[2]]


@pytest.mark.parametrize("content", [b"\n", b"1\n", b"\xff\n", b'{"model": "n"}\n{"prompt": "a"}\n'])
def test_rows_of_other_work_do_not_count(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with Journal(path, WORK) as journal:
        assert journal.rows == []
        journal.add(ROWS[1])
    with Journal(path, WORK) as journal:
        assert journal.rows == [ROWS[1]]


def test_the_file_can_go(path: Path) -> None:
    with Journal(path, WORK) as journal:
        pass
    journal.remove()
    assert not path.exists()
