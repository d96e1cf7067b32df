"""Misuse of `Game` raises the right exception with a clear message."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tabiya

HUGE = 10**5000

CASES: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: tabiya.Game("ches"), ValueError, "did you mean `chess`"),
    (lambda: tabiya.Game("\0"), ValueError, "unknown game"),
    (lambda: tabiya.Game("chess", layout="upside down"), tabiya.SpecError, "no layout `upside down`"),
    (lambda: tabiya.Game("enochian", preset="zalewsky"), tabiya.SpecError, "did you mean `zalewski`"),
    (lambda: tabiya.Game("enochian", options={"SHARING": "x"}), tabiya.SpecError, "has no value `x`"),
    (lambda: tabiya.Game("enochian", options={"x": HUGE}), tabiya.SpecError, "no option `x`"),
    (lambda: tabiya.Game("chess", options={"x": 1.5}), TypeError, "the option x is of type float"),  # type: ignore[dict-item]
    (lambda: tabiya.Game("chess", options=[1]), TypeError, "options is of type list, expected dict"),  # type: ignore[arg-type]
    (lambda: tabiya.Game("chess", options={1: "x"}), TypeError, "name of an option is of type int"),  # type: ignore[dict-item]
    (lambda: tabiya.Game("chess", seed=-1), ValueError, "seed is -1, expected a number from 0"),
    (lambda: tabiya.Game("chess", seed=HUGE), ValueError, "seed is out of range"),
    (lambda: tabiya.Game("chess", seed="1"), TypeError, "seed is of type str, expected int"),  # type: ignore[arg-type]
    (lambda: tabiya.Game(3), TypeError, "'int' object"),  # type: ignore[arg-type]
    (lambda: tabiya.Game("chess", state="nonsense"), tabiya.BadState, "fields"),
    (lambda: tabiya.ChessGame("9/8/8/8/8/8/8/8 w - - 0 1"), tabiya.BadState, "rank 8 has 9 squares"),
    (lambda: tabiya.ChessGame(fen="\0" * 9), tabiya.BadState, "fields"),
    (lambda: tabiya.ChessGame("\ud800"), ValueError, "surrogates"),
    (lambda: tabiya.Game.from_spec("no-such-file.json"), FileNotFoundError, "no-such-file.json"),
    (lambda: tabiya.Game.from_spec(Path(__file__).parent), OSError, "directory"),
    (lambda: tabiya.Game.from_spec("a\0b"), ValueError, "NUL"),
    (lambda: tabiya.Game.from_spec(__file__), tabiya.SpecError, "test_misuse.py:1:3: error"),
    (lambda: tabiya.Game.from_json(""), tabiya.SpecError, "json:1:1"),
    (lambda: tabiya.Game.from_json("[" * 100_000), tabiya.SpecError, "json:1"),
    (lambda: tabiya.ChessGame().push("e2e5"), tabiya.IllegalMove, "the PAWN cannot move from e2 to e5"),
    (lambda: tabiya.ChessGame().push("e7e5"), tabiya.IllegalMove, "it is WHITE's turn"),
    (lambda: tabiya.ChessGame().push(""), tabiya.IllegalMove, "is not a move"),
    (lambda: tabiya.ChessGame().push("x" * 1_000_000), tabiya.IllegalMove, "is not a move"),
    (lambda: tabiya.ChessGame().push("throw"), tabiya.IllegalMove, "the die is not to be thrown now"),
    (lambda: tabiya.ChessGame().push("accept"), tabiya.IllegalMove, "no offer"),
    (lambda: tabiya.ChessGame().push(None), TypeError, "None"),  # type: ignore[arg-type]
    (lambda: tabiya.ChessGame().claim("fifty"), tabiya.IllegalMove, "nothing called fifty can be claimed"),
    (lambda: tabiya.ChessGame().push_action(0), tabiya.IllegalMove, "action 0 is not a legal move"),
    (lambda: tabiya.ChessGame().push_action(4672), ValueError, "action is 4672, expected a number from 0 to 4671"),
    (lambda: tabiya.ChessGame().push_action(-HUGE), ValueError, "action is out of range"),
    (lambda: tabiya.ChessGame().push_action(1.0), TypeError, "action is of type float"),  # type: ignore[arg-type]
    (lambda: tabiya.ChessGame().move_of(np.int64(-1)), ValueError, "action is -1"),
    (lambda: tabiya.ChessGame().action_of("e2e5"), tabiya.IllegalMove, "the PAWN cannot move"),
    (lambda: tabiya.ChessGame().observe("GREEN"), ValueError, "seat is `GREEN`, expected one of WHITE, BLACK"),
]


@pytest.mark.parametrize(("wrong", "error", "says"), CASES, ids=[says for _, _, says in CASES])
def test_misuse_raises(wrong: Callable[[], object], error: type[Exception], says: str) -> None:
    with pytest.raises(error) as caught:
        wrong()
    assert says in str(caught.value)
    assert len(str(caught.value)) < 5000


def test_every_exception_is_a_value_error() -> None:
    for error in (tabiya.SpecError, tabiya.IllegalMove, tabiya.BadState, tabiya.GameOver):
        assert issubclass(error, ValueError)


def test_a_bad_file_lists_every_error(tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_text('{\n  "name": "A",\n  "bord": {}\n}\n')
    with pytest.raises(tabiya.SpecError) as caught:
        tabiya.Game.from_spec(file)
    diagnostics = caught.value.diagnostics
    assert len(diagnostics) == 5
    last = diagnostics[-1]
    assert (last.code, last.line, last.column) == ("unknown-key", 3, 3)
    assert last.help == "did you mean `board`?"
    text = str(caught.value)
    assert f"{file}:3:3: error[unknown-key]" in text
    assert text.count("error[") == 5


def planes(**changes: Any) -> Any:
    return np.zeros(**{"shape": (8, 8, 18), "dtype": np.float32, **changes})


def read_only() -> Any:
    array = planes()
    array.flags.writeable = False
    return array


def unaligned() -> Any:
    return np.zeros(8 * 8 * 18 * 4 + 1, dtype=np.uint8)[1:].view(np.float32).reshape(8, 8, 18)


OUTS: list[tuple[Any, type[Exception], str]] = [
    (planes(shape=(8, 8, 17)), ValueError, "out has shape (8, 8, 17), expected (8, 8, 18)"),
    (planes(shape=8), ValueError, "out has shape (8,), expected (8, 8, 18)"),
    (planes(shape=()), ValueError, "out has shape (), expected (8, 8, 18)"),
    (planes(dtype=np.float64), TypeError, "out is float64, expected float32"),
    (planes(dtype=">f4"), TypeError, "out is >f4, expected float32"),
    (planes(dtype=object), TypeError, "out is object, expected float32"),
    (planes(order="F"), ValueError, "out is not C-contiguous"),
    (planes(shape=(8, 8, 36))[:, :, ::2], ValueError, "out is not C-contiguous"),
    (np.broadcast_to(planes(shape=()), (8, 8, 18)), ValueError, "out is not C-contiguous"),
    (np.lib.stride_tricks.as_strided(planes(), (8, 8, 18), (0, 72, 4)), ValueError, "out is not C-contiguous"),
    (unaligned(), ValueError, "out is not aligned"),
    (read_only(), ValueError, "out is read-only"),
    ([0.0], TypeError, "out is of type list, expected numpy.ndarray of float32"),
    (bytearray(4608), TypeError, "out is of type bytearray"),
]


@pytest.mark.parametrize(("out", "error", "says"), OUTS, ids=[says for _, _, says in OUTS])
def test_arrays_that_do_not_fit(out: Any, error: type[Exception], says: str) -> None:
    game = tabiya.ChessGame()
    for fill in (game.observe, game.get_canonical_board):
        with pytest.raises(error) as caught:
            fill(out=out)
        assert says in str(caught.value)


def test_arrays_that_fit_are_filled_and_returned() -> None:
    game = tabiya.ChessGame()
    batch = np.full((3, 8, 8, 18), 9.0, dtype=np.float32)
    filled = game.get_canonical_board(out=batch[1])
    assert np.shares_memory(filled, batch)
    assert np.array_equal(batch[1], game.get_canonical_board())
    assert (batch[[0, 2]] == 9.0).all()
    mask = np.ones(4672, dtype=bool)
    assert game.legal_mask(out=mask) is mask
    assert mask.sum() == 20
    with pytest.raises(ValueError, match=r"out has shape \(1,\), expected \(4672,\)"):
        game.legal_mask(out=mask[:1])


def test_random_text_is_rejected_and_changes_nothing() -> None:
    chance = random.Random(1)
    game = tabiya.ChessGame()
    letters = "abcdefgh12345678 #=qQ[],-\0\n\u00e4\U0001f600"
    for _ in range(3000):
        text = "".join(chance.choice(letters) for _ in range(chance.randrange(12)))
        try:
            game.push(text)
        except ValueError:
            pass
        else:
            game.undo()
        with pytest.raises(tabiya.BadState):
            tabiya.ChessGame(text)
        with pytest.raises(tabiya.SpecError):
            tabiya.Game.from_json(text)
    assert game.history == []
